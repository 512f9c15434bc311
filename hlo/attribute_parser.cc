// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/attribute_parser.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/attribute_enum.h"
#include "ferry/hlo/backend_config.h"
#include "ferry/hlo/convolution_dimension_numbers.h"
#include "ferry/hlo/operand_precision.h"
#include "ferry/hlo/original_value.h"
#include "ferry/hlo/output_operand_aliasing.h"
#include "ferry/hlo/padding_config.h"
#include "ferry/hlo/result_accuracy.h"
#include "ferry/hlo/slice_ranges.h"
#include "ferry/hlo/sparsity_config.h"
#include "ferry/hlo/statistics.h"
#include "ferry/hlo/unknown_value.h"
#include "ferry/hlo/value_reader.h"
#include "ferry/hlo/window.h"

namespace ferry {
namespace {

// Some values are printed only if they say something.
template <typename Value>
bool IsPrinted(const Value& value) {
  if constexpr (requires { value.IsPrinted(); }) {
    return value.IsPrinted();
  } else {
    return true;
  }
}

// Of a list of dimensions, XLA takes the first.
bool HasOneDimension(HloOpcode opcode) {
  return opcode == HloOpcode::kGetDimensionSize ||
         opcode == HloOpcode::kSetDimensionSize ||
         opcode == HloOpcode::kAllGather ||
         opcode == HloOpcode::kAllGatherStart ||
         opcode == HloOpcode::kReduceScatter;
}

}  // namespace

bool AttributeParser::Parse(HloOpcode opcode, HloAttributeKind kind,
                            absl::string_view& text) {
  text = {};
  return ParseForm(opcode, kind, text);
}

bool AttributeParser::ParseForm(HloOpcode opcode, HloAttributeKind kind,
                                absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  // Forms that are kept as they are written.
  const auto verbatim = [&](bool ok) {
    text = lexer_.TextSince(start);
    return ok;
  };
  // Values that are seldom enough to be made anew.
  const auto value = [&](auto one) { return ParseValue(one, text); };
  // What newer opcodes mean by a name is theirs, but for the common ones.
  if (opcode == HloOpcode::kUnknown && kind < HloAttributeKind::kSharding) {
    return verbatim(reader_.Check(ReadUnknownValue(lexer_)));
  }
  switch (HloAttributeFormOf(kind)) {
    case HloAttributeForm::kInteger:
      return ParseInteger(kind, text);
    case HloAttributeForm::kNumber:
      return ParseFloat(text);
    case HloAttributeForm::kBool:
      return ParseBool(text);
    case HloAttributeForm::kEnum:
      return ParseEnum(opcode, kind, text);
    case HloAttributeForm::kPadding:
      return value(PaddingConfig());
    case HloAttributeForm::kDimLabels:
      return value(ConvolutionDimensionNumbers());
    case HloAttributeForm::kString:
      return ParseString(text);
    case HloAttributeForm::kIntegers:
      return ParseIntegers(opcode, kind, text);
    case HloAttributeForm::kIntegerLists:
      // `slice_sizes` is one list on gather, and one for each operand of
      // collective-permute.
      return opcode == HloOpcode::kGather ? ParseValue(integers_, text)
                                          : value(IntegerLists());
    case HloAttributeForm::kBools:
      return ParseBools(text);
    case HloAttributeForm::kSlice:
      return value(SliceRanges());
    case HloAttributeForm::kWindow:
      return value(Window());
    case HloAttributeForm::kSparsity:
      return value(SparsityConfig());
    case HloAttributeForm::kPrecisions:
      return value(OperandPrecision());
    case HloAttributeForm::kAliasing:
      return value(OutputOperandAliasing());
    case HloAttributeForm::kShapes:
      return ParseShapes(text);
    case HloAttributeForm::kSharding:
      return devices_.ParseSharding(text);
    case HloAttributeForm::kDomain:
      return devices_.ParseDomain(text);
    case HloAttributeForm::kFrontendAttributes:
      return ParseFrontendAttributes(text);
    case HloAttributeForm::kStatistics:
      return value(Statistics());
    case HloAttributeForm::kResultAccuracy:
      return value(ResultAccuracy());
    case HloAttributeForm::kOrigin:
      return value(OriginalValue());
    case HloAttributeForm::kMetadata:
      return ParseMetadata(text);
    case HloAttributeForm::kStringOrBraces:
      return ParseStringOrBraces(text);
    case HloAttributeForm::kReplicaGroups:
      return devices_.ParseReplicaGroups(text);
    case HloAttributeForm::kSourceTargetPairs:
      return devices_.ParseSourceTargetPairs(text);
    case HloAttributeForm::kShape:
      return ParseShape(text);
    case HloAttributeForm::kLiteral:
      return literals_.ParseWithShapes(text);
    case HloAttributeForm::kName:
      return verbatim(reader_.Check(ReadUnknownValue(lexer_)));
  }
  return false;
}

absl::string_view AttributeParser::Canonical(uint64_t start) {
  const absl::string_view source = lexer_.TextSince(start);
  return source == scratch_ ? source : save_text_(scratch_);
}

template <typename Value>
bool AttributeParser::ParseValue(Value& value, absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Check(Read(lexer_, value))) return false;
  if (!IsPrinted(value)) return true;
  scratch_.clear();
  value.AppendTo(scratch_);
  text = Canonical(start);
  return true;
}

bool AttributeParser::ParseUnknown(uint64_t name_offset,
                                   absl::string_view& text) {
  if (!reader_.Check(ReadUnknownValue(lexer_))) return false;
  text = lexer_.TextSince(name_offset);
  return true;
}

