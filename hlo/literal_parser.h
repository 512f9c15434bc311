// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LITERAL_PARSER_H_
#define FERRY_HLO_LITERAL_PARSER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/literal.h"
#include "ferry/hlo/literal_number.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// The literal of a canonical text, as a constant's attribute holds it: written
// the way Literal::ToString does. `{...}` is elided, also for a tuple. Static
// arrays and tuples of such only. ResourceExhausted if a few values claim to
// fill more than a gigabyte. `shape` must outlive the result.
absl::StatusOr<Literal> ParseLiteral(const Shape& shape,
                                     absl::string_view text);
// The same for a custom-call's literal, which has its shapes in the text.
absl::StatusOr<Literal> ParseLiteralWithShapes(absl::string_view text,
                                               HloContext& context);

// Reads literals: the values of constants and of custom-calls' `literal`.
//
// What is kept is the text that XLA prints for the values: a view into the
// source if it is that text already, which costs one scan; else the values are
// read and printed. An elided array (`{...}`) stays elided at any size.
//
// Oddities of XLA's reader that are kept: commas are skipped wherever they
// stand in an array; one value without braces fills the first element, of any
// array that is not complex, and leaves the rest zero; nothing but a comma is
// zero; values in the wrong place are passed over if `...` follows. A single
// value for more elements than the text has bytes stays a single value.
// Tested by literal_parser_test.cc.
class LiteralParser {
 public:
  using SaveText = std::function<absl::string_view(absl::string_view)>;

  // `save_text` copies a text to where it lives as long as the module.
  // References must outlive this.
  LiteralParser(TextReader reader, ShapeParser& shapes, SaveText save_text,
                LiteralDialect dialect = LiteralDialect::kText)
      : reader_(reader),
        lexer_(reader.lexer),
        shapes_(shapes),
        save_text_(std::move(save_text)),
        dialect_(dialect),
        fill_budget_(kFreeFill + lexer_.text().size()) {}

  // The argument of `constant(...)`, `{ { 1, 2 }, { 3, 4 } }` for s32[2,2].
  // `shape` is what stands in front of the opcode and becomes the shape of the
  // values: without dynamic sizes, buffers and element sizes.
  bool Parse(const Shape*& shape, absl::string_view& text);
  // `s32[2]{0} {1, 2}`, `( f32[] 1, pred[] true )`: each array has its shape.
  bool ParseWithShapes(absl::string_view& text);

  // The values themselves, of a shape as Parse() leaves it.
  std::optional<Literal> ReadLiteral(const Shape& shape);
  std::optional<Literal> ReadLiteralWithShapes();

 private:
  // Zeros that may be filled in whatever the size of the text.
  static constexpr int64_t kFreeFill = 1 << 16;
  // And those of a canonical text, which someone wants to have.
  static constexpr int64_t kMostFilledBytes = int64_t{1} << 30;

  // An array that is being read.
  struct OpenArray;

  const Shape* LiteralShape(const Shape& shape, uint64_t offset);
  bool CheckLayout(const Shape& shape, uint64_t offset);
  bool ReadTuple(const Shape& shape, std::vector<LiteralArray>& arrays);
  bool ReadArray(const Shape& shape, std::vector<LiteralArray>& arrays);
  bool ReadToken(OpenArray& array);
  bool OpenBrace(OpenArray& array);
  bool CloseBrace(OpenArray& array);
  bool ReadDots(OpenArray& array);
  bool CountValue(OpenArray& array, bool is_complex);
  bool ReadValue(OpenArray& array);
  bool ReadComplex(OpenArray& array);
  bool AddValue(OpenArray& array, absl::string_view number, uint64_t offset);
  bool Fill(OpenArray& array, uint64_t offset);
  bool Misplaced(const OpenArray& array, uint64_t offset, std::string message);

  TextReader reader_;
  HloLexer& lexer_;
  ShapeParser& shapes_;
  SaveText save_text_;
  const LiteralDialect dialect_;
  // Elements that may still be filled in by single values.
  int64_t fill_budget_;
};

}  // namespace ferry

#endif  // FERRY_HLO_LITERAL_PARSER_H_
