// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_SPLIT_INPUT_H_
#define FERRY_TOOLS_SPLIT_INPUT_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/source_text.h"

namespace ferry {

// What stands between the cases of a golden file, alone on its line.
inline constexpr absl::string_view kSplitMarker = "// -----";

// The cases of a file, each a source of its own with the name and the line
// numbers of the whole. Cases of nothing but comments are left out; a file of
// nothing else is one case. Tested by split_input_test.cc.
std::vector<std::shared_ptr<const SourceText>> SplitInput(
    const std::shared_ptr<const SourceText>& source);

}  // namespace ferry

#endif  // FERRY_TOOLS_SPLIT_INPUT_H_
