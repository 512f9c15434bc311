// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_BYTE_CLASS_H_
#define FERRY_HLO_BYTE_CLASS_H_

#include <array>
#include <cstdint>

namespace ferry {

// What a byte of HLO text may be part of: one look-up in a table instead of
// comparisons, inline because the lexer does little else.
// Tested by hlo_lexer_test.cc.
enum class ByteClass : uint8_t {
  kWordStart = 1,      // [A-Za-z_]
  kWordByte = 2,       // [A-Za-z0-9_.-]
  kBareValueByte = 4,  // those, `?` and `>`
};

constexpr std::array<uint8_t, 256> MakeByteClasses() {
  std::array<uint8_t, 256> classes{};
  const auto add = [&](int c, ByteClass byte_class) {
    classes[c] |= static_cast<uint8_t>(byte_class);
  };
  for (int c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    if (letter || c == '_') add(c, ByteClass::kWordStart);
    if (letter || digit || c == '_' || c == '.' || c == '-') {
      add(c, ByteClass::kWordByte);
      add(c, ByteClass::kBareValueByte);
    }
    if (c == '?' || c == '>') add(c, ByteClass::kBareValueByte);
  }
  return classes;
}
inline constexpr std::array<uint8_t, 256> kByteClasses = MakeByteClasses();

inline bool IsOf(char c, ByteClass byte_class) {
  return (kByteClasses[static_cast<uint8_t>(c)] &
          static_cast<uint8_t>(byte_class)) != 0;
}

}  // namespace ferry

#endif  // FERRY_HLO_BYTE_CLASS_H_
