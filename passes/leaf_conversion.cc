// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/leaf_conversion.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/shape_walk.h"

namespace ferry {
namespace {

HloInstruction& TakeElement(HloModule& module, HloInstruction& tuple,
                            int64_t element, HloInstruction* before) {
  if (tuple.opcode() == HloOpcode::kTuple) return tuple.operand(element);
  HloInstruction* const operands[] = {&tuple};
  HloModule::InstructionSpec spec = {};
  spec.opcode = HloOpcode::kGetTupleElement;
  spec.name = module.UniqueName("get-tuple-element");
  spec.shape = tuple.shape().tuple_shapes()[element];
  spec.operands = operands;
  spec.number = element;
  return module.AddInstruction(tuple.parent(), spec, before);
}

}  // namespace

HloInstruction& ConvertLeaves(HloModule& module, HloInstruction& value,
                              const Shape& target, HloInstruction* before,
                              LeafConverter convert) {
  if (&value.shape() == &target) return value;
  if (!value.shape().IsTuple()) return convert(value, target, before);
  // By ordinal; elements stand behind the tuples that hold them.
  std::vector<HloInstruction*> nodes(value.shape().node_count(), nullptr);
  std::vector<const Shape*> shapes;
  std::vector<const Shape*> targets;
  for (ShapeWalk walk(value.shape()); !walk.AtEnd(); walk.Next()) {
    shapes.push_back(&walk.node());
  }
  for (ShapeWalk walk(target); !walk.AtEnd(); walk.Next()) {
    targets.push_back(&walk.node());
  }
  nodes[0] = &value;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] == nullptr || shapes[i] == targets[i]) continue;
    for (size_t k = 0; k < shapes[i]->tuple_shapes().size(); ++k) {
      nodes[i + shapes[i]->ElementOrdinal(k)] =
          &TakeElement(module, *nodes[i], k, before);
    }
  }
  for (size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i] == nullptr || shapes[i] == targets[i]) continue;
    if (!shapes[i]->IsTuple()) {
      nodes[i] = &convert(*nodes[i], *targets[i], before);
      continue;
    }
    std::vector<HloInstruction*> elements;
    for (size_t k = 0; k < shapes[i]->tuple_shapes().size(); ++k) {
      elements.push_back(nodes[i + shapes[i]->ElementOrdinal(k)]);
    }
    HloModule::InstructionSpec spec = {};
    spec.opcode = HloOpcode::kTuple;
    spec.name = module.UniqueName("tuple");
    spec.shape = targets[i];
    spec.operands = elements;
    nodes[i] = &module.AddInstruction(value.parent(), spec, before);
  }
  return *nodes[0];
}

bool ConvertOperand(HloModule& module, HloInstruction& user, int64_t operand,
                    const Shape& target, LeafConverter convert) {
  HloInstruction& old = user.operand(operand);
  HloInstruction& converted =
      ConvertLeaves(module, old, target, &user, convert);
  if (&converted == &old) return false;
  module.ReplaceOperand(user, operand, converted);
  return true;
}

bool ConvertRoot(HloModule& module, HloComputation& computation,
                 const Shape& target, LeafConverter convert) {
  HloInstruction& root = computation.root();
  HloInstruction& converted =
      ConvertLeaves(module, root, target, nullptr, convert);
  if (&converted == &root) return false;
  module.set_root(computation, converted);
  return true;
}

HloInstruction& AddCopy(HloModule& module, HloInstruction& value,
                        const Shape& target, HloInstruction* before) {
  HloInstruction* const operands[] = {&value};
  std::vector<HloAttribute> attributes;
  const absl::string_view metadata =
      value.attribute(HloAttributeKind::kMetadata);
  if (!metadata.empty()) {
    attributes.push_back({HloAttributeKind::kMetadata, metadata});
  }
  HloModule::InstructionSpec spec = {};
  spec.opcode = HloOpcode::kCopy;
  spec.name = module.UniqueName("copy");
  spec.shape = &target;
  spec.operands = operands;
  spec.attributes = attributes;
  return module.AddInstruction(value.parent(), spec, before);
}

}  // namespace ferry
