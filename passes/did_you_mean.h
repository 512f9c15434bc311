// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_DID_YOU_MEAN_H_
#define FERRY_PASSES_DID_YOU_MEAN_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace ferry {

// The end of a message about a name that is none of `known`: "; did you mean
// `verify`?" if one of them is near, else empty. Of equally near ones the
// earliest.
std::string DidYouMean(absl::string_view name,
                       absl::Span<const absl::string_view> known);

}  // namespace ferry

#endif  // FERRY_PASSES_DID_YOU_MEAN_H_
