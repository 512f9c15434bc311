// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/op_metadata.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/unknown_value.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

// The fields in the order of printing, each read by its form.
struct TextField {
  absl::string_view name;
  absl::string_view OpMetadata::* member;
};
struct NumberField {
  absl::string_view name;
  int32_t OpMetadata::* member;
};
constexpr TextField kOpTexts[] = {
    {"op_type", &OpMetadata::op_type},
    {"op_name", &OpMetadata::op_name},
    {"source_file", &OpMetadata::source_file},
    {"deduplicated_name", &OpMetadata::deduplicated_name},
    {"scheduling_name", &OpMetadata::scheduling_name}};
constexpr NumberField kNumbers[] = {
    {"source_line", &OpMetadata::source_line},
    {"source_end_line", &OpMetadata::source_end_line},
    {"source_column", &OpMetadata::source_column},
    {"source_end_column", &OpMetadata::source_end_column},
    {"stack_frame_id", &OpMetadata::stack_frame_id}};
constexpr absl::string_view kProfileType = "profile_type";
constexpr absl::string_view kPayload = "metadata_payload";
constexpr int32_t kProfileTypes = 4;

// Which fields were read, one bit each.
class SeenFields {
 public:
  // False the second time.
  bool Mark(int field) {
    const uint32_t bit = 1u << field;
    const bool is_new = (bits_ & bit) == 0;
    bits_ |= bit;
    return is_new;
  }

 private:
  uint32_t bits_ = 0;
};

absl::Status ReadProfileTypes(HloLexer& lexer, OpMetadata& metadata) {
  return ReadList(lexer, "profile types", [&] {
    const uint64_t offset = lexer.TokenOffset();
    int64_t type = 0;
    FERRY_RETURN_IF_ERROR(ReadInt64(lexer, "a profile type", type));
    if (type >= 0 && type < kProfileTypes) {
      metadata.profile_types.push_back(static_cast<int32_t>(type));
      return absl::OkStatus();
    }
    lexer.set_offset(offset);
    return absl::OutOfRangeError(
        absl::StrCat("there is no profile type ", type, ": they are 0 to 3"));
  });
}

// Behind `name=`. `field` tells fields apart; -1 if there is none of the name.
absl::Status ReadField(HloLexer& lexer, absl::string_view name,
                       OpMetadata& metadata, int& field) {
  field = 0;
  for (const TextField& text : kOpTexts) {
    if (text.name == name) {
      return ReadQuotedString(lexer, "a string", metadata.strings,
                              metadata.*text.member);
    }
    ++field;
  }
  for (const NumberField& number : kNumbers) {
    if (number.name == name) {
      return ReadInt32(lexer, "an integer", metadata.*number.member);
    }
    ++field;
  }
  if (name == kProfileType) return ReadProfileTypes(lexer, metadata);
  ++field;
  if (name == kPayload) {
    return ReadQuotedString(lexer, "a string", metadata.strings,
                            metadata.metadata_payload.emplace());
  }
  field = -1;
  return absl::OkStatus();
}

void AppendText(absl::string_view name, absl::string_view text,
                std::string& out) {
  if (text.empty()) return;
  out.append(name.data(), name.size());
  out += '=';
  AppendQuoted(text, out);
  out += ' ';
}

void AppendNumber(absl::string_view name, int32_t number, std::string& out) {
  if (number != 0) absl::StrAppend(&out, name, "=", number, " ");
}

}  // namespace

void OpMetadata::clear() {
  op_type = op_name = source_file = {};
  source_line = source_end_line = source_column = source_end_column = 0;
  profile_types.clear();
  deduplicated_name = scheduling_name = {};
  stack_frame_id = 0;
  metadata_payload.reset();
  unknown_fields.clear();
  strings.clear();
}

bool OpMetadata::IsPrinted() const {
  return !op_type.empty() || !op_name.empty() || !source_file.empty() ||
         !scheduling_name.empty() || stack_frame_id != 0 ||
         metadata_payload.has_value() || !unknown_fields.empty();
}

