// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The usual literal is canonical and never gets here token by token. What does
// is read as XLA reads it: a loop over tokens that counts, for each level of
// braces, the elements seen in the innermost open ones.

#include "ferry/hlo/literal_parser.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/canonical_literal.h"
#include "ferry/hlo/float_format.h"
#include "ferry/hlo/layout_problem.h"
#include "ferry/hlo/source_text.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

// XLA's scalar literals of a type share one shape unless their layout has tiles
// or names a memory, so all else in it is lost.
bool HasSharedShape(const Shape& array) {
  const LayoutFields& fields = array.layout()->fields();
  return array.dimensions().empty() && fields.tiles.empty() &&
         fields.memory_space == MemorySpace::kDefault;
}

// Static, with a plain layout: the shape of nearly all constants.
bool IsPlainArray(const Shape& shape) {
  if (!shape.IsArray() || shape.is_dynamic() || shape.layout() == nullptr) {
    return false;
  }
  const LayoutFields& fields = shape.layout()->fields();
  if (fields.element_size_in_bits != 0) return false;
  return !HasSharedShape(shape) ||
         (fields.tail_padding_alignment_in_elements == 1 &&
          fields.dynamic_shape_metadata_prefix_bytes == 0);
}

absl::StatusOr<Literal> ParseAll(
    absl::string_view text, HloContext& context,
    absl::FunctionRef<std::optional<Literal>(LiteralParser&)> read) {
  const auto source = SourceText::FromString(std::string(text), "<literal>");
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*source, /*max_errors=*/1, diagnostics);
  HloLexer lexer(source->text());
  ShapeParser shapes(context, lexer, errors);
  LiteralParser parser({lexer, errors}, shapes, /*save_text=*/nullptr,
                       LiteralDialect::kCanonical);
  std::optional<Literal> literal = read(parser);
  if (literal.has_value() && !lexer.AtEnd()) {
    errors.Expected(lexer, "the end of the literal");
  }
  if (errors.count() > 0) return StatusOf(diagnostics, Judge::kDocumented);
  return *std::move(literal);
}

}  // namespace

struct LiteralParser::OpenArray {
  const Shape* shape;
  const FloatFormat* format;
  int64_t count;  // of all elements
  int64_t width;  // bytes of one
  int64_t level = 0;
  int64_t next = 0;  // row-major number of the next value
  bool is_elided = false;
  // A value where none may be: an error unless XLA's reader passes over it.
  std::optional<uint64_t> misplaced;
  absl::InlinedVector<int64_t, 6> seen;
  std::vector<uint8_t> bytes;

  int64_t rank() const { return seen.size(); }
};

absl::StatusOr<Literal> ParseLiteral(const Shape& shape,
                                     absl::string_view text) {
  HloContext context;
  return ParseAll(text, context, [&](LiteralParser& parser) {
    return parser.ReadLiteral(shape);
  });
}

absl::StatusOr<Literal> ParseLiteralWithShapes(absl::string_view text,
                                               HloContext& context) {
  return ParseAll(text, context, [](LiteralParser& parser) {
    return parser.ReadLiteralWithShapes();
  });
}

bool LiteralParser::Parse(const Shape*& shape, absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  const Shape& given = *shape;
  shape = LiteralShape(given, start);
  if (shape == nullptr) return false;
  const size_t canonical =
      CanonicalLiteralLength(*shape, lexer_.text().substr(start));
  if (canonical > 0) {
    lexer_.set_offset(start + canonical);
    text = lexer_.TextSince(start);
    if (text == "{...}") shape = &given;
    return true;
  }
  const std::optional<Literal> literal = ReadLiteral(*shape);
  if (!literal.has_value()) return false;
  // What is not there needs no shape of its own.
  if (given.IsArray() && literal->arrays()[0].is_elided()) shape = &given;
  const std::string printed = literal->ToString();
  text = lexer_.TextSince(start);
  if (printed != text) text = save_text_(printed);
  return true;
}

bool LiteralParser::ParseWithShapes(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  const std::optional<Literal> literal = ReadLiteralWithShapes();
  if (!literal.has_value()) return false;
  const std::string printed = literal->ToStringWithShapes();
  text = lexer_.TextSince(start);
  if (printed != text) text = save_text_(printed);
  return true;
}

