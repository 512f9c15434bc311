// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LITERAL_PARSER_H_
#define FERRY_HLO_LITERAL_PARSER_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Checks literals: the values of constants and of custom-calls' `literal`.
//
// Values are not kept: a literal is its text until an interpreter wants it, and
// an elided one (`{...}`) stays elided at any size. What is checked is what
// XLA's reader checks: nesting against the rank, counts against the dimensions,
// kinds and ranges of numbers against the element type.
// Tested by hlo_parser_test.cc.
class LiteralParser {
 public:
  // References must outlive this.
  LiteralParser(TextReader reader, ShapeParser& shapes)
      : reader_(reader), lexer_(reader.lexer), shapes_(shapes) {}

  // `{ { 1, 2 }, { 3, 4 } }` for s32[2,2]; the shape stands elsewhere.
  bool Parse(const Shape& shape);
  // `s32[2]{0} {1, 2}`, `( f32[] 1, pred[] true )`: each leaf has its shape.
  bool ParseWithShapes();

 private:
  bool ParseTuple(const Shape& shape);
  bool ParseArray(const Shape& shape);
  bool ParseScalar(PrimitiveType type);
  bool ParseComplex(PrimitiveType part);
  bool CheckInteger(PrimitiveType type, absl::string_view digits,
                    uint64_t offset);
  bool CheckFloat(PrimitiveType type, absl::string_view number,
                  uint64_t offset);
  bool OutOfRange(PrimitiveType type, absl::string_view value, uint64_t offset);

  TextReader reader_;
  HloLexer& lexer_;
  ShapeParser& shapes_;
};

}  // namespace ferry

#endif  // FERRY_HLO_LITERAL_PARSER_H_
