// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_INPUT_MODULE_H_
#define FERRY_TOOLS_INPUT_MODULE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/source_text.h"
#include "ferry/tools/crash_report.h"
#include "ferry/tools/input_files.h"

namespace ferry {

// One input as it was read. A crash while this is there reports its text.
struct InputModule {
  std::shared_ptr<const SourceText> source;
  std::unique_ptr<CrashInput> crash_input;
  // Null if there is nothing to read or it is no HLO: `status` is then the
  // verdict, and the findings say why.
  std::unique_ptr<HloModule> module;
  absl::Status status;
  std::vector<Diagnostic> diagnostics;
};

// What people and documents call the input: "<stdin>" for "-".
std::string InputName(const InputFile& input);

// Reads text or a proto, packed or not; `context` must outlive the module.
// Tested by tests/tools/check_text.test and tests/tools/memory.test.
InputModule ReadInputModule(const InputFile& input, bool allow_unknown,
                            Judge judge, HloContext& context);

}  // namespace ferry

#endif  // FERRY_TOOLS_INPUT_MODULE_H_
