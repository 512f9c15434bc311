// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_UNPACK_H_
#define FERRY_TOOLS_UNPACK_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace ferry {

// The content of packed bytes. DataLoss if they are damaged or cut off,
// ResourceExhausted if there is more than `max_bytes` of it: a few packed
// kilobytes can stand for terabytes. Tested by unpack_test.cc.
absl::StatusOr<std::string> UnpackGzip(absl::string_view packed,
                                       size_t max_bytes);
absl::StatusOr<std::string> UnpackZstd(absl::string_view packed,
                                       size_t max_bytes);

}  // namespace ferry

#endif  // FERRY_TOOLS_UNPACK_H_
