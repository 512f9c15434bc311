// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_CRASH_REPORT_H_
#define FERRY_TOOLS_CRASH_REPORT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/source_text.h"

namespace ferry {

// What happens when Ferry has a bug: a failed FERRY_CHECK, a signal such as
// SIGSEGV, an exception that nobody catches. Instead of a bare abort the user
// gets a message with a summary of the input, and a file that shows the bug to
// whoever has to fix it; the exit code is 70.
//
//   hlo/shape.cc:88: bug in ferry: index < size
//   while working on step.hlo (165203 bytes, 1404 lines)
//   to reproduce: /tmp/ferry-crash-4903.hlo
//   please send this file to the developers of ferry
//
// Ctrl-C ends with a message, too, and with the signal itself.
//
// Tested by crash_report_test.cc.
void InstallCrashHandlers();

// The command line, with `%s` for the input: the file's RUN line. Set it before
// threads start.
void SetCrashCommand(absl::string_view command);
// Where to write instead of a file in the temporary folder (--reproducer).
void SetCrashFile(absl::string_view path);

// While it lives, the calling thread works on this input.
class CrashInput {
 public:
  explicit CrashInput(const SourceText& source);
  ~CrashInput();
  CrashInput(const CrashInput&) = delete;
  CrashInput& operator=(const CrashInput&) = delete;
};

// A golden file that runs `command` on `text`: what goes into such files.
std::string MakeReproducer(absl::string_view command, absl::string_view text);

}  // namespace ferry

#endif  // FERRY_TOOLS_CRASH_REPORT_H_
