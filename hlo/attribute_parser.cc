// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/attribute_parser.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace ferry {
namespace {

// The values that an enumeration may have.
struct EnumFacts {
  HloAttributeKind kind;
  bool any_case;
  absl::Span<const absl::string_view> values;
};

constexpr absl::string_view kDirections[] = {"EQ", "NE", "GE",
                                             "GT", "LE", "LT"};
constexpr absl::string_view kCompareTypes[] = {"FLOAT", "TOTALORDER", "SIGNED",
                                               "UNSIGNED"};
constexpr absl::string_view kFusionKinds[] = {"kLoop", "kInput", "kOutput",
                                              "kCustom"};
constexpr absl::string_view kConvolutionKinds[] = {"fprop", "wgrad", "dgrad",
                                                   "unset"};
constexpr absl::string_view kModes[] = {"cross_replica", "cross_partition",
                                        "cross_replica_and_partition",
                                        "flattened_id"};
constexpr absl::string_view kDistributions[] = {"rng_uniform", "rng_normal"};
constexpr absl::string_view kAlgorithms[] = {"rng_default",
                                             "rng_three_fry",
                                             "rng_philox",
                                             "unset",
                                             "dot_any_f8_any_f8_f32",
                                             "dot_any_f8_any_f8_f32_fast_accum",
                                             "dot_f16_f16_f16",
                                             "dot_f16_f16_f32",
                                             "dot_bf16_bf16_bf16",
                                             "dot_bf16_bf16_f32",
                                             "dot_bf16_bf16_f32_x3",
                                             "dot_bf16_bf16_f32_x6",
                                             "dot_bf16_bf16_f32_x9",
                                             "dot_tf32_tf32_f32",
                                             "dot_tf32_tf32_f32_x3",
                                             "dot_f32_f32_f32",
                                             "dot_f64_f64_f64"};
constexpr absl::string_view kFftTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr absl::string_view kTransposes[] = {"NO_TRANSPOSE", "TRANSPOSE",
                                             "ADJOINT"};
constexpr absl::string_view kPaddingTypes[] = {"PADDING_INVALID",
                                               "PADDING_VALID", "PADDING_SAME"};
constexpr absl::string_view kSchedules[] = {"SCHEDULE_NONE", "SCHEDULE_LATEST",
                                            "SCHEDULE_EARLIEST"};
constexpr absl::string_view kApiVersions[] = {
    "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};

const EnumFacts kEnums[] = {
    {HloAttributeKind::kDirection, false, kDirections},
    {HloAttributeKind::kType, false, kCompareTypes},
    {HloAttributeKind::kKind, false, kFusionKinds},
    {HloAttributeKind::kConvolutionKind, false, kConvolutionKinds},
    {HloAttributeKind::kMode, false, kModes},
    {HloAttributeKind::kDistribution, true, kDistributions},
    {HloAttributeKind::kAlgorithm, true, kAlgorithms},
    {HloAttributeKind::kFftType, false, kFftTypes},
    {HloAttributeKind::kTransposeA, false, kTransposes},
    {HloAttributeKind::kPaddingType, false, kPaddingTypes},
    {HloAttributeKind::kSchedule, true, kSchedules},
    {HloAttributeKind::kApiVersion, true, kApiVersions},
};

// The fields of metadata, in the order of printing.
enum class FieldForm { kText, kInt32, kIntegers };
struct MetadataField {
  absl::string_view name;
  FieldForm form;
};
constexpr MetadataField kMetadataFields[] = {
    {"op_type", FieldForm::kText},
    {"op_name", FieldForm::kText},
    {"source_file", FieldForm::kText},
    {"source_line", FieldForm::kInt32},
    {"source_end_line", FieldForm::kInt32},
    {"source_column", FieldForm::kInt32},
    {"source_end_column", FieldForm::kInt32},
    {"profile_type", FieldForm::kIntegers},
    {"deduplicated_name", FieldForm::kText},
    {"scheduling_name", FieldForm::kText},
    {"stack_frame_id", FieldForm::kInt32},
    {"metadata_payload", FieldForm::kText},
};

// Lists whose printed form has no white space at all.
bool PrintsWithoutSpaces(HloAttributeForm form) {
  return form == HloAttributeForm::kIntegers ||
         form == HloAttributeForm::kIntegerLists ||
         form == HloAttributeForm::kBools ||
         form == HloAttributeForm::kPrecisions;
}

bool HasTrivia(absl::string_view text) {
  return text.find_first_of(" \t\r\n/") != absl::string_view::npos;
}

// The tokens of a list, without what stands between them.
std::string WithoutTrivia(absl::string_view text) {
  std::string out;
  HloLexer lexer(text);
  while (!lexer.AtEnd()) {
    const absl::string_view token = lexer.ScanBareValue();
    if (!token.empty()) {
      absl::StrAppend(&out, token);
    } else {
      out += lexer.Peek();
      lexer.Consume(lexer.Peek());
    }
  }
  return out;
}

// Position dimension labels fall into: `b01f`, of `allowed` letters.
bool AreLabels(absl::string_view labels, absl::string_view letters,
               int64_t& spatial) {
  spatial = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    const char label = labels[i];
    if (label == '?') continue;
    if (labels.find(label, i + 1) != absl::string_view::npos) return false;
    if (HloLexer::IsDigit(label)) {
      ++spatial;
    } else if (letters.find(label) == absl::string_view::npos) {
      return false;
    }
  }
  return labels.size() >= 2;
}

}  // namespace

