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
#include "ferry/hlo/frontend_attributes.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/integer_list.h"
#include "ferry/hlo/literal_parser.h"
#include "ferry/hlo/op_metadata.h"
#include "ferry/hlo/quoted_string.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads the value of one attribute and brings it into the form that XLA prints.
//
// The forms that have structure are value structs in files of their own
// (op_metadata.h, window.h, ...): the struct is filled, printed into a scratch
// buffer and compared with the source. Nearly always they are the same, and the
// attribute is a view of the source; else the printed form is saved.
//
// What depends on the rest of the instruction (one layout per operand, one flag
// per leaf) is left to InstructionBuilder, which finds the needed facts in
// facts(). Tested by attribute_parser_test.cc.
class AttributeParser {
 public:
  // `save_text` copies a text to where it lives as long as the module.
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

  // Reads the value behind `name=`. `text` is left empty if XLA prints no such
  // value: metadata without a name, precisions that are all default.
  bool Parse(HloOpcode opcode, HloAttributeKind kind, absl::string_view& text);
  // Reads `name=value` of an attribute that nobody knows, value and all; `name`
  // was read already.
  bool ParseUnknown(uint64_t name_offset, absl::string_view& text);
  // The argument of `constant(...)`, and the shape that it makes of `shape`.
  bool ParseLiteral(const Shape*& shape, absl::string_view& text);

  // What the value read last holds.
  struct Facts {
    int64_t leaf_count = 0;            // of parameter_replication
    std::vector<const Shape*> shapes;  // of operand_layout_constraints
  };
  const Facts& facts() const { return facts_; }

  // The forms that module headers share.
  bool ParseFrontendAttributes(absl::string_view& text);
  bool ParseShapeIndex(ShapeIndex& index);

 private:
  bool ParseForm(HloOpcode opcode, HloAttributeKind kind,
                 absl::string_view& text);
  bool ParseEnum(HloOpcode opcode, HloAttributeKind kind,
                 absl::string_view& text);
  bool ParseBool(absl::string_view& text);
  bool ParseBools(absl::string_view& text);
  bool ParseInteger(HloAttributeKind kind, absl::string_view& text);
  bool ParseIntegers(HloOpcode opcode, HloAttributeKind kind,
                     absl::string_view& text);
  bool ParseFloat(absl::string_view& text);
  bool ParseString(absl::string_view& text);
  bool ParseStringOrBraces(absl::string_view& text);
  bool ParseShape(absl::string_view& text);
  bool ParseShapes(absl::string_view& text);
  bool ParseMetadata(absl::string_view& text);
  // As part of a sharding, where all of it is printed.
  bool ParseMetadata(std::string& text);
  // Reads a value struct.
  template <typename Value>
  bool ParseValue(Value& value, absl::string_view& text);
  // What scratch_ holds, as a view of the source from `start` on if that is the
  // same.
  absl::string_view Canonical(uint64_t start);

  TextReader reader_;
  HloLexer& lexer_;
  ShapeParser& shapes_;
  LiteralParser literals_;
  DeviceAttributeParser devices_;
  const bool allow_unknown_;
  std::function<absl::string_view(absl::string_view)> save_text_;
  Facts facts_;
  // Their memory is used again and again.
  std::string scratch_;
  std::string config_;
  OpMetadata metadata_;
  FrontendAttributes frontend_attributes_;
  IntegerList integers_;
  DecodedStrings strings_;
};

}  // namespace ferry

#endif  // FERRY_HLO_ATTRIBUTE_PARSER_H_
