// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/did_you_mean.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/hlo/source_text.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/version.h"
#include "ferry/tools/chip_flag.h"
#include "ferry/tools/output_file.h"
#include "ferry/tools/xla_flags.h"

namespace ferry {
namespace {

bool WantsColour(absl::string_view when) {
  if (when != "auto") return when == "always";
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') &&
         ::isatty(STDERR_FILENO) != 0;
}

// Quoted if a shell would read it as anything but one word.
std::string ShellWord(absl::string_view text) {
  constexpr absl::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "-_./=:,+@%";
  if (!text.empty() &&
      text.find_first_not_of(kPlain) == absl::string_view::npos) {
    return std::string(text);
  }
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

// `--flag=` is a slip, such as an unset variable, not a wish for the default.
std::string RefuseEmpty(const std::string& value) {
  return value.empty() ? "the value is empty" : "";
}

std::string RefuseNoNumber(const std::string& value) {
  int number = 0;
  if (value.empty()) return RefuseEmpty(value);
  return absl::SimpleAtoi(value, &number)
             ? ""
             : absl::StrCat("`", value, "` is no whole number");
}

// What a flag without value may have all the same: `--flag=false`.
bool IsTruthValue(absl::string_view value) {
  return value == "true" || value == "false" || value == "1" || value == "0" ||
         value == "on" || value == "off";
}

bool TakesValue(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

// CLI11 reads `--flag= next` as `--flag next` and `-o=file` as a file `=file`.
// Writes both in a way that it reads as meant: `--flag '' next`, `-ofile`.
absl::StatusOr<std::vector<std::string>> KeepEmptyValues(
    const CLI::App& app, absl::Span<const std::string> arguments) {
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") {
      kept.insert(kept.end(), arguments.begin() + i, arguments.end());
      break;
    }
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const CLI::Option* option = name.size() > 1 && name[0] == '-'
                                    ? app.get_option_no_throw(name)
                                    : nullptr;
    if (option == nullptr) {
      kept.push_back(argument);
      continue;
    }
    const bool takes_value = TakesValue(*option);
    if (equals == std::string::npos) {
      kept.push_back(argument);
      // Whatever stands behind is the value, even if it looks like a flag.
      if (takes_value && i + 1 < arguments.size()) {
        kept.push_back(arguments[++i]);
      }
      continue;
    }
    const std::string value = argument.substr(equals + 1);
    if (value.empty()) {
      if (!takes_value) {
        return absl::InvalidArgumentError(
            absl::StrCat(name, ": ", RefuseEmpty(value)));
      }
      kept.push_back(name);
      kept.push_back(value);
    } else if (!takes_value && !IsTruthValue(value)) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, " takes true or false, not `", value, "`"));
    } else if (takes_value && name[1] != '-') {
      kept.push_back(name + value);
    } else {
      kept.push_back(argument);
    }
  }
  return kept;
}

}  // namespace

struct CommandLine::Parser {
  CLI::App app;
};

CommandLine::CommandLine(std::string program, std::string description,
                         std::string example)
    : program_(std::move(program)), parser_(std::make_unique<Parser>()) {
  CLI::App& app = parser_->app;
  app.name(program_);
  app.description(std::move(description));
  app.footer(std::move(example));
  app.set_version_flag("--version", VersionLine(), "print the version");
  app.set_help_flag("-h,--help", "print this help");
}

CommandLine::~CommandLine() = default;

void CommandLine::AddFlag(const std::string& name, bool& target,
                          const std::string& help) {
  parser_->app.add_flag(name, target, help);
}

void CommandLine::AddNumber(const std::string& name, int& target,
                            const std::string& help) {
  parser_->app.add_option(name, target, help)
      ->type_name("N")
      ->check(RefuseNoNumber);
}

void CommandLine::AddText(const std::string& name, std::string& target,
                          const std::string& help) {
  parser_->app.add_option(name, target, help)
      ->type_name("TEXT")
      ->check(RefuseEmpty);
}

void CommandLine::AddTexts(const std::string& name,
                           std::vector<std::string>& target,
                           const std::string& help) {
  parser_->app.add_option(name, target, help)
      ->type_name("TEXT")
      ->allow_extra_args(false)
      ->take_all();
}

