// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_PARTITION_SHAPES_H_
#define FERRY_PASSES_PARTITION_SHAPES_H_

#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Gives each array the shape that one device has of it.
//
//   %x = bf16[4096,2048] parameter(0), sharding={devices=[2,1,2]<=[4] ..}
//   =>
//   %x = bf16[2048,2048] parameter(0)
//
// How parameters and marked instructions are split is given; from there it
// spreads downwards, dimension by dimension: a result is split as its operands
// are, the first one first, and no axis splits two dimensions of one array.
// Loops are split as what goes in, and where that is whole as what comes back.
// A product over a split dimension stays whole in its result (its sum over
// devices takes the result's own bytes and is not shown).
//
// Where an operand is split in another way than its user needs, a custom call
// `FerryReshard` makes the part that is needed: it stands for the all-gather,
// slice or exchange that a partitioner would choose. Fills are made anew in the
// right size instead. Marks for partitioners (Sharding, SPMDFullToShardShape,
// SPMDShardToFullShape) go, and so do all `sharding=`.
//
// This is no partitioner: it serves sizes, and values are not kept.
//
// Before: verified; tuples read through (remove-dead-code).
// After:  num_partitions devices run the module, each on arrays of its shapes;
//         no shardings. Modules for one partition only lose their marks.
// Cost:   O(n) in positions, three times.
//
// Tested by tests/passes/partition_shapes.hlo.
class PartitionShapes final : public HloPass {
 public:
  absl::string_view name() const override { return "partition-shapes"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;
};

}  // namespace ferry

#endif  // FERRY_PASSES_PARTITION_SHAPES_H_
