// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Two ways through: a fast scan for the end of a shape that is written the way
// printers write it, whose text is then looked up; and, the first time or for
// any other spelling, a token-by-token reader with an explicit stack.

#include "ferry/hlo/shape_parser.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

// Bytes of shapes as printed; anything else (comments, line ends) is left to
// the slow reader.
bool IsPlainShapeByte(char c) {
  return HloLexer::IsWordByte(c) || c == ',' || c == '[' || c == ']' ||
         c == '{' || c == '}' || c == ':' || c == '*' || c == ' ' || c == '<' ||
         c == '=' || c == '?' || c == '#';
}

}  // namespace

bool ShapeParser::IsNext() {
  const char c = lexer_.Peek();
  if (c == '(') return true;
  if (!HloLexer::IsWordStart(c)) return false;
  const uint64_t start = lexer_.offset();
  const absl::string_view word = lexer_.ScanWord();
  const char after = lexer_.PeekHere() == '[' ? '[' : lexer_.Peek();
  lexer_.set_offset(start);
  if (word == "b" && after == '(') return true;
  if (after == '[') return true;
  // `f32 add(..)`: a shape without brackets, which Parse() will refuse.
  return word != "tuple" && word != "buffer" && after != '(' && after != ',' &&
         after != ')' && PrimitiveTypeFromName(word).has_value();
}

const Shape* ShapeParser::Parse() {
  const char first = lexer_.Peek();
  const uint64_t start = lexer_.offset();
  const absl::string_view spelling =
      first == '(' ? ScanSimpleTuple() : ScanSimpleArray();
  if (const Shape* known = FindKnown(spelling)) {
    lexer_.set_offset(start + spelling.size());
    return known;
  }
  lexer_.set_offset(start);
  const Shape* shape = ParseTree();
  if (shape != nullptr && lexer_.offset() == start + spelling.size()) {
    known_.try_emplace(spelling, shape);
  }
  return shape;
}

const Shape* ShapeParser::FindKnown(absl::string_view spelling) {
  if (spelling.empty()) return nullptr;
  const auto found = known_.find(spelling);
  return found == known_.end() ? nullptr : found->second;
}

// type[...] and, if a layout follows at once, {...} too.
absl::string_view ShapeParser::ScanSimpleArray() {
  const absl::string_view text = lexer_.text();
  const uint64_t start = lexer_.offset();
  uint64_t at = start;
  while (at < text.size() && HloLexer::IsWordByte(text[at])) ++at;
  if (at == text.size() || text[at] != '[') return {};
  while (at < text.size() && text[at] != ']') {
    if (!IsPlainShapeByte(text[at])) return {};
    ++at;
  }
  if (at == text.size()) return {};
  ++at;  // the bracket
  if (at + 1 < text.size() && text[at] == '{' &&
      (HloLexer::IsDigit(text[at + 1]) || text[at + 1] == ':')) {
    while (at < text.size() && text[at] != '}') {
      if (!IsPlainShapeByte(text[at]) && text[at] != '(' && text[at] != ')') {
        return {};
      }
      ++at;
    }
    if (at == text.size()) return {};
    ++at;  // the brace
  } else {
    // A layout behind white space or a comment is left to the slow reader.
    const absl::string_view after = text.substr(at, 2);
    if (after.empty() || (after[0] != ',' && after[0] != ')' &&
                          (after[0] != ' ' || after == " {" || after == " /" ||
                           after == "  "))) {
      return {};
    }
  }
  return text.substr(start, at - start);
}

// ( ... ) with all that is nested. `/*index=5*/` is the one kind of comment
// that printers put inside shapes.
absl::string_view ShapeParser::ScanSimpleTuple() {
  const absl::string_view text = lexer_.text();
  const uint64_t start = lexer_.offset();
  int64_t depth = 0;
  for (uint64_t at = start; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(') {
      ++depth;
    } else if (c == ')') {
      if (--depth == 0) return text.substr(start, at + 1 - start);
    } else if (c == '/') {
      constexpr absl::string_view kIndex = "/*index=";
      if (text.substr(at, kIndex.size()) != kIndex) return {};
      at += kIndex.size();
      while (at < text.size() && HloLexer::IsDigit(text[at])) ++at;
      if (text.substr(at, 2) != "*/") return {};
      ++at;
    } else if (!IsPlainShapeByte(c)) {
      return {};
    }
  }
  return {};
}

// Opens tuples until a leaf comes, then closes all tuples that end behind it.
const Shape* ShapeParser::ParseTree() {
  open_.clear();
  elements_.clear();
  while (true) {
    const uint64_t start = lexer_.TokenOffset();
    const Shape* shape = nullptr;
    bool is_buffer = false;
    if (lexer_.ConsumeWord("b")) {
      is_buffer = lexer_.Peek() == '(';
      if (!is_buffer) lexer_.set_offset(start);
    }
    if (lexer_.Consume('(')) {
      open_.push_back({start, elements_.size(), is_buffer});
      if (lexer_.Peek() != ')') continue;
    } else {
      shape = ParseLeaf();
      if (shape == nullptr) return nullptr;
      if (open_.empty()) return shape;
      elements_.push_back(shape);
    }
    // Behind an element, or in an empty tuple.
    while (lexer_.Consume(')')) {
      const Open open = open_.back();
      open_.pop_back();
      shape = CloseInner(open);
      if (shape == nullptr) return nullptr;
      if (open_.empty()) return shape;
      elements_.push_back(shape);
    }
    if (!lexer_.Consume(',')) {
      errors_.Expected(lexer_, "`,` or `)` in a tuple shape");
      return nullptr;
    }
  }
}

