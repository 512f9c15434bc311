// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/diff_command.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ferry/tools/command_line.h"
#include "ferry/tools/crash_report.h"
#include "ferry/tools/input_files.h"
#include "ferry/tools/memory_diff.h"
#include "ferry/tools/memory_file.h"
#include "ferry/tools/memory_json.h"
#include "ferry/tools/memory_text.h"
#include "ferry/tools/output_file.h"

namespace ferry {
namespace {

constexpr char kExample[] =
    "Example: the same step before and after a change of yours\n"
    "  ferry diff before.hlo after.hlo --chip=v5e\n"
    "says how much more or less each memory holds, and which values at the\n"
    "peak of HBM came, went or changed their size.\n"
    "\n"
    "Exit codes: 0 done, whatever differs, 1 errors found, 2 wrong command\n"
    "line, 3 an input cannot be read, 70 a bug in ferry.";

struct DiffFlags {
  CommonFlags common;
  std::vector<std::string> files;
  bool json = false;
  int top = 20;
  std::string output;
};

absl::Status CheckFiles(const DiffFlags& flags) {
  if (flags.files.size() != 2) {
    return absl::InvalidArgumentError("which two files, A and B?");
  }
  if (flags.top < 0) return absl::InvalidArgumentError("--top: not below 0");
  return absl::OkStatus();
}

}  // namespace

ExitCode RunDiffCommand(absl::Span<const std::string> arguments) {
  DiffFlags flags;
  CommandLine line("ferry diff", "What changed between two modules?", kExample);
  line.AddArguments("FILE", flags.files, "the two modules, A and B");
  line.AddFlag("--json", flags.json, "print one JSON document");
  line.AddNumber("--top", flags.top,
                 "list so many changes (default 20, 0 all)");
  line.AddText("-o", flags.output, "write to this file, not to stdout");
  line.AddCommonFlags(flags.common, CommandLine::ChipFlags::kMatter);
  line.AddCheck([&flags] { return CheckFiles(flags); });
  if (const std::optional<ExitCode> code = line.Parse(arguments)) return *code;
  SetCrashCommand(ShellCommand("ferry diff", arguments, ""));

  MemoryOptions options;
  options.memory_target = flags.common.memory_target;
  options.allow_unknown = flags.common.allow_unknown;
  std::vector<MemoryResult> results;
  ExitCode exit_code = ExitCode::kOk;
  for (const std::string& file : flags.files) {
    results.push_back(MemoryOfFile({.path = file}, options));
    const MemoryResult& result = results.back();
    // Whether both fit is not asked here.
    if (result.report.has_value()) continue;
    WriteStderr(MemoryFindingsToText(result, flags.common.colour));
    exit_code = Worse(exit_code, result.exit_code);
  }
  if (exit_code != ExitCode::kOk) {
    if (flags.json) {
      WriteOrComplain("-", MemoryResultsToJson(results, /*is_list=*/true, 0));
    }
    return exit_code;
  }
  return WriteOrComplain(
      flags.output.empty() ? "-" : flags.output,
      flags.json ? MemoryDiffToJson(results[0], results[1])
                 : MemoryDiffToText(results[0], results[1], flags.top));
}

}  // namespace ferry