bool AttributeParser::Parse(HloAttributeKind kind, absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  if (HloAttributeFormOf(kind) == HloAttributeForm::kLiteral) {
    return literals_.ParseWithShapes(text);
  }
  text = {};
  if (!ParseForm(kind, text)) return false;
  if (!text.empty()) return true;
  text = lexer_.TextSince(start);
  if (PrintsWithoutSpaces(HloAttributeFormOf(kind)) && HasTrivia(text)) {
    text = save_text_(WithoutTrivia(text));
  }
  return true;
}

bool AttributeParser::ParseForm(HloAttributeKind kind,
                                absl::string_view& text) {
  int64_t ignored = 0;
  switch (HloAttributeFormOf(kind)) {
    case HloAttributeForm::kInteger:
      return reader_.ReadNumber("an integer", ignored);
    case HloAttributeForm::kNumber:
      return ParseNumber();
    case HloAttributeForm::kBool:
      return reader_.ReadBool();
    case HloAttributeForm::kEnum:
      return ParseEnum(kind);
    case HloAttributeForm::kPadding:
      return ParsePadding(/*with_interior=*/true, ignored);
    case HloAttributeForm::kDimLabels:
      return ParseDimLabels();
    case HloAttributeForm::kString:
      return ParseString();
    case HloAttributeForm::kIntegers:
      return ParseIntegers();
    case HloAttributeForm::kIntegerLists:
      return ParseIntegerLists();
    case HloAttributeForm::kBools:
      return ParseBools();
    case HloAttributeForm::kSlice:
      return ParseSlice();
    case HloAttributeForm::kWindow:
      return ParseWindow();
    case HloAttributeForm::kSparsity:
      return ParseSparsity();
    case HloAttributeForm::kPrecisions:
      return ParsePrecisions();
    case HloAttributeForm::kAliasing:
      return ParseAliasing();
    case HloAttributeForm::kShapes:
      return ParseShapes();
    case HloAttributeForm::kSharding:
      return devices_.ParseSharding(text);
    case HloAttributeForm::kDomain:
      return devices_.ParseDomain(text);
    case HloAttributeForm::kFrontendAttributes:
      return ParseFrontendAttributes();
    case HloAttributeForm::kStatistics:
      return ParseStatistics();
    case HloAttributeForm::kResultAccuracy:
      return ParseResultAccuracy();
    case HloAttributeForm::kOrigin:
      return ParseOrigin();
    case HloAttributeForm::kMetadata:
      return ParseMetadata();
    case HloAttributeForm::kStringOrBraces:
      return ParseStringOrBraces();
    case HloAttributeForm::kReplicaGroups:
      return devices_.ParseReplicaGroups(text);
    case HloAttributeForm::kSourceTargetPairs:
      return devices_.ParseSourceTargetPairs(text);
    case HloAttributeForm::kShape: {
      const Shape* shape = shapes_.Parse();
      if (shape == nullptr) return false;
      text = save_text_(shape->ToString());
      return true;
    }
    case HloAttributeForm::kLiteral:
      return literals_.ParseWithShapes(text);
    case HloAttributeForm::kName:
      return ParseUnknownValue();
  }
  return false;
}

