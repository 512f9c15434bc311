// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_PLACEMENT_ANNOTATION_H_
#define FERRY_PASSES_PLACEMENT_ANNOTATION_H_

#include "ferry/hlo/hlo_instruction.h"

namespace ferry {

// What an instruction asks about the memory of its operand, whether as the
// framework writes it (`annotate_device_placement` with the frontend attribute
// `_xla_buffer_placement`) or as compilers do inside (`MoveToHost`, ...).
// Tested by host_offload_analysis_test.cc and
// tests/passes/check_host_offload_annotations.hlo.
enum class PlacementAnnotation {
  kNone,
  kMoveToHost,
  kMoveToDevice,
  // Stays in device memory, or goes to on-chip memory: host offload passes it
  // on as it is.
  kPinToDevice,
  // A placement that nobody knows, or none at all.
  kUnknown,
};
PlacementAnnotation AnnotationOf(const HloInstruction& instruction);

// What a framework's annotation asks for, as written ("pinned_host").
absl::string_view RequestedPlacement(const HloInstruction& instruction);

// Whether the instruction runs on the host because it is marked so: the
// frontend attribute `_xla_compute_type="host"`, the backend's device type, an
// asynchronous start on the thread "host", or a `HostExecute` call.
bool IsMarkedHostCompute(const HloInstruction& instruction);

// Custom calls that hand on operand 0 unchanged: shardings and the like.
bool IsIdentityCustomCall(const HloInstruction& instruction);

// An `AllocateBuffer`: bytes with undefined contents.
bool IsUndefinedBuffer(const HloInstruction& instruction);

// A reshape that moves no data in tiled memory: unit dimensions come or go, or
// major dimensions merge or split while the two minor ones stay whole tiles.
bool IsFreeReshape(const Shape& from, const Shape& to);

// A collective in which every participant is alone, so that the result is the
// operand.
bool IsCollectiveOfOne(const HloInstruction& instruction);

// A reduction over unit dimensions only.
bool IsTrivialReduce(const HloInstruction& instruction);

}  // namespace ferry

#endif  // FERRY_PASSES_PLACEMENT_ANNOTATION_H_