bool AttributeParser::ParseLiteral(const Shape*& shape,
                                   absl::string_view& text) {
  return literals_.Parse(shape, text);
}

bool AttributeParser::ParseBool(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.ReadBool()) return false;
  text = lexer_.TextSince(start);
  return true;
}

bool AttributeParser::ParseBools(absl::string_view& text) {
  BoolList list;
  if (!ParseValue(list, text)) return false;
  facts_.leaf_count = list.values.size();
  return true;
}

// XLA's field is an int64, but for these: one is checked, two are cut off.
bool AttributeParser::ParseInteger(HloAttributeKind kind,
                                   absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  int64_t value = 0;
  if (kind == HloAttributeKind::kCrossProgramPrefetchIndex) {
    int32_t index = 0;
    if (!reader_.Check(ReadInt32(lexer_, "an integer", index))) return false;
    value = index;
  } else if (!reader_.Check(ReadInt64(lexer_, "an integer", value))) {
    return false;
  }
  if (kind == HloAttributeKind::kExponentBits ||
      kind == HloAttributeKind::kMantissaBits) {
    value = static_cast<int32_t>(value);
  }
  scratch_.clear();
  absl::StrAppend(&scratch_, value);
  text = Canonical(start);
  return true;
}

bool AttributeParser::ParseIntegers(HloOpcode opcode, HloAttributeKind kind,
                                    absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Check(Read(lexer_, integers_))) return false;
  if (kind == HloAttributeKind::kDimensions && HasOneDimension(opcode) &&
      integers_.values.size() > 1) {
    integers_.values.resize(1);
  }
  scratch_.clear();
  integers_.AppendTo(scratch_);
  text = Canonical(start);
  return true;
}

// A float in six digits. NaN is one.
bool AttributeParser::ParseFloat(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  double value = 0;
  if (!reader_.Check(ReadDouble(lexer_, "a number", value))) return false;
  if (std::fabs(value) > std::numeric_limits<float>::max()) {
    return reader_.BadValue(start, "value out of range for float");
  }
  scratch_.clear();
  absl::StrAppend(&scratch_, static_cast<float>(value));
  text = Canonical(start);
  return true;
}

bool AttributeParser::ParseEnum(HloOpcode opcode, HloAttributeKind kind,
                                absl::string_view& text) {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  const AttributeEnum* facts = FindAttributeEnum(opcode, kind);
  text = FindEnumValue(*facts, word);
  if (!text.empty()) return true;
  lexer_.set_offset(offset);
  reader_.errors.Expected(
      lexer_, absl::StrCat("a value of `", HloAttributeName(kind), "` (",
                           absl::StrJoin(facts->values, ", "), ")"));
  reader_.errors.Suggest(word, facts->values);
  return false;
}

bool AttributeParser::ParseString(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  absl::string_view content;
  strings_.clear();
  if (!reader_.Check(ReadQuotedString(lexer_, "a string", strings_, content))) {
    return false;
  }
  scratch_.clear();
  AppendQuoted(content, scratch_);
  text = Canonical(start);
  return true;
}

// Nothing is printed of an empty one.
bool AttributeParser::ParseStringOrBraces(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  absl::string_view content;
  strings_.clear();
  if (!reader_.Check(ReadStringOrBraces(lexer_, strings_, content))) {
    return false;
  }
  if (content.empty()) return true;
  content = WithoutEmptyWaitList(content, config_);
  if (content.data() == lexer_.text().data() + start) {
    text = content;  // braces, which they stay
    return true;
  }
  scratch_.clear();
  AppendQuotedOrBraces(content, scratch_);
  text = Canonical(start);
  return true;
}

bool AttributeParser::ParseFrontendAttributes(absl::string_view& text) {
  if (!ParseValue(frontend_attributes_, text)) return false;
  if (frontend_attributes_.entries.empty()) text = {};
  return true;
}

bool AttributeParser::ParseShapeIndex(ShapeIndex& index) {
  return reader_.Check(ReadShapeIndex(lexer_, index));
}

bool AttributeParser::ParseShape(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  const Shape* shape = shapes_.Parse();
  if (shape == nullptr) return false;
  scratch_ = shape->ToString();
  text = Canonical(start);
  return true;
}

// {f32[8]{0}, s32[]}
bool AttributeParser::ParseShapes(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  facts_.shapes.clear();
  std::string printed = "{";
  if (!reader_.Expect('{', "to start a list of shapes")) return false;
  if (!lexer_.Consume('}')) {
    do {
      const Shape* shape = shapes_.Parse();
      if (shape == nullptr) return false;
      facts_.shapes.push_back(shape);
      absl::StrAppend(&printed, printed.size() > 1 ? ", " : "",
                      shape->ToString());
    } while (lexer_.Consume(','));
    if (!reader_.Expect('}', "at the end of a list of shapes")) return false;
  }
  scratch_ = printed + "}";
  text = Canonical(start);
  return true;
}

bool AttributeParser::ParseMetadata(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Check(Read(lexer_, metadata_, allow_unknown_))) return false;
  if (!metadata_.IsPrinted()) return true;
  scratch_.clear();
  metadata_.AppendTo(scratch_);
  text = Canonical(start);
  return true;
}

bool AttributeParser::ParseMetadata(std::string& text) {
  if (!reader_.Check(Read(lexer_, metadata_, allow_unknown_))) return false;
  text.clear();
  metadata_.AppendTo(text);
  return true;
}

}  // namespace ferry
