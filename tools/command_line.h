// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_COMMAND_LINE_H_
#define FERRY_TOOLS_COMMAND_LINE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/memory/memory_target.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/tools/exit_code.h"
#include "ferry/tools/vmodule.h"

namespace ferry {

// What every command takes.
struct CommonFlags {
  std::string chip = "v5e";
  // Of the chip, with the limits of the flags.
  MemoryTarget memory_target = *FindMemoryTarget("v5e");
  int threads = 0;  // 0: all cores
  VModule vmodule;
  PassContext::XlaFlags xla_flags;
  Judge judge = Judge::kDocumented;
  bool allow_unknown = true;
  bool colour = false;  // whether to colour what goes to stderr
};

// The flags of one command: declared, then read, then checked. The only place
// that knows CLI11, which is set up for the one command that runs.
//
//   CommandLine line("ferry check", "Is the placement legal?", "Example: ...");
//   line.AddFlag("--json", json, "print one JSON document");
//   if (auto code = line.Parse(arguments)) return *code;
//
// Tested by command_line_test.cc.
class CommandLine {
 public:
  CommandLine(std::string program, std::string description,
              std::string example);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Each target keeps its value, the default, unless the flag is given. An
  // empty value, `--flag=` or `--flag ''`, is a usage error.
  void AddFlag(const std::string& name, bool& target, const std::string& help);
  void AddNumber(const std::string& name, int& target, const std::string& help);
  void AddText(const std::string& name, std::string& target,
               const std::string& help);
  // May be given several times; the values may be empty.
  void AddTexts(const std::string& name, std::vector<std::string>& target,
                const std::string& help);
  void AddChoice(const std::string& name, std::string& target,
                 const std::vector<std::string>& choices,
                 const std::string& help);
  // What stands on the line without a flag.
  void AddArgument(const std::string& name, std::string& target,
                   const std::string& help);
  void AddArguments(const std::string& name, std::vector<std::string>& target,
                    const std::string& help);
  // Whether --chip and the limits change what the command says.
  enum class ChipFlags { kDoNotMatter, kMatter };
  void AddCommonFlags(CommonFlags& flags,
                      ChipFlags chip_flags = ChipFlags::kDoNotMatter);

  // `check` runs after all flags are read; its message is a usage error.
  void AddCheck(std::function<absl::Status()> check);

  // Whether the flag stands on the line that was parsed.
  bool IsGiven(const std::string& flag) const;

  // Nullopt: go on. Else the code to end with: help or version went to stdout,
  // or a message and the usage to stderr.
  std::optional<ExitCode> Parse(absl::Span<const std::string> arguments);

  // Says `message` and the usage on stderr.
  ExitCode UsageError(absl::string_view message) const;

 private:
  struct Parser;
  absl::Status ReadCommonFlags(CommonFlags& flags);
  std::vector<std::string> FlagNames() const;
  // What was meant by a flag that there is not; may be empty.
  std::string HintFor(const std::string& flag) const;

  std::string program_;
  std::string usage_;
  std::string argument_;  // the name of what stands there once
  std::unique_ptr<Parser> parser_;
  std::vector<std::function<absl::Status()>> checks_;
  // Common flags as they stand in the text.
  struct RawCommonFlags {
    std::string hbm_limit;
    std::string host_limit;
    std::string vmem_limit;
    int v = 0;
    std::vector<std::string> vmodule;
    std::vector<std::string> xla_flags;
    std::string colour = "auto";
    bool match_compiler = false;
  } raw_;
};

// "ferry 0.1.0".
std::string VersionLine();

// The arguments behind the program's name.
std::vector<std::string> ArgumentsOf(int argc, char** argv);

// As a shell reads it back; `input` becomes `%s`.
std::string ShellCommand(absl::string_view program,
                         absl::Span<const std::string> arguments,
                         absl::string_view input);

}  // namespace ferry

#endif  // FERRY_TOOLS_COMMAND_LINE_H_