bool AttributeParser::ParseUnknown(uint64_t name_offset,
                                   absl::string_view& text) {
  if (!ParseUnknownValue()) return false;
  text = lexer_.TextSince(name_offset);
  return true;
}

bool AttributeParser::ParseLiteral(const Shape*& shape,
                                   absl::string_view& text) {
  return literals_.Parse(shape, text);
}

template <typename Item>
bool AttributeParser::ParseList(absl::string_view what, Item item) {
  if (!reader_.Expect('{', absl::StrCat("to start ", what))) return false;
  if (lexer_.Consume('}')) return true;
  do {
    if (!item()) return false;
  } while (lexer_.Consume(','));
  return reader_.Expect('}', absl::StrCat("at the end of ", what));
}

bool AttributeParser::ParseString() {
  absl::string_view text;
  return reader_.ReadQuoted("a string", text);
}

bool AttributeParser::ParseNumber() {
  if (!lexer_.ScanNumber().empty()) return true;
  return reader_.errors.Expected(lexer_, "a number");
}

bool AttributeParser::ParseEnum(HloAttributeKind kind) {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  for (const EnumFacts& facts : kEnums) {
    if (facts.kind != kind) continue;
    const auto matches = [&](absl::string_view value) {
      return facts.any_case ? absl::EqualsIgnoreCase(word, value)
                            : word == value;
    };
    if (std::any_of(facts.values.begin(), facts.values.end(), matches)) {
      return true;
    }
    lexer_.set_offset(offset);
    reader_.errors.Expected(
        lexer_, absl::StrCat("a value of `", HloAttributeName(kind), "` (",
                             absl::StrJoin(facts.values, ", "), ")"));
    reader_.errors.Suggest(word, facts.values);
    return false;
  }
  return !word.empty() || reader_.errors.Expected(lexer_, "a word");
}

// low_high or low_high_interior, joined by `x`, all one token.
bool AttributeParser::ParsePadding(bool with_interior, int64_t& count) {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view text = lexer_.ScanBareValue();
  count = 0;
  size_t at = 0;
  while (at < text.size()) {
    int numbers = 0;
    do {
      HloLexer number(text.substr(at));
      const absl::string_view digits = number.ScanInteger();
      if (!IntegerValue(digits).has_value()) break;
      at += digits.size();
      ++numbers;
    } while (at < text.size() && text[at] == '_' && ++at);
    if (numbers < 2 || numbers > (with_interior ? 3 : 2)) break;
    ++count;
    if (at == text.size()) return true;
    if (text[at++] != 'x') break;
  }
  lexer_.set_offset(offset);
  return reader_.errors.Expected(lexer_, with_interior
                                             ? "a padding like 0_1x0_0_2"
                                             : "a window padding like 0_0x3_3");
}

bool AttributeParser::ParseDimLabels() {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view text = lexer_.ScanBareValue();
  const size_t kernel = text.find('_');
  const size_t out = text.find("->");
  if (kernel == absl::string_view::npos || out == absl::string_view::npos ||
      out < kernel) {
    lexer_.set_offset(offset);
    return reader_.errors.Expected(lexer_,
                                   "dimension labels like "
                                   "b01f_01io->b01f");
  }
  int64_t spatial[3] = {0, 0, 0};
  if (!AreLabels(text.substr(0, kernel), "bf", spatial[0]) ||
      !AreLabels(text.substr(kernel + 1, out - kernel - 1), "io", spatial[1]) ||
      !AreLabels(text.substr(out + 2), "bf", spatial[2])) {
    return reader_.BadValue(
        offset, absl::StrCat("`", text.substr(0, 60),
                             "` are no dimension labels: b and f (i and o for "
                             "the kernel) and digits, none twice"));
  }
  if (spatial[0] == spatial[1] && spatial[0] == spatial[2]) return true;
  return reader_.BadValue(
      offset, absl::StrCat("input, kernel, and output must have same number of "
                           "spatial dimensions, but got ",
                           spatial[0], ", ", spatial[1], ", ", spatial[2],
                           ", respectively."));
}

