// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/stack_frame_parser.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_attribute.h"

namespace ferry {
namespace {

// (number "text"?)*: the numbers do not count, the order does.
bool ParseStrings(TextReader& reader, std::vector<std::string>& strings) {
  while (!reader.lexer.ScanInteger().empty()) {
    const char next = reader.lexer.Peek();
    if (next != '"' && next != '\'') {
      strings.emplace_back();
      continue;
    }
    absl::string_view text;
    if (!reader.ReadQuoted("a string", text)) return false;
    strings.push_back(ReadString(text));
  }
  return true;
}

struct Field {
  absl::string_view name;
  int32_t* value;
};

// number {name=value ...}: each field once, in any order.
bool ParseFields(TextReader& reader, absl::Span<const Field> fields) {
  uint32_t seen = 0;
  if (!reader.Expect('{', "to start the fields")) return false;
  while (!reader.lexer.Consume('}')) {
    const uint64_t offset = reader.lexer.TokenOffset();
    const absl::string_view name = reader.lexer.ScanAttributeName();
    size_t field = 0;
    while (field < fields.size() && fields[field].name != name) ++field;
    if (field == fields.size()) {
      reader.lexer.set_offset(offset);
      return reader.errors.Expected(reader.lexer, "a field or `}`");
    }
    if ((seen >> field & 1) != 0) {
      return reader.BadValue(
          offset, absl::StrCat("attribute ", name, " already exists"));
    }
    seen |= 1u << field;
    int64_t value = 0;
    if (!reader.ReadNumber("an integer", value)) return false;
    *fields[field].value = static_cast<int32_t>(value);
    if (value != *fields[field].value) {
      return reader.BadValue(offset, "value out of range for int32_t");
    }
    reader.lexer.Consume(',');
  }
  for (size_t field = 0; field < fields.size(); ++field) {
    if ((seen >> field & 1) != 0) continue;
    return reader.BadValue(reader.lexer.offset(),
                           absl::StrCat("sub-attribute ", fields[field].name,
                                        " is expected but not seen"));
  }
  return true;
}

bool ExpectTable(TextReader& reader, absl::string_view name) {
  return reader.lexer.ConsumeWord(name) ||
         reader.errors.Expected(reader.lexer, absl::StrCat("`", name, "`"));
}

void PrintStrings(absl::string_view title,
                  const std::vector<std::string>& strings, std::string& out) {
  absl::StrAppend(&out, "\n", title, "\n");
  for (size_t i = 0; i < strings.size(); ++i) {
    absl::StrAppend(&out, i + 1, " \"", absl::CEscape(strings[i]), "\"\n");
  }
}

}  // namespace

bool ParseStackFrames(TextReader reader, StackFrames& frames) {
  HloLexer& lexer = reader.lexer;
  if (!lexer.ConsumeWord("FileNames")) return true;
  if (!ParseStrings(reader, frames.file_names) ||
      !ExpectTable(reader, "FunctionNames") ||
      !ParseStrings(reader, frames.function_names) ||
      !ExpectTable(reader, "FileLocations")) {
    return false;
  }
  while (!lexer.ScanInteger().empty()) {
    StackFrames::FileLocation& at = frames.file_locations.emplace_back();
    if (!ParseFields(reader, {{"file_name_id", &at.file_name_id},
                              {"function_name_id", &at.function_name_id},
                              {"line", &at.line},
                              {"end_line", &at.end_line},
                              {"column", &at.column},
                              {"end_column", &at.end_column}})) {
      return false;
    }
  }
  if (!ExpectTable(reader, "StackFrames")) return false;
  while (!lexer.ScanInteger().empty()) {
    StackFrames::Frame& frame = frames.frames.emplace_back();
    if (!ParseFields(reader, {{"file_location_id", &frame.file_location_id},
                              {"parent_frame_id", &frame.parent_frame_id}})) {
      return false;
    }
    // The text counts from 1 for no parent.
    if (frame.parent_frame_id > INT32_MIN) --frame.parent_frame_id;
  }
  return true;
}

void PrintStackFrames(const StackFrames& frames, std::string& out) {
  if (frames.empty()) return;
  PrintStrings("FileNames", frames.file_names, out);
  PrintStrings("FunctionNames", frames.function_names, out);
  out += "\nFileLocations\n";
  for (size_t i = 0; i < frames.file_locations.size(); ++i) {
    const StackFrames::FileLocation& at = frames.file_locations[i];
    absl::StrAppend(&out, i + 1, " {file_name_id=", at.file_name_id,
                    " function_name_id=", at.function_name_id);
    absl::StrAppend(&out, " line=", at.line, " end_line=", at.end_line);
    absl::StrAppend(&out, " column=", at.column, " end_column=", at.end_column,
                    "}\n");
  }
  out += "\nStackFrames\n";
  for (size_t i = 0; i < frames.frames.size(); ++i) {
    const StackFrames::Frame& frame = frames.frames[i];
    absl::StrAppend(&out, i + 1, " {file_location_id=", frame.file_location_id,
                    " parent_frame_id=", int64_t{frame.parent_frame_id} + 1,
                    "}\n");
  }
  out += "\n";
}

}  // namespace ferry
