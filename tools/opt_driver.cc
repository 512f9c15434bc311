// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/opt_driver.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/hlo/proto/hlo_form.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"
#include "ferry/hlo/source_text.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/passes/pass_manager.h"
#include "ferry/passes/pass_options.h"
#include "ferry/passes/pass_registry.h"
#include "ferry/passes/pipelines.h"
#include "ferry/passes/repair_host_outputs.h"
#include "ferry/tools/command_line.h"
#include "ferry/tools/crash_report.h"
#include "ferry/tools/exit_code.h"
#include "ferry/tools/expected_diagnostics.h"
#include "ferry/tools/input_files.h"
#include "ferry/tools/log_files.h"
#include "ferry/tools/output_file.h"
#include "ferry/tools/print_format.h"
#include "ferry/tools/split_input.h"
#include "llvm/Support/FileSystem.h"

namespace ferry {
namespace {

struct OptFlags {
  CommonFlags common;
  std::string file = "-";
  std::string output;
  std::string passes;
  std::string pipeline;
  bool list_passes = false;
  std::string print_format = "full";
  PrintPart part;
  bool split_input_file = false;
  bool verify_each = true;
  bool verify_diagnostics = false;
  std::vector<std::string> print_after;
  bool print_after_change = false;
  std::string dump_to;
  bool time_passes = false;
  bool stats = false;
  bool remarks = false;
  std::string reproducer;
};

constexpr char kExample[] =
    "Example: repair a module, and see that nothing is left to report\n"
    "  ferry-opt examples/train_step.hlo \\\n"
    "    --passes='repair-host-outputs{kind=bring_back},check-host-offload' "
    "\\\n"
    "    --remarks -o fixed.hlo\n"
    "\n"
    "Exit codes: 0 no error, 1 errors found, 2 wrong command line, 3 the "
    "input\n"
    "cannot be read, 70 a bug in ferry.";

void Declare(CommandLine& line, OptFlags& flags) {
  line.AddArgument("FILE", flags.file,
                   "HLO, text or proto (default: standard input)");
  line.AddText("--passes", flags.passes, "passes to run: a,b{option=1}");
  line.AddText("--pipeline", flags.pipeline, "a named list of passes");
  line.AddFlag("--list-passes", flags.list_passes, "list passes and pipelines");
  line.AddChoice("--print-format", flags.print_format, PrintFormatNames(),
                 "how to print (default full)");
  line.AddText("--computation", flags.part.computation,
               "print this computation only");
  line.AddText("--around", flags.part.around,
               "print this instruction and its neighbours only");
  line.AddNumber("--depth", flags.part.depth,
                 "how many steps from --around (default 1)");
  line.AddCheck([&line, &flags] {
    return line.IsGiven("--depth") && flags.part.around.empty()
               ? absl::InvalidArgumentError(
                     "--depth counts the steps from --around, which is not "
                     "given")
               : absl::OkStatus();
  });
  line.AddText("-o", flags.output,
               "write to this file, not to stdout; packed if its name ends in "
               ".gz or .zst, else the name changes nothing: --print-format=pb "
               "makes a proto");
  line.AddFlag("--split-input-file", flags.split_input_file,
               "the input is several modules with `// -----` between them");
  line.AddFlag("--verify-each", flags.verify_each,
               "verify before and after each pass (default on; =false "
               "switches all verification off)");
  line.AddFlag("--verify-diagnostics", flags.verify_diagnostics,
               "compare findings with `// expected-error@+1 {{text}}`");
  line.AddTexts("--print-after", flags.print_after,
                "print the module to stderr after these passes, or `all`");
  line.AddFlag("--print-after-change", flags.print_after_change,
               "print the module to stderr after each pass that changed it");
  line.AddText("--dump-to", flags.dump_to,
               "write the module to this folder between passes");
  line.AddFlag("--time-passes", flags.time_passes,
               "say how long each pass took");
  line.AddFlag("--stats", flags.stats, "count instructions by opcode");
  line.AddFlag("--remarks", flags.remarks, "say why passes did what they did");
  line.AddText("--reproducer", flags.reproducer,
               "before running, write a file that does this run again");
  line.AddCommonFlags(flags.common);
}

// What the command line asks for, found out before anything is read.
struct OptPlan {
  std::vector<PassSpec> passes;
  std::string pipeline_name = "passes";
  PrintFormat print_format;
  std::vector<std::string> print_after;
};

absl::Status CheckPassName(absl::string_view name) {
  return CreatePass({.name = std::string(name), .options = {}}).status();
}

absl::StatusOr<OptPlan> MakePlan(const OptFlags& flags) {
  OptPlan plan;
  if (!flags.passes.empty() && !flags.pipeline.empty()) {
    return absl::InvalidArgumentError("--passes or --pipeline, not both");
  }
  if (!flags.passes.empty()) {
    FERRY_ASSIGN_OR_RETURN(plan.passes, ParsePassList(flags.passes));
  }
  if (!flags.pipeline.empty()) {
    FERRY_ASSIGN_OR_RETURN(plan.passes, PassesOfPipeline(flags.pipeline));
    plan.pipeline_name = flags.pipeline;
  }
  FERRY_RETURN_IF_ERROR(CreatePasses(plan.passes).status());
  plan.print_format = PrintFormatOf(flags.print_format);
  if (plan.print_format.IsProto() && flags.split_input_file) {
    return absl::InvalidArgumentError(
        "--split-input-file: one proto cannot hold several modules");
  }
  if (!flags.part.computation.empty() && !flags.part.around.empty()) {
    return absl::InvalidArgumentError("--computation or --around, not both");
  }
  if (flags.part.depth < 0) {
    return absl::InvalidArgumentError("--depth must not be negative");
  }
  for (const std::string& names : flags.print_after) {
    for (absl::string_view name : absl::StrSplit(names, ',')) {
      if (name != "all") FERRY_RETURN_IF_ERROR(CheckPassName(name));
      plan.print_after.emplace_back(name);
    }
  }
  return plan;
}

std::string ListPasses() {
  std::string text = "passes:\n";
  for (const PassInfo& pass : AllPasses()) {
    absl::StrAppendFormat(&text, "  %-20s %s\n", pass.name, pass.description);
  }
  absl::StrAppend(&text, "pipelines:\n");
  for (const Pipeline& pipeline : AllPipelines()) {
    absl::StrAppendFormat(&text, "  %-20s %s\n  %-20s = %s\n", pipeline.name,
                          pipeline.description, "", pipeline.passes);
  }
  return text;
}

std::string StatsToText(const HloModule& module) {
  std::array<int64_t, size_t{1} + static_cast<size_t>(HloOpcode::kUnknown)>
      count_of_opcode = {};
  int64_t total = 0;
  for (InstructionId id = 0; id < module.id_limit(); ++id) {
    const HloInstruction* instruction = module.instruction(id);
    if (instruction == nullptr) continue;
    ++count_of_opcode[static_cast<size_t>(instruction->opcode())];
    ++total;
  }
  std::vector<std::pair<int64_t, absl::string_view>> counts;
  for (size_t i = 0; i < count_of_opcode.size(); ++i) {
    if (count_of_opcode[i] == 0) continue;
    counts.emplace_back(count_of_opcode[i],
                        HloOpcodeName(static_cast<HloOpcode>(i)));
  }
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::string text =
      absl::StrCat("stats: ", ToPrintableLine(module.name()).text, ": ",
                   module.computations().size(), " computations, ", total,
                   " instructions\n");
  for (const auto& [count, opcode] : counts) {
    absl::StrAppendFormat(&text, "%9d %s\n", count, opcode);
  }
  return text;
}

std::string TimesToText(const PassManager& manager) {
  std::string text = "seconds   changed  pass\n";
  for (const PassTiming& timing : manager.timings()) {
    absl::StrAppendFormat(&text, "%9.6f %-8s %s\n", timing.seconds,
                          timing.changed ? "yes" : "no", timing.pass);
  }
  absl::StrAppendFormat(&text, "%9.6f %-8s (verification)\n",
                        manager.verify_seconds(), "");
  return text;
}

// As XLA makes file names of module names.
std::string FileNamePart(absl::string_view name) {
  std::string part(name);
  for (char& c : part) {
    if (!absl::ascii_isalnum(c) && !absl::StrContains("_-.", c)) c = '_';
  }
  return part;
}

std::string HowToFix(const DiagnosticFix& fix) {
  if (!RepairHostOutputsOptions::IsKindName(fix.kind)) return "";
  return absl::StrCat("--passes='repair-host-outputs{kind=", fix.kind, "}'");
}

// One run over all cases of the input.
class OptRun {
 public:
  OptRun(const OptFlags& flags, const OptPlan& plan, LogSink& log)
      : flags_(flags), plan_(plan), log_(log) {}