void CommandLine::AddChoice(const std::string& name, std::string& target,
                            const std::vector<std::string>& choices,
                            const std::string& help) {
  parser_->app.add_option(name, target, help)
      ->type_name(absl::StrJoin(choices, "|"))
      ->check(RefuseEmpty);
  AddCheck([&target, name, choices] {
    if (target.empty() ||
        std::find(choices.begin(), choices.end(), target) != choices.end()) {
      return absl::OkStatus();
    }
    const std::vector<absl::string_view> known(choices.begin(), choices.end());
    return absl::InvalidArgumentError(
        absl::StrCat(name, " must be one of ", absl::StrJoin(choices, ", "),
                     ", not `", target, "`", DidYouMean(target, known)));
  });
}

void CommandLine::AddArgument(const std::string& name, std::string& target,
                              const std::string& help) {
  parser_->app.add_option(name, target, help)->type_name("");
  usage_ = absl::StrCat(program_, " [flags] [", name, "]");
  argument_ = name;
}

void CommandLine::AddArguments(const std::string& name,
                               std::vector<std::string>& target,
                               const std::string& help) {
  parser_->app.add_option(name, target, help)->type_name("");
  usage_ = absl::StrCat(program_, " [flags] ", name, "...");
  AddCheck([&target] {
    return std::count(target.begin(), target.end(), "-") > 1
               ? absl::InvalidArgumentError(
                     "`-` is standard input, which is read only once")
               : absl::OkStatus();
  });
}

void CommandLine::AddCommonFlags(CommonFlags& flags, ChipFlags chip_flags) {
  AddText("--chip", flags.chip,
          absl::StrCat(ChipNames("|"), "|FILE.json (default v5e)"));
  AddText("--hbm-limit", raw_.hbm_limit,
          "BYTES, 15.75GiB, or 90% of the chip's own limit");
  AddText("--host-limit", raw_.host_limit, "the same for host memory");
  AddText("--vmem-limit", raw_.vmem_limit, "the same for on-chip memory");
  for (const char* name :
       {"--chip", "--hbm-limit", "--host-limit", "--vmem-limit"}) {
    if (chip_flags == ChipFlags::kMatter) break;
    parser_->app.get_option(name)->group(
        "Flags of other commands, checked but without effect on this one");
  }
  AddNumber("--threads", flags.threads, "threads to use (default: all cores)");
  AddFlag("--match-compiler", raw_.match_compiler,
          "give the shipped compiler's verdict, right or wrong");
  AddFlag("--allow-unknown", flags.allow_unknown,
          "carry unknown attributes and opcodes through (default on; =false "
          "refuses them)");
  AddTexts("--xla-flags", raw_.xla_flags,
           "flags of XLA that change the verdict: \"xla_x=true ...\"");
  AddNumber("--v", raw_.v, "how much to log, 0 to 5");
  AddTexts("--vmodule", raw_.vmodule,
           "the same for each source: host_offloader=1[,...]");
  AddText("--color", raw_.colour, "auto|always|never");
  AddCheck([this, &flags] { return ReadCommonFlags(flags); });
}

void CommandLine::AddCheck(std::function<absl::Status()> check) {
  checks_.push_back(std::move(check));
}

