// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_CALLEE_ATTRIBUTES_H_
#define FERRY_HLO_CALLEE_ATTRIBUTES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/hlo_module.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {

// Whether the values of the attribute are computations, as callee_attribute.def
// says, and whether it names any number of them, in braces.
bool IsCalleeAttributeName(absl::string_view name);
bool IsCalleeList(absl::string_view name);

// The attributes in which an instruction is printed to call computations, in
// the order of printing:
//
//   while                  condition=%c, body=%b
//   conditional of a pred  true_computation=%t, false_computation=%f
//   conditional of an s32  branch_computations={%b0, %b1}
//
// Tested by callee_attributes_test.cc.
struct CalleeAttribute {
  absl::string_view name;
  absl::Span<HloComputation* const> callees;
  bool is_list = false;  // in braces
};
using CalleeAttributeList = llvm::SmallVector<CalleeAttribute, 2>;

CalleeAttributeList CalleeAttributes(const HloInstruction& instruction);

// In XLA's canonical form, which has names of its own for some opcodes and
// writes the bodies out. Without braces, several bodies may stand behind one
// name.
CalleeAttributeList CanonicalCalleeAttributes(
    const HloInstruction& instruction);

}  // namespace ferry

#endif  // FERRY_HLO_CALLEE_ATTRIBUTES_H_
