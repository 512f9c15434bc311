// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_BYTE_FOOTPRINT_H_
#define FERRY_MEMORY_BYTE_FOOTPRINT_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "ferry/memory/buffer_assignment.h"

namespace ferry {

// Where bytes begin: an allocation and an offset in it.
using ByteAddress = std::pair<AllocationId, int64_t>;

// Bytes of allocations, say those that a computation writes: ranges that do
// not touch. Tested by byte_footprint_test.cc.
class ByteFootprint {
 public:
  // Begin to end.
  using Ranges = std::map<ByteAddress, int64_t>;

  const Ranges& ranges() const { return ranges_; }

  void Add(ByteAddress begin, int64_t end_bytes) {
    auto it = ranges_.upper_bound(begin);
    if (it != ranges_.begin()) {
      const auto previous = std::prev(it);
      if (previous->first.first == begin.first &&
          previous->second >= begin.second) {
        if (previous->second >= end_bytes) return;
        begin = previous->first;
        it = ranges_.erase(previous);
      }
    }
    while (it != ranges_.end() && it->first.first == begin.first &&
           it->first.second <= end_bytes) {
      end_bytes = std::max(end_bytes, it->second);
      it = ranges_.erase(it);
    }
    ranges_.emplace_hint(it, begin, end_bytes);
  }

  bool Touches(ByteAddress begin, int64_t end_bytes) const {
    auto it = ranges_.lower_bound({begin.first, end_bytes});
    if (it == ranges_.begin()) return false;
    --it;
    return it->first.first == begin.first && it->second > begin.second;
  }

 private:
  Ranges ranges_;
};

}  // namespace ferry

#endif  // FERRY_MEMORY_BYTE_FOOTPRINT_H_
