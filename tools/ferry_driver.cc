// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/ferry_driver.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/did_you_mean.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/tools/check_command.h"
#include "ferry/tools/command_line.h"
#include "ferry/tools/crash_report.h"
#include "ferry/tools/diff_command.h"
#include "ferry/tools/exit_code.h"
#include "ferry/tools/explain_command.h"
#include "ferry/tools/memory_command.h"
#include "ferry/tools/output_file.h"
#include "ferry/tools/pack_command.h"
#include "ferry/tools/shape_command.h"

namespace ferry {
namespace {

using Arguments = absl::Span<const std::string>;

struct Command {
  absl::string_view name;
  absl::string_view summary;
  ExitCode (*run)(Arguments);  // null: not built yet
};

constexpr Command kCommands[] = {
    {"check", "is the placement legal, where does every offloaded tensor go?",
     &RunCheckCommand},
    {"explain", "what does a diagnostic mean?", &RunExplainCommand},
    {"memory", "what is every byte for, does it fit?", &RunMemoryCommand},
    {"plan", "keep, offload or recompute?", nullptr},
    {"simulate", "what does a step cost on the chip?", nullptr},
    {"run", "execute a module", nullptr},
    {"pack", "pack any buffers", &RunPackCommand},
    {"shape", "how big is a shape on a chip?", &RunShapeCommand},
    {"advise", "what could be better?", nullptr},
    {"report", "one page about a module", nullptr},
    {"diff", "what changed between two modules?", &RunDiffCommand},
    {"chips", "the chips that Ferry knows", nullptr},
};

const Command* FindCommand(absl::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::string Help() {
  std::string text =
      "Checks and repairs host offloading in XLA HLO.\n"
      "usage: ferry COMMAND [flags] FILE...\n\n";
  for (const Command& command : kCommands) {
    absl::StrAppendFormat(&text, "  %-9s %s%s\n", command.name, command.summary,
                          command.run == nullptr ? "  (not built yet)" : "");
  }
  return text +
         "\n`ferry help COMMAND` shows its flags and an example, "
         "`ferry --version` the version.\n";
}

ExitCode Print(absl::string_view text) { return WriteOrComplain("-", text); }

ExitCode UnknownCommand(absl::string_view name) {
  std::vector<absl::string_view> known;
  for (const Command& command : kCommands) known.push_back(command.name);
  WriteStderr(absl::StrCat(
      "ferry: there is no command `", ToPrintableLine(name).text, "`",
      DidYouMean(name, known), "\n`ferry --help` lists the commands\n"));
  return ExitCode::kUsage;
}

ExitCode RunCommand(absl::string_view name, Arguments arguments) {
  const Command* command = FindCommand(name);
  if (command == nullptr) return UnknownCommand(name);
  if (command->run != nullptr) return command->run(arguments);
  WriteStderr(absl::StrCat("ferry ", name, ": ", command->summary,
                           "\nThis command is not built yet; `ferry --help` "
                           "lists those that are.\n"));
  return ExitCode::kUsage;
}

ExitCode RunHelp(Arguments arguments) {
  if (arguments.empty()) return Print(Help());
  return RunCommand(arguments[0], {"--help"});
}

ExitCode Run(Arguments arguments) {
  if (arguments.empty()) {
    WriteStderr(Help());
    return ExitCode::kUsage;
  }
  const std::string& name = arguments[0];
  if (name == "--version") return Print(VersionLine() + "\n");
  if (name == "--help" || name == "-h") return Print(Help());
  if (name == "help") return RunHelp(arguments.subspan(1));
  if (absl::StartsWith(name, "-")) {
    WriteStderr(
        absl::StrCat("ferry: flags stand behind the command; which "
                     "command is `",
                     ToPrintableLine(name).text, "` for?\n"));
    return ExitCode::kUsage;
  }
  return RunCommand(name, arguments.subspan(1));
}

}  // namespace

int RunFerry(int argc, char** argv) {
  InstallCrashHandlers();
  const std::vector<std::string> arguments = ArgumentsOf(argc, argv);
  return static_cast<int>(Run(arguments));
}

}  // namespace ferry