  ExitCode Run(const std::string& command) {
    absl::StatusOr<std::shared_ptr<const SourceText>> source =
        ReadInput(flags_.file);
    if (!source.ok()) {
      Complain(DiagnosticCode::kCannotReadFile,
               absl::StrCat(source.status().message(),
                            llvm::sys::fs::is_directory(flags_.file)
                                ? "; ferry-opt takes one file"
                                : ""));
      return ExitCode::kUnreadable;
    }
    if (!flags_.reproducer.empty()) {
      Write(flags_.reproducer, MakeReproducer(command, (*source)->text()));
      SetCrashFile(flags_.reproducer);
    }
    std::vector<std::shared_ptr<const SourceText>> cases = {*source};
    if (flags_.split_input_file &&
        HloFormOf((*source)->text()) == HloForm::kText) {
      cases = SplitInput(*source);
    }
    for (const auto& one : cases) {
      RunCase(one);
      ++case_number_;
    }
    if (has_output_) Write(flags_.output, output_);
    return exit_code_;
  }

 private:
  void RunCase(const std::shared_ptr<const SourceText>& source) {
    const CrashInput crash_input(*source);
    HloContext shapes;
    HloParserOptions options;
    options.allow_unknown = flags_.common.allow_unknown;
    HloParseResult parsed = ReadHlo(source, shapes, options);
    PassContext context;
    context.judge = flags_.common.judge;
    context.xla_flags = flags_.common.xla_flags;
    context.log = &log_;
    context.diagnostics = std::move(parsed.diagnostics);
    absl::Status status;
    if (parsed.module != nullptr) {
      status = RunPasses(*parsed.module, context);
      if (status.ok()) NoteLosses(*parsed.module, context);
    }
    if (flags_.verify_diagnostics) {
      CompareWithExpected(*source, context, status);
      return;
    }
    Report(context, status);
    if (parsed.module == nullptr) {
      exit_code_ = Worse(exit_code_, ExitCode::kUnreadable);
    } else if (status.ok()) {
      AddOutput(*parsed.module);
    }
  }

