// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_HUMAN_READABLE_BYTES_H_
#define FERRY_MEMORY_HUMAN_READABLE_BYTES_H_

#include <cstdint>
#include <string>

namespace ferry {

// Sizes as XLA's dumps print them: "800B", "1.2KiB", "3.05MiB", "-2.55GiB".
// One decimal for KiB, two above. Tested by human_readable_bytes_test.cc.
std::string HumanReadableNumBytes(int64_t bytes);

// The same as the TPU compiler's reports print them: "800B", "1.2K", "3.05M".
std::string ReportNumBytes(int64_t bytes);

}  // namespace ferry

#endif  // FERRY_MEMORY_HUMAN_READABLE_BYTES_H_
