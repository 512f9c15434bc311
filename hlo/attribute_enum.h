// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ATTRIBUTE_ENUM_H_
#define FERRY_HLO_ATTRIBUTE_ENUM_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_opcode.h"

namespace ferry {

// The values of an attribute that is one of a few words, from
// attribute_enum.def. Tested by attribute_enum_test.cc.
struct AttributeEnum {
  absl::Span<const absl::string_view> values;  // as they are printed
  bool any_case;
};

// `algorithm` has other values on rng-bit-generator than on dot. Null if the
// attribute has another form.
const AttributeEnum* FindAttributeEnum(HloOpcode opcode, HloAttributeKind kind);

// The value that `word` means; empty if there is none.
absl::string_view FindEnumValue(const AttributeEnum& attribute,
                                absl::string_view word);

}  // namespace ferry

#endif  // FERRY_HLO_ATTRIBUTE_ENUM_H_
