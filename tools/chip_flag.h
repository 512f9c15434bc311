// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_CHIP_FLAG_H_
#define FERRY_TOOLS_CHIP_FLAG_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/layout.h"
#include "ferry/memory/memory_target.h"

namespace ferry {

// "v2|v3|...", the names that --chip takes.
std::string ChipNames(absl::string_view separator);

// What `--chip=` means: a chip by name, or a FILE.json that describes one
// (MemoryTargetFromJson). InvalidArgument says what is wrong with it.
// Tested by chip_flag_test.cc.
absl::StatusOr<MemoryTarget> ReadChip(const std::string& chip);

// Sets how much a program may use of `space` to "BYTES", "15.75GiB", or a share
// of the chip's own limit, "90%". An empty text sets nothing. InvalidArgument
// begins with `flag`.
absl::Status SetLimit(absl::string_view flag, absl::string_view text,
                      MemorySpace space, MemoryTarget& target);

}  // namespace ferry

#endif  // FERRY_TOOLS_CHIP_FLAG_H_
