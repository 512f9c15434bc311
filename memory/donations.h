// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_DONATIONS_H_
#define FERRY_MEMORY_DONATIONS_H_

#include <optional>
#include <vector>

#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_position.h"

namespace ferry {

// A node of an entry parameter that the caller gives away, and the node of the
// result that may be made in its bytes.
struct Donation {
  HloPosition parameter;
  // Nullopt if input_output_alias names no node of the result.
  std::optional<HloPosition> result;
};

// In the order of input_output_alias, without those of parameters that are not
// there. Tested by donations_test.cc.
std::vector<Donation> FindDonations(const HloModule& module);

}  // namespace ferry

#endif  // FERRY_MEMORY_DONATIONS_H_
