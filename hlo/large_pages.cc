// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/large_pages.h"

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ferry {

void UseLargePages(std::string& text) {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t kPage = 4096;
  constexpr size_t kLarge = size_t{16} << 20;
  if (text.capacity() < kLarge) return;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(text.data());
  const uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  (void)madvise(reinterpret_cast<void*>(first),
                (begin + text.capacity() - first) / kPage * kPage,
                MADV_HUGEPAGE);
#else
  (void)text;
#endif
}

}  // namespace ferry