// Null after an error.
const Shape* LiteralParser::LiteralShape(const Shape& shape, uint64_t offset) {
  HloContext& context = shapes_.context();
  if (IsPlainArray(shape)) return CheckLayout(shape, offset) ? &shape : nullptr;
  bool is_valid = true;
  const Shape& made =
      context.MapLeaves(shape, [&](int32_t, const Shape& leaf) -> const Shape& {
        const Shape& array = leaf.element_type() == PrimitiveType::kBuffer
                                 ? *leaf.tuple_shapes()[0]
                                 : leaf;
        if (!array.IsArray()) {
          is_valid = is_valid &&
                     reader_.BadValue(
                         offset, absl::StrCat("there are no literals of shape ",
                                              array.ToString()));
          return array;
        }
        is_valid = is_valid && CheckLayout(array, offset);
        if (!is_valid) return array;
        if (HasSharedShape(array)) {
          return context.GetArrayShape(array.element_type(), {},
                                       &context.GetDefaultLayout(0));
        }
        LayoutFields fields = array.layout()->fields();
        fields.element_size_in_bits = 0;
        return context.GetArrayShape(array.element_type(), array.dimensions(),
                                     &context.GetLayout(fields));
      });
  return is_valid ? &made : nullptr;
}

// A literal is stored by its layout, so that must be a true one.
bool LiteralParser::CheckLayout(const Shape& shape, uint64_t offset) {
  const std::string problem = LayoutProblem(shape);
  return problem.empty() ||
         reader_.BadValue(offset,
                          absl::StrCat("the layout of the literal's shape ",
                                       shape.ToString(), " ", problem));
}

std::optional<Literal> LiteralParser::ReadLiteral(const Shape& shape) {
  std::vector<LiteralArray> arrays;
  if (!(shape.IsTuple() ? ReadTuple(shape, arrays)
                        : ReadArray(shape, arrays))) {
    return std::nullopt;
  }
  return Literal(shape, std::move(arrays));
}

// Descends with a stack of (tuple, next element): depth is input. Commas may be
// left out.
bool LiteralParser::ReadTuple(const Shape& shape,
                              std::vector<LiteralArray>& arrays) {
  if (dialect_ == LiteralDialect::kCanonical && lexer_.Consume("{...}")) {
    llvm::SmallVector<const Shape*, 8> nodes = {&shape};
    while (!nodes.empty()) {
      const Shape& node = *nodes.pop_back_val();
      if (node.IsArray()) arrays.push_back(LiteralArray::Elided(node));
      nodes.append(node.tuple_shapes().rbegin(), node.tuple_shapes().rend());
    }
    return true;
  }
  llvm::SmallVector<std::pair<const Shape*, size_t>, 4> open;
  const Shape* next = &shape;
  while (true) {
    if (next->IsTuple()) {
      if (!reader_.Expect('(', "in front of tuple elements")) return false;
      open.push_back({next, 0});
    } else if (!ReadArray(*next, arrays)) {
      return false;
    }
    while (open.back().second == open.back().first->tuple_shapes().size()) {
      if (!reader_.Expect(')', "at the end of the tuple")) return false;
      open.pop_back();
      if (open.empty()) return true;
    }
    auto& [tuple, element] = open.back();
    if (element > 0) lexer_.Consume(',');
    next = tuple->tuple_shapes()[element++];
  }
}

std::optional<Literal> LiteralParser::ReadLiteralWithShapes() {
  std::vector<LiteralArray> arrays;
  std::vector<const Shape*> elements;
  llvm::SmallVector<size_t, 4> open;  // the first element of each open tuple
  // A parenthesis opens a tuple literal, never a tuple shape: each array has a
  // shape of its own.
  while (true) {
    if (!open.empty() && lexer_.Consume(')')) {
      const Shape& tuple = shapes_.context().GetTupleShape(
          absl::MakeConstSpan(elements).subspan(open.back()));
      elements.resize(open.back());
      elements.push_back(&tuple);
      open.pop_back();
    } else if (lexer_.Consume('(')) {
      open.push_back(elements.size());
      continue;
    } else {
      const uint64_t offset = lexer_.TokenOffset();
      const Shape* shape = shapes_.Parse();
      if (shape == nullptr) return std::nullopt;
      shape = LiteralShape(*shape, offset);
      if (shape == nullptr || !ReadArray(*shape, arrays)) return std::nullopt;
      elements.push_back(shape);
    }
    if (open.empty()) break;
    lexer_.Consume(',');
  }
  return Literal(*elements.front(), std::move(arrays));
}