bool AttributeParser::ParseIntegers() {
  int64_t ignored = 0;
  return ParseList("a list of integers",
                   [&] { return reader_.ReadNumber("an integer", ignored); });
}

bool AttributeParser::ParseIntegerLists() {
  return ParseList("a list", [&] {
    int64_t ignored = 0;
    return lexer_.Peek() == '{' ? ParseIntegers()
                                : reader_.ReadNumber("an integer", ignored);
  });
}

bool AttributeParser::ParseBools() {
  facts_.leaf_count = 0;
  return ParseList("a list of bools", [&] {
    ++facts_.leaf_count;
    return reader_.ReadBool();
  });
}

// {[0:4], [0:8:2]}
bool AttributeParser::ParseSlice() {
  return ParseList("slice ranges", [&] {
    int64_t ignored = 0;
    if (!reader_.Expect('[', "at the start of a range") ||
        !reader_.ReadNumber("the start", ignored) ||
        !reader_.Expect(':', "behind the start") ||
        !reader_.ReadNumber("the limit", ignored)) {
      return false;
    }
    if (lexer_.Consume(':') && !reader_.ReadNumber("the stride", ignored)) {
      return false;
    }
    return reader_.Expect(']', "at the end of a range");
  });
}

// `name=values` without commas; each list as long as that of `size`.
bool AttributeParser::ParseWindow() {
  constexpr absl::string_view kNames[] = {
      "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  int64_t counts[std::size(kNames)] = {};
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Expect('{', "to start a window")) return false;
  while (!lexer_.Consume('}')) {
    const uint64_t offset = lexer_.TokenOffset();
    const absl::string_view name = lexer_.ScanAttributeName();
    const size_t field =
        std::find(std::begin(kNames), std::end(kNames), name) - kNames;
    if (field == std::size(kNames)) {
      lexer_.set_offset(offset);
      return reader_.errors.Expected(
          lexer_, absl::StrCat("a part of a window (",
                               absl::StrJoin(kNames, ", "), ")"));
    }
    if (counts[field] != 0) {
      return reader_.BadValue(offset,
                              absl::StrCat("`", name, "` stands here twice"));
    }
    const bool ok = name == "pad" ? ParsePadding(false, counts[field])
                                  : ParseWindowSizes(counts[field]);
    if (!ok) return false;
  }
  for (size_t field = 1; field < std::size(kNames); ++field) {
    if (counts[field] != 0 && counts[field] != counts[0]) {
      return reader_.BadValue(
          start, absl::StrCat("expected `", kNames[field],
                              "=` to have as many numbers as `size=`: ",
                              counts[0], ", but it has ", counts[field]));
    }
  }
  return true;
}

// 3 or 3x3.
bool AttributeParser::ParseWindowSizes(int64_t& count) {
  const uint64_t offset = lexer_.TokenOffset();
  absl::string_view text = lexer_.ScanBareValue();
  for (count = 1;; ++count) {
    HloLexer number(text);
    const absl::string_view digits = number.ScanInteger();
    if (!IntegerValue(digits).has_value()) break;
    text.remove_prefix(digits.size());
    if (text.empty()) return true;
    if (text.front() != 'x') break;
    text.remove_prefix(1);
  }
  lexer_.set_offset(offset);
  return reader_.errors.Expected(lexer_, "sizes like 3x3");
}

// {lhs={sparsity=1x4 dimension=1 stride=0} rhs={...}}
bool AttributeParser::ParseSparsity() {
  if (!reader_.Expect('{', "to start a sparsity config")) return false;
  while (!lexer_.Consume('}')) {
    const absl::string_view side = lexer_.ScanAttributeName();
    if (side != "lhs" && side != "rhs") {
      return reader_.errors.Expected(lexer_, "`lhs=` or `rhs=`");
    }
    if (!reader_.Expect('{')) return false;
    while (!lexer_.Consume('}')) {
      int64_t count = 0;
      const absl::string_view name = lexer_.ScanAttributeName();
      if (name != "sparsity" && name != "dimension" && name != "stride") {
        return reader_.errors.Expected(
            lexer_, "`sparsity=`, `dimension=` or `stride=`");
      }
      if (!ParseWindowSizes(count)) return false;
    }
  }
  return true;
}

