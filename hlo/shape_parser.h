// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHAPE_PARSER_H_
#define FERRY_HLO_SHAPE_PARSER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/parse_errors.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads shapes from HLO text.
//
// A module has few different shapes and names each of them thousands of times,
// always in the same spelling. So each spelling is read once: its text, a view
// into the source, is the key to the interned shape, and a shape seen before
// costs one scan for its end and one look-up. Nested tuples cost no stack.
// Tested by shape_parser_test.cc.
class ShapeParser {
 public:
  // Shapes with more nodes than this are refused (F1011): an inferred tuple
  // shape can double with every line of text.
  static constexpr int64_t kMaxNodes = int64_t{1} << 26;

  // All must outlive this; `lexer` is shared with the caller.
  ShapeParser(HloContext& context, HloLexer& lexer, ParseErrors& errors)
      : context_(context),
        lexer_(lexer),
        errors_(errors),
        reader_{lexer, errors} {}

  HloContext& context() { return context_; }

  // Whether a shape, rather than a name or an opcode, stands at the cursor.
  bool IsNext();

  // Reads one shape; null after an error. Missing layouts become the default
  // descending order.
  const Shape* Parse();

 private:
  // A tuple or buffer that is not closed yet.
  struct Open {
    uint64_t start;
    size_t first_element;  // in elements_
    bool is_buffer;
  };

  // What a layout item lacked.
  struct Skipped {
    uint64_t offset;
    std::string what;
  };

  // Null, with the cursor left, if no spelling that was seen before is next.
  const Shape* FindKnown(absl::string_view spelling);
  absl::string_view ScanSimpleArray();
  absl::string_view ScanSimpleTuple();
  const Shape* ParseTree();
  const Shape* CloseInner(const Open& open);
  const Shape* ParseLeaf();
  const Shape* ParseArray(PrimitiveType type);
  bool IsIntegerNext();
  bool ParseDimensions(std::vector<int64_t>& sizes, std::vector<bool>& dynamic);
  bool ParseLayout(LayoutFields& fields);
  bool ParseLayoutItems(LayoutFields& fields);
  bool ParseTiles(LayoutFields& fields);
  bool ParsePointerType(std::optional<PrimitiveType>& type);
  bool CheckElement(const Shape& element, uint64_t offset);
  // These pass over what is missing, without complaint.
  void ReadLevelTypes();
  void ReadSplits(LayoutFields& fields);
  void ReadParenthesised(int64_t& value);
  bool Take(char punctuation);
  bool TakeNumber(int64_t& value);
  template <typename Item>
  bool TakeList(Item item);
  bool Skip(absl::string_view what);

  HloContext& context_;
  HloLexer& lexer_;
  ParseErrors& errors_;
  TextReader reader_;
  absl::flat_hash_map<absl::string_view, const Shape*> known_;
  std::vector<const Shape*> elements_;
  std::vector<Open> open_;
  std::optional<Skipped> skipped_;  // first in the layout that is being read
};

}  // namespace ferry

#endif  // FERRY_HLO_SHAPE_PARSER_H_