bool LiteralParser::ReadArray(const Shape& shape,
                              std::vector<LiteralArray>& arrays) {
  const uint64_t offset = lexer_.TokenOffset();
  if (!shape.ElementCount().has_value()) {
    return reader_.BadValue(
        offset, absl::StrCat("a literal of shape ", shape.ToString(),
                             " has no size of its own"));
  }
  OpenArray array{.shape = &shape,
                  .format = FloatFormat::Find(PartType(shape.element_type())),
                  .count = *shape.ElementCount(),
                  .width = LiteralArray::ByteWidth(shape.element_type())};
  array.seen.resize(shape.dimensions().size(), 0);
  do {
    if (!ReadToken(array)) return false;
  } while (array.level > 0);
  if (array.is_elided) {
    arrays.push_back(LiteralArray::Elided(shape));
    return true;
  }
  if (!Fill(array, offset)) return false;
  arrays.push_back(LiteralArray(*array.shape, std::move(array.bytes)));
  return true;
}

// What is missing is zero: behind a single value without braces.
bool LiteralParser::Fill(OpenArray& array, uint64_t offset) {
  const int64_t missing =
      array.count - static_cast<int64_t>(array.bytes.size()) / array.width;
  if (dialect_ == LiteralDialect::kCanonical) {
    if (missing > kMostFilledBytes / array.width) {
      return reader_.Fail(
          DiagnosticCode::kTooLarge, offset,
          absl::StrCat("a single value for ", array.count, " elements"));
    }
  } else if (missing > fill_budget_) {
    // Stays a single value.
    array.shape = &shapes_.context().GetArrayShape(
        array.shape->element_type(), {},
        &shapes_.context().GetDefaultLayout(0));
    array.bytes.resize(array.width);
    return true;
  } else if (missing > 0) {
    fill_budget_ -= missing;
  }
  array.bytes.resize(array.count * array.width);
  return true;
}

bool LiteralParser::ReadToken(OpenArray& array) {
  switch (lexer_.Peek()) {
    case '{':
      return OpenBrace(array);
    case '}':
      return CloseBrace(array);
    case ',':
      return lexer_.Consume(',');
    case '.':
      return ReadDots(array);
    case '(':
      return ReadComplex(array);
    default:
      return ReadValue(array);
  }
}

bool LiteralParser::OpenBrace(OpenArray& array) {
  const uint64_t offset = lexer_.TokenOffset();
  if (array.level == array.rank()) {
    return reader_.BadValue(
        offset, absl::StrCat("expects nested array in rank ", array.rank(),
                             ", but sees larger"));
  }
  if (array.level > 0) {
    const int64_t size = array.shape->dimensions()[array.level - 1];
    if (++array.seen[array.level - 1] > size) {
      return Misplaced(array, offset,
                       absl::StrCat("expects ", size, " elements in dimension ",
                                    array.level - 1, ", but sees more"));
    }
  }
  ++array.level;
  return lexer_.Consume('{');
}

bool LiteralParser::CloseBrace(OpenArray& array) {
  const uint64_t offset = lexer_.TokenOffset();
  if (array.level == 0) {
    return reader_.errors.Expected(lexer_, "a value");
  }
  --array.level;
  const int64_t size = array.shape->dimensions()[array.level];
  const int64_t seen = std::exchange(array.seen[array.level], 0);
  if (seen != size) {
    return Misplaced(array, offset,
                     absl::StrCat("expects ", size, " elements in dimension ",
                                  array.level, ", but sees ", seen));
  }
  return lexer_.Consume('}');
}

// The values are not known: those that stand in front are none.
bool LiteralParser::ReadDots(OpenArray& array) {
  const uint64_t offset = lexer_.TokenOffset();
  if (!lexer_.Consume("...")) {
    return reader_.errors.Expected(lexer_, "a value");
  }
  const bool is_scalar =
      dialect_ == LiteralDialect::kCanonical && array.rank() == 0;
  if (array.level != 1 && !is_scalar) {
    return reader_.BadValue(
        offset, absl::StrCat("expects `...` at nest level 1, but sees it at "
                             "nest level ",
                             array.level));
  }
  if (!is_scalar) array.seen[0] = array.shape->dimensions()[0];
  array.is_elided = array.count > 0;
  array.bytes.clear();
  return true;
}

