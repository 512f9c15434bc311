// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ATTRIBUTE_PARSER_H_
#define FERRY_HLO_ATTRIBUTE_PARSER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/device_attribute_parser.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/literal_parser.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads the value of one attribute: finds where it ends and checks it by its
// form, but keeps only its text.
//
// Every form of HloAttributeForm is one function here. What depends on the rest
// of the instruction (one layout per operand, one flag per leaf) is left to
// InstructionBuilder, which finds the needed counts in facts().
// Tested by hlo_parser_test.cc.
class AttributeParser {
 public:
  // `save_text` copies a text to where it lives as long as the module: values
  // are views into the source unless they are written in an unusual way.
  // References must outlive this.
  AttributeParser(TextReader reader, ShapeParser& shapes, bool allow_unknown,
                  std::function<absl::string_view(absl::string_view)> save_text)
      : reader_(reader),
        lexer_(reader.lexer),
        shapes_(shapes),
        literals_(reader, shapes, save_text),
        devices_(
            reader, [this](std::string& text) { return ParseMetadata(text); },
            save_text),
        allow_unknown_(allow_unknown),
        save_text_(std::move(save_text)) {}

  // Reads the value behind `name=`.
  bool Parse(HloAttributeKind kind, absl::string_view& text);
  // Reads `name=value` of an attribute that nobody knows, value and all; `name`
  // was read already.
  bool ParseUnknown(uint64_t name_offset, absl::string_view& text);
  // The argument of `constant(...)`, and the shape that it makes of `shape`.
  bool ParseLiteral(const Shape*& shape, absl::string_view& text);

  // What the value read last holds.
  struct Facts {
    int64_t leaf_count = 0;            // of origin, parameter_replication
    std::vector<const Shape*> shapes;  // of operand_layout_constraints
  };
  const Facts& facts() const { return facts_; }

  // The forms that module headers share.
  bool ParseBool() { return reader_.ReadBool(); }
  bool ParseBools();
  bool ParseFrontendAttributes();
  // One `{1,0}`.
  bool ParseShapeIndex(std::vector<int64_t>& index);

 private:
  // Leaves `text` empty where the form prints as it stands.
  bool ParseForm(HloAttributeKind kind, absl::string_view& text);
  bool ParseEnum(HloAttributeKind kind);
  bool ParseString();
  bool ParseNumber();
  bool ParsePadding(bool with_interior, int64_t& count);
  bool ParseDimLabels();
  bool ParseIntegers();
  bool ParseIntegerLists();
  bool ParseSlice();
  bool ParseWindow();
  bool ParseWindowSizes(int64_t& count);
  bool ParseSparsity();
  bool ParsePrecisions();
  bool ParseAliasing();
  bool ParseShapes();
  bool ParseStatistics();
  bool ParseResultAccuracy();
  bool ParseOrigin();
  bool ParseOriginArray();
  bool ParseMetadata();
  // The same as part of a sharding.
  bool ParseMetadata(std::string& text);
  bool ParseMetadataField(absl::string_view name, uint64_t offset,
                          uint32_t& seen);
  bool ParseStringOrBraces();
  bool ParseUnknownValue();
  // `{` item (`,` item)* `}`, where items may be none.
  template <typename Item>
  bool ParseList(absl::string_view what, Item item);

  TextReader reader_;
  HloLexer& lexer_;
  ShapeParser& shapes_;
  LiteralParser literals_;
  DeviceAttributeParser devices_;
  const bool allow_unknown_;
  std::function<absl::string_view(absl::string_view)> save_text_;
  Facts facts_;
};

}  // namespace ferry

#endif  // FERRY_HLO_ATTRIBUTE_PARSER_H_