  absl::Status RunPasses(HloModule& module, PassContext& context) {
    // The names were checked when the plan was made.
    FERRY_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<HloPass>> passes,
                           CreatePasses(plan_.passes));
    PassManagerOptions options;
    options.verify_each = flags_.verify_each;
    options.observer = [this](const PassBoundary& boundary,
                              const HloModule& now) { Observe(boundary, now); };
    PassManager manager(std::move(passes), std::move(options));
    const absl::Status status = manager.Run(module, context).status();
    if (flags_.remarks) {
      for (const std::string& remark : context.remarks) {
        WriteStderr(absl::StrCat("remark: ", ToPrintableText(remark), "\n"));
      }
    }
    if (flags_.time_passes) WriteStderr(TimesToText(manager));
    if (flags_.stats) WriteStderr(StatsToText(module));
    return status;
  }

  void Observe(const PassBoundary& boundary, const HloModule& module) {
    if (!flags_.dump_to.empty()) Dump(boundary, module);
    if (boundary.step == 0) return;
    const bool is_named =
        std::any_of(plan_.print_after.begin(), plan_.print_after.end(),
                    [&](const std::string& name) {
                      return name == "all" || name == boundary.after;
                    });
    if (!is_named && !(flags_.print_after_change && boundary.changed)) return;
    WriteStderr(absl::StrCat("// *** after ", boundary.after, " ***\n",
                             HloToString(module, plan_.print_format.options)));
  }

  // module_0000.jit_step.0001.check.after_verify.before_check-host-offload.txt
  void Dump(const PassBoundary& boundary, const HloModule& module) {
    if (const std::error_code error =
            llvm::sys::fs::create_directories(flags_.dump_to)) {
      Complain(DiagnosticCode::kCannotWriteFile,
               absl::StrCat("cannot make the folder `", flags_.dump_to,
                            "`: ", error.message()));
      exit_code_ = Worse(exit_code_, ExitCode::kFindings);
      return;
    }
    const std::string name = absl::StrFormat(
        "module_%04d.%s.%04d.%s.after_%s.before_%s.txt", case_number_,
        FileNamePart(module.name()), boundary.step,
        FileNamePart(plan_.pipeline_name), boundary.after, boundary.before);
    Write(absl::StrCat(flags_.dump_to, "/", name),
          HloToString(module, HloPrintOptions::Dump()));
  }

  void Report(const PassContext& context, const absl::Status& status) {
    DiagnosticRenderOptions options;
    options.judge = context.judge;
    options.colour = flags_.common.colour;
    options.how_to_fix = HowToFix;
    WriteStderr(RenderDiagnostics(context.diagnostics, options));
    if (!status.ok() || HasError(context.diagnostics, context.judge)) {
      exit_code_ = Worse(exit_code_, ExitCode::kFindings);
    }
    // A failure that no finding stands for.
    if (!status.ok() && StatusOf(context.diagnostics, context.judge).ok()) {
      WriteStderr(
          absl::StrCat("error: ", ToPrintableText(status.message()), "\n"));
    }
  }