bool AttributeParser::ParsePrecisions() {
  return ParseList("precisions", [&] {
    const uint64_t offset = lexer_.TokenOffset();
    const absl::string_view word = lexer_.ScanWord();
    for (absl::string_view precision : {"default", "high", "highest"}) {
      if (absl::EqualsIgnoreCase(word, precision)) return true;
    }
    lexer_.set_offset(offset);
    return reader_.errors.Expected(lexer_,
                                   "a precision (default, high, highest)");
  });
}

bool AttributeParser::ParseShapeIndex(std::vector<int64_t>& index) {
  index.clear();
  return ParseList("a shape index", [&] {
    return reader_.ReadNumber("an element number", index.emplace_back());
  });
}

// {{0}: (1, {}), {1}: (0, {})}
bool AttributeParser::ParseAliasing() {
  std::vector<int64_t> index;
  return ParseList("aliasing", [&] {
    int64_t operand = 0;
    return ParseShapeIndex(index) &&
           reader_.Expect(':', "behind the output index") &&
           reader_.Expect('(', "in front of the operand") &&
           reader_.ReadNumber("an operand number", operand) &&
           reader_.Expect(',', "behind the operand number") &&
           ParseShapeIndex(index) && reader_.Expect(')', "behind the operand");
  });
}

bool AttributeParser::ParseShapes() {
  facts_.shapes.clear();
  return ParseList("a list of shapes", [&] {
    facts_.shapes.push_back(shapes_.Parse());
    return facts_.shapes.back() != nullptr;
  });
}

bool AttributeParser::ParseFrontendAttributes() {
  return ParseList("frontend attributes", [&] {
    if (lexer_.ScanAttributeName().empty()) {
      return reader_.errors.Expected(lexer_, "`key=`");
    }
    return ParseStringOrBraces();
  });
}

bool AttributeParser::ParseStatistics() {
  bool first = true;
  return ParseList("statistics", [&] {
    const absl::string_view name = lexer_.ScanAttributeName();
    if (name.empty() || (first && name != "visualizing_index")) {
      return reader_.errors.Expected(
          lexer_, first ? "`visualizing_index=`" : "`name=`");
    }
    first = false;
    return ParseNumber();
  });
}

// {mode=highest} or {tolerance={atol=1,rtol=0.5,ulps=2}}
bool AttributeParser::ParseResultAccuracy() {
  if (!reader_.Expect('{', "to start a result accuracy")) return false;
  const absl::string_view name = lexer_.ScanAttributeName();
  if (name == "mode") {
    const uint64_t offset = lexer_.TokenOffset();
    const absl::string_view mode = lexer_.ScanWord();
    if (!absl::EqualsIgnoreCase(mode, "default") &&
        !absl::EqualsIgnoreCase(mode, "highest")) {
      lexer_.set_offset(offset);
      return reader_.errors.Expected(lexer_, "a mode (default, highest)");
    }
  } else if (name == "tolerance") {
    const bool ok = ParseList("a tolerance", [&] {
      const absl::string_view part = lexer_.ScanAttributeName();
      if (part == "atol" || part == "rtol" || part == "ulps") {
        return ParseNumber();
      }
      return reader_.errors.Expected(lexer_, "`atol=`, `rtol=` or `ulps=`");
    });
    if (!ok) return false;
  } else {
    return reader_.errors.Expected(lexer_, "`mode=` or `tolerance=`");
  }
  return reader_.Expect('}', "at the end of a result accuracy");
}

// {{"name" {1}}}, {({"a"}, ({"b"}, {}))}, {[synthetic_call]}
bool AttributeParser::ParseOrigin() {
  facts_.leaf_count = 0;
  if (!reader_.Expect('{', "to start an origin")) return false;
  if (lexer_.Consume('[')) {
    facts_.leaf_count = -1;  // any
    if (!lexer_.ConsumeWord("synthetic_call")) {
      return reader_.errors.Expected(lexer_, "`synthetic_call`");
    }
    return reader_.Expect(']') && reader_.Expect('}');
  }
  int64_t depth = 0;
  while (true) {
    if (lexer_.Consume('(')) {
      ++depth;
      if (lexer_.Peek() != ')') continue;
    } else if (!ParseOriginArray()) {
      return false;
    }
    while (depth > 0 && lexer_.Consume(')')) --depth;
    if (depth == 0 && lexer_.Consume('}')) return true;
    if (!reader_.Expect(',', "in an origin")) return false;
  }
}

