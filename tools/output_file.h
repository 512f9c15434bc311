// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_OUTPUT_FILE_H_
#define FERRY_TOOLS_OUTPUT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace ferry {

// Writes all of `bytes` to the file `path`, or leaves what was there before:
// the bytes go into a new file beside it, which then takes its place. "-" and
// the empty path are standard output; devices and pipes are written as they
// are. Unavailable, with a message for people, if that does not work: no such
// folder, no permission, full disk, closed pipe.
//
// Tested by output_file_test.cc and tests/tools/output.test.
absl::Status WriteOutput(const std::string& path, absl::string_view bytes);

// To standard error, as far as it goes: there is nowhere else to complain.
void WriteStderr(absl::string_view text);

}  // namespace ferry

#endif  // FERRY_TOOLS_OUTPUT_FILE_H_