  void CompareWithExpected(const SourceText& source, const PassContext& context,
                           const absl::Status& status) {
    std::vector<std::string> problems;
    const absl::StatusOr<std::vector<ExpectedDiagnostic>> expected =
        ReadExpectedDiagnostics(source);
    if (expected.ok()) {
      problems =
          CompareDiagnostics(*expected, context.diagnostics, context.judge);
    } else {
      problems.emplace_back(expected.status().message());
    }
    if (!status.ok() && StatusOf(context.diagnostics, context.judge).ok()) {
      problems.emplace_back(status.message());
    }
    for (const std::string& problem : problems) {
      WriteStderr(ToPrintableText(
          absl::StrCat(source.name(), ": error: ", problem, "\n")));
      exit_code_ = Worse(exit_code_, ExitCode::kFindings);
    }
  }

  void AddOutput(const HloModule& module) {
    absl::StatusOr<std::string> printed =
        PrintModule(module, plan_.print_format, flags_.part);
    if (!printed.ok()) {
      WriteStderr(absl::StrCat(
          "error: ", absl::string_view(printed.status().message()), "\n"));
      // A part that is not there is a wrong flag; else the module is one that
      // this format cannot hold.
      const bool is_usage = absl::IsInvalidArgument(printed.status());
      exit_code_ =
          Worse(exit_code_, is_usage ? ExitCode::kUsage : ExitCode::kFindings);
      return;
    }
    if (has_output_) {
      absl::StrAppend(&output_, kSplitMarker, "\n", *printed);
    } else {
      output_ = *std::move(printed);
    }
    has_output_ = true;
  }

  // Says what the text of a module that came from a proto does not have.
  void NoteLosses(const HloModule& module, PassContext& context) {
    if (plan_.print_format.IsProto() || module.carried_proto() == nullptr ||
        module.carried_proto()->lost_in_text.empty()) {
      return;
    }
    DiagnosticPlace place;
    place.file = std::string(module.source().name());
    context.diagnostics.push_back(MakeDiagnostic(
        DiagnosticCode::kLostInText, std::move(place),
        {absl::StrJoin(module.carried_proto()->lost_in_text, ", ")}));
  }

  void Write(const std::string& path, absl::string_view bytes) {
    exit_code_ = Worse(exit_code_, WriteOrComplain(path, bytes));
  }

  const OptFlags& flags_;
  const OptPlan& plan_;
  LogSink& log_;
  int case_number_ = 0;
  std::string output_;
  bool has_output_ = false;
  ExitCode exit_code_ = ExitCode::kOk;
};

// The run again, without what it wrote.
std::string ReproducingCommand(absl::Span<const std::string> arguments,
                               absl::string_view input) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const bool has_value_behind = argument == "-o" ||
                                  argument == "--reproducer" ||
                                  argument == "--dump-to";
    if (has_value_behind) {
      ++i;
    } else if (!absl::StartsWith(argument, "--reproducer=") &&
               !absl::StartsWith(argument, "--dump-to=") &&
               !absl::StartsWith(argument, "-o")) {
      kept.push_back(argument);
    }
  }
  std::string command = ShellCommand("ferry-opt", kept, input);
  // Standard input may have been meant without being named.
  if (std::find(kept.begin(), kept.end(), input) == kept.end())
    command += " %s";
  return command;
}

ExitCode Run(absl::Span<const std::string> arguments) {
  OptFlags flags;
  CommandLine line("ferry-opt",
                   "Reads a module, verifies it, runs passes, prints it.",
                   kExample);
  Declare(line, flags);
  if (const std::optional<ExitCode> code = line.Parse(arguments)) return *code;
  if (flags.list_passes) {
    return WriteOrComplain("-", ListPasses());
  }
  const absl::StatusOr<OptPlan> plan = MakePlan(flags);
  if (!plan.ok()) return line.UsageError(plan.status().message());
  const std::string command = ReproducingCommand(arguments, flags.file);
  SetCrashCommand(command);
  LogFiles log = OpenLog("ferry-opt", flags.common.vmodule);
  return OptRun(flags, *plan, log).Run(command);
}

}  // namespace

int RunFerryOpt(int argc, char** argv) {
  InstallCrashHandlers();
  const std::vector<std::string> arguments = ArgumentsOf(argc, argv);
  return static_cast<int>(Run(arguments));
}

}  // namespace ferry
