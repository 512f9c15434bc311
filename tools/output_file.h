// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_OUTPUT_FILE_H_
#define FERRY_TOOLS_OUTPUT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/tools/exit_code.h"

namespace ferry {

// Writes all of `bytes` to the file `path`, or leaves what was there before:
// the bytes go into a new file beside it, which then takes its place. "-" and
// the empty path are standard output; devices and pipes are written as they
// are. What is named `.gz` or `.zst` is packed so. Unavailable, with a message
// for people, if that does not work: no such folder, no permission, full disk.
// A pipe whose reader has gone takes everything: `ferry-opt FILE | head` is no
// failure, and the exit code says what was found.
//
// Tested by output_file_test.cc and tests/tools/output.test.
absl::Status WriteOutput(const std::string& path, absl::string_view bytes);

// The same; a failure is said on standard error, as F9002, and is kFindings.
ExitCode WriteOrComplain(const std::string& path, absl::string_view bytes);

// To standard error, as far as it goes: there is nowhere else to complain. The
// text is ours: foreign names in it went through ToPrintableText().
void WriteStderr(absl::string_view text);

// "error: F9001: MESSAGE" to standard error: what has no place in an input.
void Complain(DiagnosticCode code, absl::string_view message);

}  // namespace ferry

#endif  // FERRY_TOOLS_OUTPUT_FILE_H_