const Shape* ShapeParser::CloseInner(const Open& open) {
  const absl::Span<const Shape* const> elements =
      absl::MakeConstSpan(elements_).subspan(open.first_element);
  const Shape* shape = nullptr;
  if (open.is_buffer) {
    if (elements.size() != 1 || !elements[0]->IsArray()) {
      errors_.Add(DiagnosticCode::kBadValue, open.start,
                  "a buffer shape holds exactly one array shape");
      return nullptr;
    }
    shape = &context_.GetBufferShape(*elements[0]);
  } else {
    int64_t nodes = 1;
    for (const Shape* element : elements) nodes += element->node_count();
    if (nodes > kMaxNodes) {
      errors_.Add(DiagnosticCode::kTooLarge, open.start,
                  absl::StrCat("the tuple shape has ", nodes,
                               " nodes; at most ", kMaxNodes, " are read"));
      return nullptr;
    }
    shape = &context_.GetTupleShape(elements);
  }
  elements_.resize(open.first_element);
  return shape;
}

const Shape* ShapeParser::ParseLeaf() {
  const uint64_t start = lexer_.TokenOffset();
  const absl::string_view spelling = ScanSimpleArray();
  if (const Shape* known = FindKnown(spelling)) {
    lexer_.set_offset(start + spelling.size());
    return known;
  }
  lexer_.set_offset(start);
  const absl::string_view word = lexer_.ScanWord();
  const std::optional<PrimitiveType> type = PrimitiveTypeFromName(word);
  if (!type.has_value() || *type == PrimitiveType::kTuple ||
      *type == PrimitiveType::kBuffer) {
    lexer_.set_offset(start);
    errors_.Expected(lexer_, "a shape");
    if (!word.empty()) {
      static constexpr absl::string_view kNames[] = {
#define FERRY_PRIMITIVE_TYPE(enumerator, name, bits) name,
#include "ferry/hlo/primitive_type.def"
      };
      errors_.Suggest(word, kNames);
    }
    return nullptr;
  }
  if (!lexer_.Consume('[')) {
    errors_.Expected(lexer_, absl::StrCat("`[` behind `", word, "`"));
    return nullptr;
  }
  if (IsArrayType(*type)) {
    const Shape* shape = ParseArray(*type);
    if (shape != nullptr && lexer_.offset() == start + spelling.size()) {
      known_.try_emplace(spelling, shape);
    }
    return shape;
  }
  if (!reader_.Expect(']', "at the end of the shape")) return nullptr;
  return &context_.GetShapeWithoutElements(*type);
}

const Shape* ShapeParser::ParseArray(PrimitiveType type) {
  std::vector<int64_t> sizes;
  std::vector<bool> dynamic;
  if (!ParseDimensions(sizes, dynamic)) return nullptr;
  absl::InlinedVector<bool, 8> flags(dynamic.begin(), dynamic.end());
  // A brace is a layout only if a number or a colon follows; else it opens a
  // body or an error.
  const uint64_t brace = lexer_.TokenOffset();
  const Layout* layout = nullptr;
  if (lexer_.Consume('{')) {
    const char next = lexer_.Peek();
    if (HloLexer::IsDigit(next) || next == '-' || next == ':') {
      LayoutFields fields;
      if (!ParseLayout(fields)) return nullptr;
      if (fields.minor_to_major.size() != sizes.size()) {
        errors_.Add(DiagnosticCode::kBadValue, brace,
                    absl::StrCat("Dimensions size is ", sizes.size(),
                                 ", but minor to major size is ",
                                 fields.minor_to_major.size(), "."));
        return nullptr;
      }
      layout = &context_.GetLayout(fields);
    } else {
      lexer_.set_offset(brace);
    }
  }
  if (layout == nullptr) {
    lexer_.set_offset(brace);
    layout = &context_.GetDefaultLayout(sizes.size());
  }
  return &context_.GetArrayShape(type, sizes, layout, flags);
}

bool ShapeParser::ParseDimensions(std::vector<int64_t>& sizes,
                                  std::vector<bool>& dynamic) {
  if (lexer_.Consume(']')) return true;
  do {
    const bool unbounded = lexer_.Consume('?');
    const bool bounded = !unbounded && lexer_.Consume("<=");
    int64_t size = kUnboundedDimension;
    if (!unbounded) {
      const uint64_t offset = lexer_.TokenOffset();
      if (!reader_.ReadNumber("a dimension", size)) return false;
      if (size < 0) {
        return errors_.Add(DiagnosticCode::kBadValue, offset,
                           "a dimension must be in [0, 2^63)");
      }
    }
    sizes.push_back(size);
    dynamic.push_back(unbounded || bounded);
  } while (lexer_.Consume(','));
  return reader_.Expect(']', "at the end of the dimensions");
}

