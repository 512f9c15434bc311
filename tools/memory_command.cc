// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_command.h"

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/tools/command_line.h"
#include "ferry/tools/crash_report.h"
#include "ferry/tools/input_files.h"
#include "ferry/tools/memory_dump.h"
#include "ferry/tools/memory_file.h"
#include "ferry/tools/memory_json.h"
#include "ferry/tools/memory_text.h"
#include "ferry/tools/output_file.h"
#include "ferry/tools/parallel.h"
#include "ferry/tools/progress.h"

namespace ferry {
namespace {

constexpr int kTopNotGiven = std::numeric_limits<int>::min();

struct MemoryFlags {
  CommonFlags common;
  std::vector<std::string> files;
  bool json = false;
  bool values = false;
  bool no_prepare = false;
  int top = kTopNotGiven;
  int effort = 200'000;
  std::string output;
  std::string dump_to;
};

absl::Status CheckCombination(const MemoryFlags& flags) {
  if (flags.files.empty()) {
    return absl::InvalidArgumentError("which FILE? `-` is standard input");
  }
  if (flags.top < 0 && flags.top != kTopNotGiven) {
    return absl::InvalidArgumentError("--top: not below 0");
  }
  if (flags.effort < 0) {
    return absl::InvalidArgumentError("--effort: not below 0");
  }
  if (flags.values && !flags.json) {
    return absl::InvalidArgumentError("--values is a part of --json");
  }
  return absl::OkStatus();
}

void Declare(CommandLine& line, MemoryFlags& flags) {
  line.AddArguments("FILE", flags.files,
                    "HLO text or protos, also .gz and .zst; a folder stands "
                    "for the HLO files in it, - for standard input");
  line.AddFlag("--json", flags.json, "print one JSON document");
  line.AddFlag("--values", flags.values,
               "with --json, list where every value stands");
  line.AddNumber("--top", flags.top,
                 "list so many of what is live at the peak (0 all; default 20, "
                 "with --json all)");
  line.AddNumber("--effort", flags.effort,
                 "steps of searching for a better packing (default 200000)");
  line.AddFlag("--no-prepare", flags.no_prepare,
               "refuse a module from before optimisation");
  line.AddText("--dump-to", flags.dump_to,
               "write XLA's dumps of the assignment into this folder");
  line.AddText("-o", flags.output, "write to this file, not to stdout");
  line.AddCommonFlags(flags.common, CommandLine::ChipFlags::kMatter);
  line.AddCheck([&flags] { return CheckCombination(flags); });
}

// One run over all inputs.
class MemoryRun {
 public:
  MemoryRun(const MemoryFlags& flags, const InputList& inputs)
      : flags_(flags),
        inputs_(inputs),
        progress_(inputs.files.size(),
                  {.is_on = ::isatty(STDERR_FILENO) != 0}) {
    options_.memory_target = flags.common.memory_target;
    options_.allow_unknown = flags.common.allow_unknown;
    options_.effort = flags.effort;
    options_.prepare = !flags.no_prepare;
    options_.wants_values = flags.values;
    options_.wants_dumps = !flags.dump_to.empty();
  }

  ExitCode Run() {
    MakeDumpFolder();
    results_.resize(inputs_.files.size());
    RunInParallel(
        results_.size(), ThreadCount(flags_.common.threads),
        [this](size_t i) {
          results_[i] = MemoryOfFile(inputs_.files[i], options_);
        },
        [this](size_t i) {
          Report(results_[i], i + 1 == results_.size());
          progress_.Show(i + 1);
        });
    if (flags_.json) {
      text_ = MemoryResultsToJson(results_, inputs_.is_list,
                                  MaxLive(/*if_not_given=*/0));
    }
    Write(flags_.output.empty() ? "-" : flags_.output, text_);
    return exit_code_;
  }

 private:
  // Where it cannot be made, the first dump says so.
  void MakeDumpFolder() const {
    if (flags_.dump_to.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(flags_.dump_to, error);
  }

  void Report(MemoryResult& result, bool is_last) {
    progress_.Clear();
    exit_code_ = Worse(exit_code_, result.exit_code);
    if (!flags_.json || result.exit_code == ExitCode::kUnreadable) {
      WriteStderr(MemoryFindingsToText(result, flags_.common.colour));
    }
    WriteDumps(result);
    if (flags_.json) return;
    absl::StrAppend(&text_,
                    MemorySummaryToText(result, MaxLive(/*if_not_given=*/20)),
                    is_last ? "" : "\n");
  }

  int MaxLive(int if_not_given) const {
    return flags_.top == kTopNotGiven ? if_not_given : flags_.top;
  }

  void WriteDumps(MemoryResult& result) {
    if (result.dumps.empty()) return;
    const std::string name = dump_names_.NameFor(*result.module);
    for (const MemoryDump& dump : result.dumps) {
      Write(absl::StrCat(flags_.dump_to, "/", name, dump.suffix), dump.bytes);
    }
    result.dumps.clear();
  }

  // After an error nothing more is written: one message is enough.
  void Write(const std::string& path, absl::string_view bytes) {
    if (write_failed_) return;
    const ExitCode code = WriteOrComplain(path, bytes);
    write_failed_ = code != ExitCode::kOk;
    exit_code_ = Worse(exit_code_, code);
  }

  const MemoryFlags& flags_;
  const InputList& inputs_;
  Progress progress_;
  MemoryOptions options_;
  std::vector<MemoryResult> results_;
  MemoryDumpNames dump_names_;
  std::string text_;
  bool write_failed_ = false;
  ExitCode exit_code_ = ExitCode::kOk;
};

constexpr char kExample[] =
    "Example: a program that the compiler has scheduled\n"
    "  ferry memory examples/scheduled_step.hlo --chip=v5e\n"
    "says what each memory of the chip holds, and what is live when most of "
    "HBM\n"
    "is. Would it fit into half of it?\n"
    "  ferry memory examples/scheduled_step.hlo --hbm-limit=50%\n"
    "\n"
    "Exit codes: 0 it fits, 1 errors found, 2 wrong command line, 3 an input\n"
    "cannot be read, 4 it does not fit, 70 a bug in ferry.";

}  // namespace

ExitCode RunMemoryCommand(absl::Span<const std::string> arguments) {
  MemoryFlags flags;
  CommandLine line("ferry memory", "What is every byte for, does it fit?",
                   kExample);
  Declare(line, flags);
  if (const std::optional<ExitCode> code = line.Parse(arguments)) return *code;
  const InputList inputs = ListInputs(flags.files);
  const std::string input =
      inputs.is_list ? std::string() : inputs.files.front().path;
  SetCrashCommand(ShellCommand("ferry memory", arguments, input));
  return MemoryRun(flags, inputs).Run();
}

}  // namespace ferry
