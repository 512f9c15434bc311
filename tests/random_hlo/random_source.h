// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_RANDOM_HLO_RANDOM_SOURCE_H_
#define FERRY_TESTS_RANDOM_HLO_RANDOM_SOURCE_H_

#include <cstdint>
#include <iterator>
#include <random>

namespace ferry {

// Choices that are the same on every machine: std::mt19937_64 is, the
// distributions of <random> are not.
class RandomSource {
 public:
  explicit RandomSource(uint64_t seed) : engine_(seed) {}

  // In [0, limit).
  int64_t Below(int64_t limit) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(limit));
  }
  // In [low, high].
  int64_t Between(int64_t low, int64_t high) {
    return low + Below(high - low + 1);
  }
  bool Chance(int percent) { return Below(100) < percent; }
  template <typename List>
  const auto& Pick(const List& list) {
    return *(std::begin(list) + Below(std::size(list)));
  }
  template <typename List>
  void Shuffle(List& list) {
    for (int64_t i = std::size(list) - 1; i > 0; --i) {
      std::swap(list[i], list[Below(i + 1)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace ferry

#endif  // FERRY_TESTS_RANDOM_HLO_RANDOM_SOURCE_H_
