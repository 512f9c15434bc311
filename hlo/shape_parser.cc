// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Two ways through: a fast scan for the end of a shape that is written the way
// printers write it, whose text is then looked up; and, the first time or for
// any other spelling, a token-by-token reader with an explicit stack.

#include "ferry/hlo/shape_parser.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/layout_problem.h"

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
    for (const Shape* element : elements) {
      if (!CheckElement(*element, open.start)) return nullptr;
    }
    shape = &context_.GetTupleShape(elements);
  }
  elements_.resize(open.first_element);
  return shape;
}

// Inside of tuples, layouts must be true ones.
bool ShapeParser::CheckElement(const Shape& element, uint64_t offset) {
  const bool is_buffer = element.element_type() == PrimitiveType::kBuffer;
  const Shape& array = is_buffer ? *element.tuple_shapes()[0] : element;
  if (!array.IsArray()) return true;
  const std::string problem = LayoutProblem(array);
  return problem.empty() ||
         errors_.Add(DiagnosticCode::kBadValue, offset,
                     absl::StrCat("the layout of ", array.ToString(),
                                  " in a tuple ", problem));
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
  // A brace is a layout only if an integer or a colon follows; else it opens a
  // body, a literal or an error.
  const uint64_t brace = lexer_.TokenOffset();
  const Layout* layout = nullptr;
  if (lexer_.Consume('{')) {
    if (lexer_.Peek() == ':' || IsIntegerNext()) {
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

bool ShapeParser::IsIntegerNext() {
  const uint64_t start = lexer_.TokenOffset();
  const absl::string_view number = lexer_.ScanNumber();
  lexer_.set_offset(start);
  return !number.empty() &&
         number.find_first_not_of("-0123456789") == absl::string_view::npos;
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
      // A bound of 2^63 wraps to what an unbounded dimension has.
      if (size < 0 && !(bounded && size == kUnboundedDimension)) {
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
  skipped_.reset();
  if (lexer_.Peek() != ':') {
    do {
      int64_t dimension = 0;
      if (!reader_.ReadNumber("a dimension number", dimension)) return false;
      fields.minor_to_major.push_back(dimension);
    } while (lexer_.Consume(','));
  }
  if (lexer_.Consume(':') && !ParseLayoutItems(fields)) return false;
  if (lexer_.Consume('}')) return true;
  if (!skipped_.has_value()) {
    return errors_.Expected(lexer_, "`}` at the end of the layout");
  }
  lexer_.set_offset(skipped_->offset);
  return errors_.Expected(lexer_, skipped_->what);
}

// Each item at most once, in this order. An item may end early, as XLA's reader
// passes over what is missing: `T(8S(5)`. So these functions do not complain,
// but note what they missed, for the case that the layout goes wrong behind it.
bool ShapeParser::ParseLayoutItems(LayoutFields& fields) {
  if (lexer_.ConsumeWord("D")) ReadLevelTypes();
  if (lexer_.ConsumeWord("T") && !ParseTiles(fields)) return false;
  const uint64_t padding = lexer_.TokenOffset();
  if (lexer_.ConsumeWord("L")) {
    ReadParenthesised(fields.tail_padding_alignment_in_elements);
    if (fields.tail_padding_alignment_in_elements <= 0) {
      return errors_.Add(DiagnosticCode::kBadValue, padding,
                         "the tail padding alignment must be positive");
    }
  }
  if (lexer_.Consume('#') && !ParsePointerType(fields.index_type)) return false;
  if (lexer_.Consume('*') && !ParsePointerType(fields.pointer_type)) {
    return false;
  }
  if (lexer_.ConsumeWord("E")) ReadParenthesised(fields.element_size_in_bits);
  int64_t memory_space = 0;
  if (lexer_.ConsumeWord("S")) ReadParenthesised(memory_space);
  // XLA keeps eight bits of it.
  fields.memory_space =
      static_cast<MemorySpace>(static_cast<int8_t>(memory_space));
  if (lexer_.ConsumeWord("SC")) ReadSplits(fields);
  const uint64_t physical = lexer_.TokenOffset();
  if (lexer_.ConsumeWord("P")) {
    return errors_.Add(DiagnosticCode::kBadValue, physical,
                       "Layout has physical shape, but is not for a sparse "
                       "array");
  }
  if (lexer_.ConsumeWord("M")) {
    ReadParenthesised(fields.dynamic_shape_metadata_prefix_bytes);
  }
  return true;
}

bool ShapeParser::Skip(absl::string_view what) {
  if (!skipped_.has_value()) {
    skipped_ = Skipped{lexer_.TokenOffset(), std::string(what)};
  }
  return false;
}

bool ShapeParser::Take(char punctuation) {
  return lexer_.Consume(punctuation) ||
         Skip(absl::StrCat("`", std::string(1, punctuation), "`"));
}

bool ShapeParser::TakeNumber(int64_t& value) {
  const uint64_t start = lexer_.TokenOffset();
  const std::optional<int64_t> number = IntegerValue(lexer_.ScanInteger());
  if (number.has_value()) {
    value = *number;
    return true;
  }
  lexer_.set_offset(start);
  return Skip("an integer");
}

template <typename Item>
bool ShapeParser::TakeList(Item item) {
  if (lexer_.Consume(')')) return true;
  do {
    if (!item()) return false;
  } while (lexer_.Consume(','));
  return Take(')');
}

// D(D,C+,S~): dropped, as XLA does.
void ShapeParser::ReadLevelTypes() {
  if (!Take('(')) return;
  TakeList([this] {
    for (absl::string_view level : {"D", "C", "S", "H"}) {
      if (!lexer_.ConsumeWord(level)) continue;
      lexer_.Consume('+');
      lexer_.Consume('~');
      return true;
    }
    return Skip("a level type: D, C, S or H");
  });
}

// False only for what no tile can be.
bool ShapeParser::ParseTiles(LayoutFields& fields) {
  bool is_valid = true;
  const uint64_t start = lexer_.TokenOffset();
  do {
    Tile& tile = fields.tiles.emplace_back();
    const bool is_complete =
        Take('(') && TakeList([&] {
          int64_t size = Tile::kCombined;
          if (!lexer_.Consume('*') && !TakeNumber(size)) return false;
          is_valid = is_valid && (size >= 0 || size == Tile::kCombined);
          tile.dimensions.push_back(size);
          return true;
        });
    if (!is_complete) break;
  } while (lexer_.Peek() == '(');
  return is_valid || errors_.Add(DiagnosticCode::kBadValue, start,
                                 "a tile size must not be negative");
}

void ShapeParser::ReadSplits(LayoutFields& fields) {
  do {
    int64_t dimension = 0;
    if (!Take('(') || !TakeNumber(dimension)) return;
    SplitConfig& split = fields.split_configs.emplace_back();
    split.dimension = dimension;
    const bool is_complete = Take(':') && TakeList([&] {
                               int64_t index = 0;
                               if (!TakeNumber(index)) return false;
                               split.split_indices.push_back(index);
                               return true;
                             });
    if (!is_complete) return;
  } while (lexer_.Peek() == '(');
}

bool ShapeParser::ParsePointerType(std::optional<PrimitiveType>& type) {
  Take('(');
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  const std::optional<PrimitiveType> named = PrimitiveTypeFromName(word);
  if (!named.has_value()) {
    lexer_.set_offset(offset);
    Skip("an element type");
  } else if (word.front() != 'u' &&
             (word.front() != 's' || !IsArrayType(*named))) {
    return errors_.Add(DiagnosticCode::kBadValue, offset,
                       "index and pointer types must be integers");
  } else {
    type = named;
  }
  Take(')');
  return true;
}

void ShapeParser::ReadParenthesised(int64_t& value) {
  if (Take('(') && TakeNumber(value)) Take(')');
}

}  // namespace ferry
