// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ATTRIBUTE_DEFAULTS_H_
#define FERRY_HLO_ATTRIBUTE_DEFAULTS_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_attribute.h"
#include "ferry/hlo/hlo_opcode.h"
#include "ferry/hlo/shape.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {

// What goes without saying. XLA's printer leaves out most attributes that have
// their default value (`is_stable=false`), but writes some of them even where
// the text did not (`largest=true`). All texts are those of the printer.
// Tested by attribute_defaults_test.cc.

// Whether XLA leaves the attribute out, whatever the operands are.
bool IsLeftOut(HloOpcode opcode, const HloAttribute& attribute);

// Whether `type` of a compare of `operand` is the one that it has anyway.
bool IsDefaultCompareType(absl::string_view type, const Shape& operand);

// Appends what XLA writes even if it was not given. `shape` is what rules it:
// that of the first operand, null if there is none, or the result of a map;
// `save_text` makes a text live as long as the attributes.
void AddUnwritten(
    HloOpcode opcode, const Shape* shape,
    absl::FunctionRef<absl::string_view(absl::string_view)> save_text,
    llvm::SmallVectorImpl<HloAttribute>& attributes);

}  // namespace ferry

#endif  // FERRY_HLO_ATTRIBUTE_DEFAULTS_H_
