// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/check_command.h"

#include <unistd.h>

#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/passes/repair_host_outputs.h"
#include "ferry/tools/check_file.h"
#include "ferry/tools/check_json.h"
#include "ferry/tools/check_text.h"
#include "ferry/tools/command_line.h"
#include "ferry/tools/crash_report.h"
#include "ferry/tools/input_files.h"
#include "ferry/tools/log_files.h"
#include "ferry/tools/output_file.h"
#include "ferry/tools/parallel.h"
#include "ferry/tools/progress.h"
#include "ferry/tools/sarif.h"

namespace ferry {
namespace {

struct CheckFlags {
  CommonFlags common;
  std::vector<std::string> files;
  bool json = false;
  bool sarif = false;
  std::string fix;
  std::string output;

  bool IsText() const { return !json && !sarif; }
};

absl::Status CheckCombination(const CheckFlags& flags) {
  if (flags.files.empty()) {
    return absl::InvalidArgumentError("which FILE? `-` is standard input");
  }
  if (flags.json && flags.sarif) {
    return absl::InvalidArgumentError("--json or --sarif, not both");
  }
  if (!flags.fix.empty() && !flags.IsText() && flags.output.empty()) {
    return absl::InvalidArgumentError(
        "--fix with --json or --sarif needs -o for the module");
  }
  return absl::OkStatus();
}

void Declare(CommandLine& line, CheckFlags& flags) {
  line.AddArguments("FILE", flags.files,
                    "HLO, text or proto, also .gz and .zst; a folder stands "
                    "for the HLO files in it, - for standard input");
  line.AddFlag("--json", flags.json, "print one JSON document");
  line.AddFlag("--sarif", flags.sarif, "print the findings as SARIF 2.1.0");
  line.AddChoice("--fix", flags.fix,
                 {std::begin(RepairHostOutputsOptions::kKindNames),
                  std::end(RepairHostOutputsOptions::kKindNames)},
                 "repair all E1200 and write the module to -o");
  line.AddText("-o", flags.output,
               "write to this file, not to stdout: the module with --fix, as "
               "text whatever the name, packed if it ends in .gz or .zst; else "
               "the summary or document");
  line.AddCommonFlags(flags.common, CommandLine::ChipFlags::kMatter);
  line.AddCheck([&flags] { return CheckCombination(flags); });
}

// One run over all inputs.
class CheckRun {
 public:
  CheckRun(const CheckFlags& flags, const InputList& inputs, LogFiles& log)
      : flags_(flags),
        inputs_(inputs),
        log_(log),
        progress_(inputs.files.size(),
                  {.is_on = ::isatty(STDERR_FILENO) != 0 &&
                            !flags.common.vmodule.IsVerbose()}) {
    options_.judge = flags.common.judge;
    options_.xla_flags = flags.common.xla_flags;
    options_.allow_unknown = flags.common.allow_unknown;
    options_.memory_target = flags.common.memory_target;
    options_.fix = flags.fix;
  }

  ExitCode Run() {
    const size_t count = inputs_.files.size();
    results_.resize(count);
    const int threads = ThreadCount(flags_.common.threads);
    const bool keeps_order_by_itself = count == 1 || threads == 1;
    if (!keeps_order_by_itself) {
      for (size_t i = 0; i < count; ++i) logs_.emplace_back(log_);
    }
    RunInParallel(
        count, threads,
        [this](size_t i) {
          LogSink* log = &log_;
          if (!logs_.empty()) log = &logs_[i];
          results_[i] = CheckFile(inputs_.files[i], options_, log);
        },
        [this](size_t i) {
          Report(i);
          progress_.Show(i + 1);
        });
    Finish();
    return exit_code_;
  }

