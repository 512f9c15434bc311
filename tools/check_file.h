// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_CHECK_FILE_H_
#define FERRY_TOOLS_CHECK_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/log.h"
#include "ferry/memory/memory_target.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/passes/host_offload_analysis.h"
#include "ferry/tools/exit_code.h"
#include "ferry/tools/input_files.h"

namespace ferry {

struct CheckOptions {
  Judge judge = Judge::kDocumented;
  PassContext::XlaFlags xla_flags;
  bool allow_unknown = true;
  MemoryTarget memory_target = *FindMemoryTarget("v5e");
  // "return_on_host" or "bring_back": repair all E1200 and look again.
  std::string fix;
};

// What `ferry check` knows of one input: plain data, so that the module and
// its text can go.
//
// Tested by tests/tools/check_*.test.
struct CheckResult {
  struct Transfer {
    HostTransfer::Direction direction;
    std::string instruction;
    std::optional<int64_t> bytes;
    // As tiled on the chip.
    std::optional<int64_t> padded_bytes;
    std::optional<int64_t> trip_count;
    UserSource source;
  };
  struct HostCompute {
    std::string instruction;
    std::string why;
    UserSource source;
  };

  std::string file;
  // Without value if the input could not be read, or, the stage, if its
  // structure is broken.
  std::optional<std::string> module;
  std::optional<std::string> stage;
  Judge judge = Judge::kDocumented;
  // What a compiler would return.
  absl::Status verdict;
  std::vector<Diagnostic> diagnostics;
  std::vector<Transfer> transfers;
  std::vector<HostCompute> host_compute;
  ExitCode exit_code = ExitCode::kOk;
  // With `fix`: the repaired module, and what was done.
  std::string fixed_text;
  std::vector<std::string> fixes_made;

  // "E1200" if the verdict has an id of the compiler's; else empty.
  std::string ErrorId() const;
};

// Reads, verifies and analyses one input. `log` may be null.
CheckResult CheckFile(const InputFile& input, const CheckOptions& options,
                      LogSink* log);

}  // namespace ferry

#endif  // FERRY_TOOLS_CHECK_FILE_H_
