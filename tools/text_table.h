// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_TEXT_TABLE_H_
#define FERRY_TOOLS_TEXT_TABLE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"

namespace ferry {

using TextRow = std::vector<std::string>;

// Rows for people: indented by two, columns aligned and two apart, no spaces at
// the end of a line. Tested by text_table_test.cc.
std::string TextTable(absl::Span<const TextRow> rows);

}  // namespace ferry

#endif  // FERRY_TOOLS_TEXT_TABLE_H_
