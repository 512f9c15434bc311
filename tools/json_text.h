// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_JSON_TEXT_H_
#define FERRY_TOOLS_JSON_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "ferry/hlo/string_ref.h"
#include "llvm/Support/JSON.h"

namespace ferry {

// A JSON string: JSON is UTF-8, inputs need not be.
// Tested by json_text_test.cc.
inline llvm::json::Value JsonText(absl::string_view text) {
  const llvm::StringRef bytes = ToStringRef(text);
  if (llvm::json::isUTF8(bytes)) return llvm::json::Value(bytes.str());
  return llvm::json::Value(llvm::json::fixUTF8(bytes));
}

// The same, with null for the empty text: what is not known.
inline llvm::json::Value JsonTextOrNull(absl::string_view text) {
  return text.empty() ? llvm::json::Value(nullptr) : JsonText(text);
}

// Null for a number that is not known.
inline llvm::json::Value JsonNumberOrNull(std::optional<int64_t> number) {
  return number.has_value() ? llvm::json::Value(*number)
                            : llvm::json::Value(nullptr);
}

}  // namespace ferry

#endif  // FERRY_TOOLS_JSON_TEXT_H_
