// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_DID_YOU_MEAN_H_
#define FERRY_HLO_DID_YOU_MEAN_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace ferry {

// The one of `known` that was probably meant by `name`, which is none of them;
// empty if none is near. Near is two slips, or a third of a longer word; of
// equally near ones the earliest. Comparing is quadratic in the length, so an
// absurdly long name gets no help. Tested by did_you_mean_test.cc.
absl::string_view NearestName(absl::string_view name,
                              absl::Span<const absl::string_view> known);

// The same as the end of a message: "; did you mean `verify`?", or empty.
std::string DidYouMean(absl::string_view name,
                       absl::Span<const absl::string_view> known);

}  // namespace ferry

#endif  // FERRY_HLO_DID_YOU_MEAN_H_
