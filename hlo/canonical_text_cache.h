// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_CANONICAL_TEXT_CACHE_H_
#define FERRY_HLO_CANONICAL_TEXT_CACHE_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "ferry/hlo/string_ref.h"
#include "llvm/Support/xxhash.h"

namespace ferry {

// The canonical forms of texts that were read lately.
//
// Real dumps repeat the same few shardings on nearly every instruction: one look
// here replaces reading the text and printing it again. A text that ends in the
// bracket that closes its first one is read in one way only, wherever it stands,
// so equal bytes mean an equal value. Small, and a later text takes the place of
// an earlier one. Tested by canonical_text_cache_test.cc.
class CanonicalTextCache {
 public:
  // Whether `text` was added; `canonical` is what it was added with.
  bool Find(absl::string_view text, absl::string_view& canonical) const {
    const Slot& slot = slots_[SlotOf(text)];
    if (text.empty() || slot.text != text) return false;
    canonical = slot.canonical;
    return true;
  }
  // Both must outlive this.
  void Add(absl::string_view text, absl::string_view canonical) {
    slots_[SlotOf(text)] = {text, canonical};
  }

 private:
  struct Slot {
    absl::string_view text;
    absl::string_view canonical;
  };
  static size_t SlotOf(absl::string_view text) {
    return llvm::xxh3_64bits(ToStringRef(text)) % kSlotCount;
  }

  static constexpr size_t kSlotCount = 256;
  std::array<Slot, kSlotCount> slots_;
};

}  // namespace ferry

#endif  // FERRY_HLO_CANONICAL_TEXT_CACHE_H_
