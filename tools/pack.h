// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_PACK_H_
#define FERRY_TOOLS_PACK_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace ferry {

// How the bytes of a file are packed. Files are read by what they hold
// (unpack.h); one that is written has only its name to say it.
enum class Packing { kNone, kGzip, kZstd };

// kGzip for "x.gz", kZstd for "x.zst".
Packing PackingOf(absl::string_view path);

// The bytes as they stand in such a file; the same bytes each time.
// ResourceExhausted if there is no memory for it. Tested by pack_test.cc.
absl::StatusOr<std::string> Pack(absl::string_view bytes, Packing packing);

}  // namespace ferry

#endif  // FERRY_TOOLS_PACK_H_
