// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_PLACE_HOST_VALUES_H_
#define FERRY_PASSES_PLACE_HOST_VALUES_H_

#include "ferry/passes/hlo_pass.h"

namespace ferry {

// Moves values between device and host where annotations ask for it: layouts
// say S(5), and copies stand in place of the annotations.
//
//   %h = custom-call(%x), "MoveToHost"     %h = f32[8]{0:S(5)} copy(%x)
//   %d = custom-call(%h), "MoveToDevice"   %d = f32[8]{0} copy(%h)
//
// What is on host is what the tracker finds (host_offload_analysis.h), and in
// front of an update on host the buffer that it writes into, back to where that
// is made. An update that is moved to host only to be written into such a
// buffer is written by the update itself; a slice of a host value that is moved
// to the device is read there by the slice. Annotations that ask for nothing
// (of values that are there already, pins, unknown placements) go. Parameters
// and results are where the entry layout says, a copy in front of the root if
// need be; a placement that is an error (E1200) is measured as if repaired so.
//
// Before: verified; calls in place (inline-calls).
// After:  no placement annotations; each value is in the memory that its layout
//         says.
// Cost:   O(n) in positions.
//
// Tested by tests/passes/place_host_values.hlo.
class PlaceHostValues final : public HloPass {
 public:
  absl::string_view name() const override { return "place-host-values"; }
  absl::StatusOr<bool> Run(HloModule& module, PassContext& context) override;
};

}  // namespace ferry

#endif  // FERRY_PASSES_PLACE_HOST_VALUES_H_
