// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_FLOAT_FORMAT_H_
#define FERRY_HLO_FLOAT_FORMAT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "ferry/hlo/primitive_type.h"

namespace ferry {

// How one floating-point type spends its bits, and what follows from it: the
// conversions from and to double, and the text that XLA prints.
//
//   sign | exponent, biased | mantissa        f8e5m2:  s eeeee mm
//
// Types differ in what their topmost values mean:
//
//   kIeee      exponent of all ones: infinity, or NaN with a payload
//   kFinite    no infinity; NaN is all ones below the sign     f8e4m3fn
//   kUnsigned  no infinity; NaN is the bits of negative zero   ...fnuz
//   kNumbers   numbers alone: what is too large saturates      f4e2m1fn, f6...
//   kScale     a power of two: exponent only, no sign, no zero, NaN is all ones
//
// Tested by float_format_test.cc.
struct FloatFormat {
  enum class Kind { kIeee, kFinite, kUnsigned, kNumbers, kScale };

  PrimitiveType type;
  Kind kind;
  int exponent_bits;
  int mantissa_bits;  // without the hidden one
  int bias;
  // Decimal digits after which text reads back as the same value, as
  // std::numeric_limits has it.
  int max_digits10;

  // Null for types that are no floating-point types. The parts of c64 and c128
  // are kF32 and kF64.
  static const FloatFormat* Find(PrimitiveType type);

  // Bits of the value nearest to `value`, ties to even. What is too large is
  // infinite, NaN or the largest number, as the type has it. f16 and bf16 round
  // to f32 first, as XLA's do.
  uint64_t FromDouble(double value) const;
  // Exact; a NaN keeps its sign and its payload, moved to the top.
  double ToDouble(uint64_t bits) const;

  // Whether `value` is finite and becomes what a literal may not be: infinity,
  // or the NaN of a type without infinity.
  bool Overflows(double value) const;
  // The largest payload that `nan(0x..)` may have; 0 if the NaN has none.
  uint64_t MaxNanPayload() const;
  // A NaN with this payload; payload 0 is the default NaN.
  uint64_t MakeNan(bool negative, uint64_t payload) const;

  // f32 and f64: the shorter of digits10 and max_digits10 digits that reads
  // back; others: max_digits10 digits, all as %g has it. "-nan(0x7f)", "inf".
  void AppendTo(uint64_t bits, std::string& out) const;

 private:
  // The code of the finite number nearest to |value|, of a type narrower than
  // f64 with a mantissa; beyond the last code if it is too large.
  uint64_t RoundedCode(double value) const;
};

}  // namespace ferry

#endif  // FERRY_HLO_FLOAT_FORMAT_H_
