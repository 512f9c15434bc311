// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_STRING_REF_H_
#define FERRY_HLO_STRING_REF_H_

#include "absl/strings/string_view.h"
#include "llvm/ADT/StringRef.h"

namespace ferry {

// The only place where the two string views meet: some distributions build
// absl::string_view as a class of its own, without conversions.
// Tested by string_ref_test.cc.
inline llvm::StringRef ToStringRef(absl::string_view text) {
  return llvm::StringRef(text.data(), text.size());
}
inline absl::string_view ToStringView(llvm::StringRef text) {
  return absl::string_view(text.data(), text.size());
}

}  // namespace ferry

#endif  // FERRY_HLO_STRING_REF_H_