void OpMetadata::AppendTo(std::string& out) const {
  out += '{';
  const size_t start = out.size();
  AppendText("op_type", op_type, out);
  AppendText("op_name", op_name, out);
  AppendText("source_file", source_file, out);
  AppendNumber("source_line", source_line, out);
  AppendNumber("source_end_line", source_end_line, out);
  AppendNumber("source_column", source_column, out);
  AppendNumber("source_end_column", source_end_column, out);
  if (!profile_types.empty()) {
    absl::StrAppend(&out, kProfileType, "={");
    for (size_t i = 0; i < profile_types.size(); ++i) {
      absl::StrAppend(&out, i == 0 ? "" : ",", profile_types[i]);
    }
    out += "} ";
  }
  AppendText("deduplicated_name", deduplicated_name, out);
  AppendText("scheduling_name", scheduling_name, out);
  AppendNumber("stack_frame_id", stack_frame_id, out);
  if (metadata_payload.has_value()) {
    absl::StrAppend(&out, kPayload, "=");
    AppendQuoted(*metadata_payload, out);
    out += ' ';
  }
  for (absl::string_view field : unknown_fields) {
    absl::StrAppend(&out, field, " ");
  }
  if (out.size() > start) out.pop_back();
  out += '}';
}

absl::Status Read(HloLexer& lexer, OpMetadata& metadata, bool may_be_unknown) {
  metadata.clear();
  FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, '{', "to start metadata"));
  SeenFields seen;
  while (!lexer.Consume('}')) {
    lexer.Consume(',');
    const uint64_t offset = lexer.TokenOffset();
    const absl::string_view name = lexer.ScanAttributeName();
    if (name.empty()) {
      return ExpectedError(lexer, "a field of metadata or `}`");
    }
    int field = -1;
    FERRY_RETURN_IF_ERROR(ReadField(lexer, name, metadata, field));
    if (field >= 0 && seen.Mark(field)) continue;
    if (field < 0 && may_be_unknown) {
      FERRY_RETURN_IF_ERROR(ReadUnknownValue(lexer));
      metadata.unknown_fields.push_back(lexer.TextSince(offset));
      continue;
    }
    lexer.set_offset(offset);
    return absl::OutOfRangeError(
        field < 0 ? absl::StrCat("metadata has no field `", name, "`")
                  : absl::StrCat("attribute ", name, " already exists"));
  }
  return absl::OkStatus();
}

namespace {

constexpr absl::string_view kIdField = "stack_frame_id=";

// Where kIdField stands outside of strings; npos if nowhere.
size_t FindIdField(absl::string_view metadata) {
  if (metadata.rfind(kIdField) == absl::string_view::npos) {
    return absl::string_view::npos;
  }
  bool is_quoted = false;
  for (size_t i = 0; i < metadata.size(); ++i) {
    if (metadata[i] == '\\') {
      ++i;
    } else if (metadata[i] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && absl::StartsWith(metadata.substr(i), kIdField)) {
      return i;
    }
  }
  return absl::string_view::npos;
}

}  // namespace

std::optional<StackFrameIdField> FindStackFrameId(absl::string_view metadata) {
  const size_t at = FindIdField(metadata);
  if (at == absl::string_view::npos) return std::nullopt;
  StackFrameIdField field;
  field.begin = at + kIdField.size();
  field.end = field.begin;
  while (field.end < metadata.size() &&
         (metadata[field.end] == '-' ||
          absl::ascii_isdigit(metadata[field.end]))) {
    ++field.end;
  }
  const absl::string_view number =
      metadata.substr(field.begin, field.end - field.begin);
  if (!absl::SimpleAtoi(number, &field.id)) return std::nullopt;
  return field;
}

std::optional<std::string> WithoutStackFrameId(absl::string_view metadata,
                                               const StackFrameIdField& field) {
  size_t begin = field.begin - kIdField.size();
  size_t end = field.end;
  // The space goes with the field.
  if (begin > 1) {
    --begin;
  } else if (end < metadata.size() && metadata[end] == ' ') {
    ++end;
  }
  std::string left =
      absl::StrCat(metadata.substr(0, begin), metadata.substr(end));
  OpMetadata read;
  if (!ReadWhole(left, read).ok() || !read.IsPrinted()) return std::nullopt;
  return left;
}

}  // namespace ferry