 private:
  void Report(size_t i) {
    CheckResult& result = results_[i];
    progress_.Clear();
    if (!logs_.empty()) logs_[i].FlushTo(log_);
    exit_code_ = Worse(exit_code_, result.exit_code);
    ++verdicts_[std::string(absl::StatusCodeToString(result.verdict.code()))];
    // What cannot be read is said to people in any case.
    if (flags_.IsText() || result.exit_code == ExitCode::kUnreadable ||
        result.exit_code == ExitCode::kUsage) {
      WriteStderr(CheckFindingsToText(result, flags_.common.colour));
    }
    if (!flags_.fix.empty() && !result.fixed_text.empty()) {
      Write(flags_.output, result.fixed_text);
    }
    if (!flags_.IsText()) return;
    std::string text = CheckSummaryToText(result);
    if (i + 1 < results_.size()) text += '\n';
    AddText(text);
    result = CheckResult();
  }

  // A summary goes where its user looks, and not into a file of HLO.
  void AddText(absl::string_view text) {
    const bool stdout_has_module = !flags_.fix.empty() && flags_.output.empty();
    const bool file_has_summary = flags_.fix.empty() && !flags_.output.empty();
    if (stdout_has_module) {
      WriteStderr(text);
    } else if (file_has_summary) {
      absl::StrAppend(&text_, text);
    } else {
      Write("-", text);
    }
  }

  void Finish() {
    const std::string document_file = flags_.fix.empty() ? flags_.output : "-";
    if (flags_.json) {
      Write(document_file, CheckResultsToJson(results_, inputs_.is_list));
    } else if (flags_.sarif) {
      Write(document_file, CheckResultsToSarif(results_));
    } else if (inputs_.is_list) {
      std::string counts;
      for (const auto& [verdict, count] : verdicts_) {
        absl::StrAppend(&counts, counts.empty() ? "" : ", ", count, " ",
                        verdict);
      }
      AddText(absl::StrCat(
          "\n", results_.size(),
          results_.size() == 1 ? " input: " : " inputs: ", counts, "\n"));
    }
    if (!text_.empty()) Write(flags_.output, text_);
  }

  // After an error nothing more is written: one message is enough.
  void Write(const std::string& path, absl::string_view bytes) {
    if (write_failed_) return;
    const ExitCode code = WriteOrComplain(path, bytes);
    write_failed_ = code != ExitCode::kOk;
    exit_code_ = Worse(exit_code_, code);
  }

  const CheckFlags& flags_;
  const InputList& inputs_;
  LogFiles& log_;
  Progress progress_;  // off where log lines would run into it
  CheckOptions options_;
  std::vector<LogBuffer> logs_;  // empty if lines go straight to log_
  std::vector<CheckResult> results_;
  std::map<std::string, int> verdicts_;
  std::string text_;
  bool write_failed_ = false;
  ExitCode exit_code_ = ExitCode::kOk;
};

constexpr char kExample[] =
    "Example: a training step that the compiler refuses\n"
    "  ferry check examples/train_step.hlo\n"
    "says which tensor is in the wrong memory, the line of yours that put it\n"
    "there, its way to the output, and what to change; exit code 1. Let Ferry\n"
    "change it:\n"
    "  ferry check --fix=return_on_host examples/train_step.hlo -o fixed.hlo\n"
    "What the compiler itself would trace:\n"
    "  ferry check --vmodule=host_offloader=1 examples/train_step.hlo\n"
    "\n"
    "Exit codes: 0 no error, 1 errors found, 2 wrong command line, 3 an input\n"
    "cannot be read, 70 a bug in ferry.";

}  // namespace

ExitCode RunCheckCommand(absl::Span<const std::string> arguments) {
  CheckFlags flags;
  CommandLine line(
      "ferry check",
      "Is the placement legal, where does every offloaded tensor go?",
      kExample);
  Declare(line, flags);
  if (const std::optional<ExitCode> code = line.Parse(arguments)) return *code;
  const InputList inputs = ListInputs(flags.files);
  if (!flags.fix.empty() && inputs.is_list) {
    return line.UsageError("--fix takes one file");
  }
  const std::string input =
      inputs.is_list ? std::string() : inputs.files.front().path;
  SetCrashCommand(ShellCommand("ferry check", arguments, input));
  LogFiles log = OpenLog("ferry", flags.common.vmodule);
  return CheckRun(flags, inputs, log).Run();
}

}  // namespace ferry
