// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_INTEGER_LIST_H_
#define FERRY_HLO_INTEGER_LIST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// Lists that are printed without white space. Tested by integer_list_test.cc.

// `{0,1}`
struct IntegerList {
  absl::InlinedVector<int64_t, 6> values;
  void AppendTo(std::string& out) const;
};
absl::Status Read(HloLexer& lexer, IntegerList& list);

// `{{0,1},{2}}`
struct IntegerLists {
  std::vector<IntegerList> lists;
  void AppendTo(std::string& out) const;
};
absl::Status Read(HloLexer& lexer, IntegerLists& lists);

// `{true,false}`
struct BoolList {
  absl::InlinedVector<bool, 8> values;
  void AppendTo(std::string& out) const;
};
absl::Status Read(HloLexer& lexer, BoolList& list);

}  // namespace ferry

#endif  // FERRY_HLO_INTEGER_LIST_H_