bool AttributeParser::ParseOriginArray() {
  std::vector<int64_t> index;
  absl::string_view name;
  ++facts_.leaf_count;
  if (!reader_.Expect('{', "to start an array's origin")) return false;
  if (lexer_.Consume('}')) return true;
  if (!reader_.ReadQuoted("a quoted instruction name", name)) return false;
  if (lexer_.Peek() == '{' && !ParseShapeIndex(index)) return false;
  return reader_.Expect('}', "at the end of an array's origin");
}

bool AttributeParser::ParseMetadata() {
  uint32_t seen = 0;
  if (!reader_.Expect('{', "to start metadata")) return false;
  while (!lexer_.Consume('}')) {
    const uint64_t offset = lexer_.TokenOffset();
    const absl::string_view name = lexer_.ScanAttributeName();
    if (name.empty()) {
      return reader_.errors.Expected(lexer_, "a field of metadata or `}`");
    }
    if (!ParseMetadataField(name, offset, seen)) return false;
    lexer_.Consume(',');
  }
  return true;
}

bool AttributeParser::ParseMetadata(std::string& text) {
  const uint64_t start = lexer_.TokenOffset();
  if (!ParseMetadata()) return false;
  text = std::string(lexer_.TextSince(start));
  return true;
}

bool AttributeParser::ParseMetadataField(absl::string_view name,
                                         uint64_t offset, uint32_t& seen) {
  const auto field = std::find_if(
      std::begin(kMetadataFields), std::end(kMetadataFields),
      [&](const MetadataField& field) { return field.name == name; });
  if (field == std::end(kMetadataFields)) {
    // Old dumps have fields that are gone, new ones may have more.
    if (allow_unknown_) return ParseUnknownValue();
    return reader_.Fail(DiagnosticCode::kSyntaxError, offset,
                        absl::StrCat("metadata has no field `", name, "`"));
  }
  const uint32_t bit = 1u << (field - kMetadataFields);
  if ((seen & bit) != 0) {
    return reader_.BadValue(
        offset, absl::StrCat("attribute ", name, " already exists"));
  }
  seen |= bit;
  absl::string_view text;
  if (field->form == FieldForm::kText) {
    return reader_.ReadQuoted("a string", text);
  }
  if (field->form == FieldForm::kIntegers) return ParseIntegers();
  int64_t value = 0;
  if (!reader_.ReadNumber("an integer", value)) return false;
  return value == static_cast<int32_t>(value) ||
         reader_.BadValue(offset, "value out of range for int32_t");
}

bool AttributeParser::ParseStringOrBraces() {
  absl::string_view text;
  if (lexer_.Peek() != '{') {
    return reader_.ReadQuoted("a string or `{...}`", text);
  }
  if (!lexer_.ScanBraces().empty()) return true;
  return reader_.Fail(DiagnosticCode::kSyntaxError, lexer_.TokenOffset(),
                      "this `{` has no matching `}`");
}

// Whatever it is: balanced brackets, strings and words without white space
// between, up to a comma or the next line's instruction.
bool AttributeParser::ParseUnknownValue() {
  const uint64_t start = lexer_.TokenOffset();
  int64_t depth = 0;
  while (true) {
    const char here = depth > 0 ? lexer_.Peek() : lexer_.PeekHere();
    if (here == '"' || here == '\'') {
      if (lexer_.ScanString().empty()) {
        return reader_.errors.Expected(lexer_, "the end of a string");
      }
    } else if (here == '{' || here == '[' || here == '(') {
      ++depth;
      lexer_.Consume(here);
    } else if (depth > 0 && (here == '}' || here == ']' || here == ')')) {
      --depth;
      lexer_.Consume(here);
    } else if (here == '\0' ||
               (depth == 0 && (here == ',' || here == '}' || here == ')' ||
                               here == ']' || here == ' ' || here == '\n' ||
                               here == '\t' || here == '\r' || here == '/'))) {
      break;
    } else {
      lexer_.Consume(here);
    }
  }
  if (depth > 0) return reader_.errors.Expected(lexer_, "a closing bracket");
  return lexer_.offset() > start ||
         reader_.errors.Expected(lexer_, "the value of an attribute");
}

}  // namespace ferry