// Behind the opening brace.
bool ShapeParser::ParseLayout(LayoutFields& fields) {
  if (lexer_.Peek() != ':') {
    do {
      int64_t dimension = 0;
      if (!reader_.ReadNumber("a dimension number", dimension)) return false;
      fields.minor_to_major.push_back(dimension);
    } while (lexer_.Consume(','));
  }
  if (lexer_.Consume(':') && !ParseLayoutItems(fields)) return false;
  return reader_.Expect('}', "at the end of the layout");
}

// Each item at most once, in this order.
bool ShapeParser::ParseLayoutItems(LayoutFields& fields) {
  int64_t memory_space = 0;
  if (lexer_.Consume('D') && !ParseLevelTypes()) return false;
  if (lexer_.Consume('T') && !ParseTiles(fields)) return false;
  if (lexer_.Consume('L') &&
      !ParseParenthesised("a tail padding alignment",
                          fields.tail_padding_alignment_in_elements)) {
    return false;
  }
  if (lexer_.Consume('#') && !ParsePointerType(fields.index_type)) return false;
  if (lexer_.Consume('*') && !ParsePointerType(fields.pointer_type)) {
    return false;
  }
  if (lexer_.Consume('E') &&
      !ParseParenthesised("an element size", fields.element_size_in_bits)) {
    return false;
  }
  const uint64_t space_or_split = lexer_.TokenOffset();
  if (lexer_.Consume('S')) {
    if (lexer_.PeekHere() == 'C') {
      lexer_.set_offset(space_or_split);
    } else if (!ParseParenthesised("a memory space", memory_space)) {
      return false;
    }
  }
  if (lexer_.Consume("SC") && !ParseSplits(fields)) return false;
  const uint64_t physical = lexer_.TokenOffset();
  if (lexer_.Consume('P')) {
    return errors_.Add(DiagnosticCode::kBadValue, physical,
                       "Layout has physical shape, but is not for a sparse "
                       "array");
  }
  fields.memory_space = static_cast<MemorySpace>(memory_space);
  return !lexer_.Consume('M') ||
         ParseParenthesised("the size of the dynamic shape metadata",
                            fields.dynamic_shape_metadata_prefix_bytes);
}

// D(D,C+,S~): read and dropped, as XLA does.
bool ShapeParser::ParseLevelTypes() {
  if (!reader_.Expect('(', "behind `D`")) return false;
  do {
    const char level = lexer_.Peek();
    if (level != 'D' && level != 'C' && level != 'S' && level != 'H') {
      return errors_.Expected(lexer_, "a level type: D, C, S or H");
    }
    lexer_.Consume(level);
    lexer_.Consume('+');
    lexer_.Consume('~');
  } while (lexer_.Consume(','));
  return reader_.Expect(')', "at the end of the level types");
}

bool ShapeParser::ParseTiles(LayoutFields& fields) {
  if (lexer_.Peek() != '(') {
    return errors_.Expected(lexer_, "`(` behind `T`");
  }
  while (lexer_.Consume('(')) {
    Tile& tile = fields.tiles.emplace_back();
    if (lexer_.Consume(')')) continue;
    do {
      int64_t size = Tile::kCombined;
      if (!lexer_.Consume('*') && !reader_.ReadNumber("a tile size", size)) {
        return false;
      }
      tile.dimensions.push_back(size);
    } while (lexer_.Consume(','));
    if (!reader_.Expect(')', "at the end of the tile")) return false;
  }
  return true;
}

bool ShapeParser::ParseSplits(LayoutFields& fields) {
  if (lexer_.Peek() != '(') {
    return errors_.Expected(lexer_, "`(` behind `SC`");
  }
  while (lexer_.Consume('(')) {
    SplitConfig& split = fields.split_configs.emplace_back();
    if (!reader_.ReadNumber("a dimension number", split.dimension) ||
        !reader_.Expect(':', "behind the split dimension")) {
      return false;
    }
    do {
      int64_t index = 0;
      if (!reader_.ReadNumber("a split index", index)) return false;
      split.split_indices.push_back(index);
    } while (lexer_.Consume(','));
    if (!reader_.Expect(')', "at the end of the split")) return false;
  }
  return true;
}

bool ShapeParser::ParsePointerType(std::optional<PrimitiveType>& type) {
  if (!reader_.Expect('(', "in front of the type")) return false;
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  type = PrimitiveTypeFromName(word);
  if (!type.has_value() || word.front() != 'u') {
    return errors_.Add(DiagnosticCode::kBadValue, offset,
                       "index and pointer types must be unsigned");
  }
  return reader_.Expect(')', "behind the type");
}

bool ShapeParser::ParseParenthesised(absl::string_view what, int64_t& value) {
  return reader_.Expect('(', absl::StrCat("in front of ", what)) &&
         reader_.ReadNumber(what, value) &&
         reader_.Expect(')', absl::StrCat("behind ", what));
}

}  // namespace ferry
