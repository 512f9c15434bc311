// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/integer_list.h"

#include "absl/strings/str_cat.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {

void IntegerList::AppendTo(std::string& out) const {
  out += '{';
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    absl::StrAppend(&out, values[i]);
  }
  out += '}';
}

absl::Status Read(HloLexer& lexer, IntegerList& list) {
  list.values.clear();
  return ReadList(lexer, "a list of integers", [&] {
    return ReadInt64(lexer, "an integer", list.values.emplace_back());
  });
}

void IntegerLists::AppendTo(std::string& out) const {
  out += '{';
  for (size_t i = 0; i < lists.size(); ++i) {
    if (i > 0) out += ',';
    lists[i].AppendTo(out);
  }
  out += '}';
}

absl::Status Read(HloLexer& lexer, IntegerLists& lists) {
  lists.lists.clear();
  return ReadList(lexer, "a list of lists",
                  [&] { return Read(lexer, lists.lists.emplace_back()); });
}

void BoolList::AppendTo(std::string& out) const {
  out += '{';
  for (size_t i = 0; i < values.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "" : ",", values[i] ? "true" : "false");
  }
  out += '}';
}

absl::Status Read(HloLexer& lexer, BoolList& list) {
  list.values.clear();
  return ReadList(lexer, "a list of bools",
                  [&] { return ReadBool(lexer, list.values.emplace_back()); });
}

}  // namespace ferry
