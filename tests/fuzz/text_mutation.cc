// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// How libFuzzer changes HLO text: half the time its own way, which knows what
// the program compared bytes with, else by tokens.

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "ferry/tests/fuzz/hlo_mutator.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t limit);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t limit, unsigned int seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, limit);
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string changed = ferry::MutateHlo(text, seed);
  if (changed.size() > limit) return LLVMFuzzerMutate(data, size, limit);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
