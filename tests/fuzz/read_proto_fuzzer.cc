// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "ferry/tests/fuzz/hlo_properties.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ferry::ExpectHolds(ferry::CheckReadsAnyProto(
      absl::string_view(reinterpret_cast<const char*>(data), size)));
  return 0;
}