bool LiteralParser::CountValue(OpenArray& array, bool is_complex) {
  const uint64_t offset = lexer_.TokenOffset();
  if (array.rank() > 0 && array.level != array.rank()) {
    if (is_complex) {
      return reader_.BadValue(
          offset, absl::StrCat("expects nested array in rank ", array.rank(),
                               ", but sees ", array.level));
    }
    if (!array.misplaced.has_value()) array.misplaced = offset;
  } else if (array.rank() > 0) {
    const int64_t size = array.shape->dimensions().back();
    if (++array.seen.back() > size) {
      return Misplaced(
          array, offset,
          absl::StrCat("expects ", size,
                       " elements on the minor-most dimension, but sees more"));
    }
  }
  if (array.next < array.count) return true;
  return Misplaced(
      array, offset,
      absl::StrCat("expects ", array.count, " elements in all, but sees more"));
}

bool LiteralParser::ReadValue(OpenArray& array) {
  const uint64_t offset = lexer_.TokenOffset();
  const PrimitiveType type = array.shape->element_type();
  if (type == PrimitiveType::kPred) {
    for (absl::string_view word : {"true", "false"}) {
      if (!lexer_.ConsumeWord(word)) continue;
      lexer_.set_offset(offset);
      const bool counted = CountValue(array, /*is_complex=*/false);
      lexer_.ConsumeWord(word);
      return counted && AddValue(array, word == "true" ? "1" : "0", offset);
    }
  }
  const absl::string_view number = lexer_.ScanNumber();
  if (number.empty()) return reader_.errors.Expected(lexer_, "a value");
  if (PartType(type) != type) {
    return reader_.BadValue(offset, "expects a complex number, `(re, im)`");
  }
  lexer_.set_offset(offset);
  if (!CountValue(array, /*is_complex=*/false)) return false;
  lexer_.set_offset(offset + number.size());
  return AddValue(array, number, offset);
}

bool LiteralParser::AddValue(OpenArray& array, absl::string_view number,
                             uint64_t offset) {
  const absl::StatusOr<uint64_t> bits =
      BitsOfNumber(array.shape->element_type(), number, dialect_);
  if (!bits.ok()) {
    return reader_.BadValue(offset, std::string(bits.status().message()));
  }
  ++array.next;
  if (array.is_elided) return true;
  const auto* bytes = reinterpret_cast<const uint8_t*>(&*bits);
  array.bytes.insert(array.bytes.end(), bytes, bytes + array.width);
  return true;
}

bool LiteralParser::ReadComplex(OpenArray& array) {
  const uint64_t offset = lexer_.TokenOffset();
  const PrimitiveType type = array.shape->element_type();
  const PrimitiveType part = PartType(type);
  if (part == type) {
    return reader_.BadValue(offset,
                            "unexpected `(` in a literal: parentheses are only "
                            "for complex numbers and tuples");
  }
  if (!CountValue(array, /*is_complex=*/true)) return false;
  lexer_.Consume('(');
  absl::string_view parts[2];
  for (absl::string_view& number : parts) {
    if (&number != parts && !reader_.Expect(',', "in a complex number")) {
      return false;
    }
    number = lexer_.ScanNumber();
    if (number.empty()) return reader_.errors.Expected(lexer_, "a number");
  }
  if (!reader_.Expect(')', "at the end of a complex number")) return false;
  const absl::StatusOr<std::array<uint64_t, 2>> bits =
      BitsOfComplex(part, parts[0], parts[1], dialect_);
  if (!bits.ok()) {
    return reader_.BadValue(offset, std::string(bits.status().message()));
  }
  ++array.next;
  if (array.is_elided) return true;
  for (const uint64_t& half : *bits) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&half);
    array.bytes.insert(array.bytes.end(), bytes, bytes + array.width / 2);
  }
  return true;
}

// An error about counts; the first misplaced value is what it comes from.
bool LiteralParser::Misplaced(const OpenArray& array, uint64_t offset,
                              std::string message) {
  if (!array.misplaced.has_value()) {
    return reader_.BadValue(offset, std::move(message));
  }
  return reader_.BadValue(
      *array.misplaced,
      absl::StrCat("expects nested array in rank ", array.rank(),
                   ", but sees a value outside"));
}

}  // namespace ferry
