// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_MEMORY_FILE_H_
#define FERRY_TOOLS_MEMORY_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/memory/memory_report.h"
#include "ferry/memory/memory_target.h"
#include "ferry/tools/exit_code.h"
#include "ferry/tools/input_files.h"
#include "ferry/tools/memory_dump.h"

namespace ferry {

struct MemoryOptions {
  MemoryTarget memory_target = *FindMemoryTarget("v5e");
  bool allow_unknown = true;
  // How long heaps are searched for a better packing, as PackingOptions have
  // it. Most are proved lowest with far less, or never.
  int64_t effort = 200'000;
  // Whether a module from before optimisation is prepared, or refused.
  bool prepare = true;
  // Whether the report lists every value, and the dumps are made.
  bool wants_values = false;
  bool wants_dumps = false;
};

// What `ferry memory` knows of one input: plain data, so that the module and
// its text can go.
struct MemoryResult {
  std::string file;
  // Without value if the input could not be read.
  std::optional<std::string> module;
  std::optional<std::string> stage;
  // What kind of estimate the numbers are; nullopt: they are the program's.
  std::optional<std::string> estimate;
  // OK, RESOURCE_EXHAUSTED with the compiler's message, or why there is no
  // answer.
  absl::Status verdict;
  std::vector<Diagnostic> diagnostics;
  // Without value if there is no answer.
  std::optional<MemoryReport> report;
  std::vector<MemoryDump> dumps;
  ExitCode exit_code = ExitCode::kOk;
};

// Reads and verifies one input, prepares it if it has to be, and assigns its
// memory.
MemoryResult MemoryOfFile(const InputFile& input, const MemoryOptions& options);

}  // namespace ferry

#endif  // FERRY_TOOLS_MEMORY_FILE_H_