absl::Status CommandLine::ReadCommonFlags(CommonFlags& flags) {
  FERRY_ASSIGN_OR_RETURN(flags.memory_target, ReadChip(flags.chip));
  FERRY_RETURN_IF_ERROR(SetLimit("--hbm-limit", raw_.hbm_limit,
                                 MemorySpace::kDefault, flags.memory_target));
  FERRY_RETURN_IF_ERROR(SetLimit("--host-limit", raw_.host_limit,
                                 MemorySpace::kHost, flags.memory_target));
  FERRY_RETURN_IF_ERROR(SetLimit("--vmem-limit", raw_.vmem_limit,
                                 MemorySpace::kFast, flags.memory_target));
  if (flags.threads < 0) {
    return absl::InvalidArgumentError("--threads: not below 0");
  }
  flags.judge = raw_.match_compiler ? Judge::kCompiler : Judge::kDocumented;
  flags.vmodule.set_v(raw_.v);
  for (const std::string& text : raw_.vmodule) {
    if (text.empty()) continue;
    const absl::Status status = flags.vmodule.Add(text);
    if (!status.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--vmodule: ", status.message()));
    }
  }
  std::vector<std::string> ignored;
  for (const std::string& text : raw_.xla_flags) {
    const absl::Status status = ReadXlaFlags(text, flags.xla_flags, ignored);
    if (!status.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--xla-flags: ", status.message()));
    }
  }
  for (const std::string& name : ignored) {
    WriteStderr(absl::StrCat(program_, ": note: flag `",
                             ToPrintableLine(name).text,
                             "` changes nothing here\n"));
  }
  if (raw_.colour != "auto" && raw_.colour != "always" &&
      raw_.colour != "never") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--color must be auto, always or never, not `", raw_.colour, "`"));
  }
  flags.colour = WantsColour(raw_.colour);
  return absl::OkStatus();
}

std::vector<std::string> CommandLine::FlagNames() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(parser_->app).get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back(absl::StrCat("--", name));
    }
  }
  return names;
}

std::string CommandLine::HintFor(const std::string& flag) const {
  // The common way to switch a flag off, which is not ours.
  absl::string_view off = flag;
  if (absl::ConsumePrefix(&off, "--no-")) {
    const std::string on = absl::StrCat("--", off);
    const CLI::Option* option =
        std::as_const(parser_->app).get_option_no_throw(on);
    if (option != nullptr && !TakesValue(*option)) {
      return absl::StrCat("; write `", on, "=false`");
    }
  }
  const std::vector<std::string> names = FlagNames();
  const std::vector<absl::string_view> known(names.begin(), names.end());
  return DidYouMean(flag, known);
}

bool CommandLine::IsGiven(const std::string& flag) const {
  return parser_->app.count(flag) > 0;
}

std::optional<ExitCode> CommandLine::Parse(
    absl::Span<const std::string> arguments) {
  CLI::App& app = parser_->app;
  absl::StatusOr<std::vector<std::string>> reversed =
      KeepEmptyValues(app, arguments);
  if (!reversed.ok()) return UsageError(reversed.status().message());
  // CLI11 takes them last to first, and speaks in exceptions.
  std::reverse(reversed->begin(), reversed->end());
  try {
    app.parse(*std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return WriteOrComplain("-", app.help());
  } catch (const CLI::CallForVersion&) {
    return WriteOrComplain("-", VersionLine() + "\n");
  } catch (const CLI::ExtrasError&) {
    const std::vector<std::string> rest = app.remaining();
    const std::string name = rest.empty() ? "" : rest.front();
    if (!absl::StartsWith(name, "-") || name == "-") {
      return UsageError(absl::StrCat("takes one ", argument_, "; `", name,
                                     "` is one too many"));
    }
    const std::string flag = name.substr(0, name.find('='));
    return UsageError(
        absl::StrCat("there is no flag `", flag, "`", HintFor(flag)));
  } catch (const CLI::ParseError& error) {
    return UsageError(error.what());
  }
  for (const auto& check : checks_) {
    const absl::Status status = check();
    if (!status.ok()) return UsageError(status.message());
  }
  return std::nullopt;
}

ExitCode CommandLine::UsageError(absl::string_view message) const {
  WriteStderr(absl::StrCat(program_, ": ", ToPrintableText(message),
                           "\nusage: ", usage_, "; `", program_,
                           " --help` lists the flags\n"));
  return ExitCode::kUsage;
}

std::string VersionLine() { return absl::StrCat("ferry ", kFerryVersion); }

std::vector<std::string> ArgumentsOf(int argc, char** argv) {
  if (argc < 1) return {};
  return std::vector<std::string>(argv + 1, argv + argc);
}

std::string ShellCommand(absl::string_view program,
                         absl::Span<const std::string> arguments,
                         absl::string_view input) {
  std::string command(program);
  for (const std::string& argument : arguments) {
    absl::StrAppend(&command, " ",
                    argument == input ? "%s" : ShellWord(argument));
  }
  return command;
}

}  // namespace ferry
