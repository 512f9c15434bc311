// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/callee_attributes.h"

#include <algorithm>
#include <iterator>

namespace ferry {
namespace {

struct NameFacts {
  absl::string_view name;
  bool is_list;
};
constexpr NameFacts kNames[] = {
#define FERRY_CALLEE_ATTRIBUTE(name, is_list) {name, is_list},
#include "ferry/hlo/callee_attribute.def"
};

const NameFacts* FactsOf(absl::string_view name) {
  const auto* facts =
      std::find_if(std::begin(kNames), std::end(kNames),
                   [&](const NameFacts& one) { return one.name == name; });
  return facts == std::end(kNames) ? nullptr : facts;
}

bool HasPredicate(const HloInstruction& conditional) {
  return conditional.opcode() == HloOpcode::kConditional &&
         !conditional.operands().empty() &&
         conditional.operand(0).shape().element_type() == PrimitiveType::kPred;
}

// Of the first computation, and of all others.
struct CanonicalNames {
  absl::string_view first;
  absl::string_view others;
};

CanonicalNames CanonicalNamesOf(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kWhile:
      return {"condition", "body"};
    case HloOpcode::kSelectAndScatter:
      return {"select", "scatter"};
    case HloOpcode::kConditional:
      return {"true_computation", "false_computation"};
    case HloOpcode::kCall:
    case HloOpcode::kMap:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kReduce:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kScatter:
    case HloOpcode::kSort:
      return {"to_apply", "to_apply"};
    default:
      return {"calls", "calls"};
  }
}

}  // namespace

bool IsCalleeAttributeName(absl::string_view name) {
  return FactsOf(name) != nullptr;
}

bool IsCalleeList(absl::string_view name) {
  const NameFacts* facts = FactsOf(name);
  return facts != nullptr && facts->is_list;
}

CalleeAttributeList CalleeAttributes(const HloInstruction& instruction) {
  const auto callees = instruction.called_computations();
  if (callees.empty()) return {};
  if (HasPredicate(instruction) && callees.size() == 2) {
    return {{"true_computation", callees.first(1)},
            {"false_computation", callees.subspan(1)}};
  }
  CalleeAttributeList attributes;
  const auto roles = CalledComputationRoles(instruction.opcode());
  for (size_t i = 0; i < roles.size(); ++i) {
    if (IsCalleeList(roles[i])) {
      attributes.push_back({roles[i], callees, /*is_list=*/true});
    } else if (i < callees.size()) {
      attributes.push_back({roles[i], callees.subspan(i, 1)});
    }
  }
  return attributes;
}

CalleeAttributeList CanonicalCalleeAttributes(
    const HloInstruction& instruction) {
  const auto callees = instruction.called_computations();
  if (callees.empty()) return {};
  if (instruction.opcode() == HloOpcode::kCustomCall) {
    return {{"called_computations", callees, /*is_list=*/true}};
  }
  if (instruction.opcode() == HloOpcode::kConditional &&
      !HasPredicate(instruction)) {
    return {{"branch_computations", callees, /*is_list=*/true}};
  }
  const CanonicalNames names = CanonicalNamesOf(instruction.opcode());
  CalleeAttributeList attributes = {{names.first, callees.first(1)}};
  if (callees.size() > 1) {
    attributes.push_back({names.others, callees.subspan(1)});
  }
  return attributes;
}

}  // namespace ferry
