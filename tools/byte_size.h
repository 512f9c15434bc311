// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_BYTE_SIZE_H_
#define FERRY_TOOLS_BYTE_SIZE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace ferry {

// Reads "4096", "16KiB", "15.75G": B, KiB, MiB, GiB, K, M, G count in powers of
// 1024, whatever their case. InvalidArgument for anything else, for a negative
// number and beyond 2^63. Tested by byte_size_test.cc.
absl::StatusOr<int64_t> ParseByteSize(absl::string_view text);

// For people, exact too: "4.00 MiB (4194304)", "512 B".
std::string ByteSizeToString(int64_t size_bytes);

}  // namespace ferry

#endif  // FERRY_TOOLS_BYTE_SIZE_H_
