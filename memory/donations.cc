// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/donations.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "ferry/hlo/hlo_computation.h"
#include "ferry/hlo/hlo_instruction.h"

namespace ferry {

std::vector<Donation> FindDonations(const HloModule& module) {
  std::vector<Donation> donations;
  const HloInstruction& root = module.entry().root();
  const auto parameters = module.entry().parameters();
  for (const InputOutputAlias& alias : module.input_output_aliases()) {
    if (alias.parameter_number < 0 ||
        alias.parameter_number >= static_cast<int64_t>(parameters.size())) {
      continue;
    }
    const HloInstruction& parameter = *parameters[alias.parameter_number];
    const std::optional<int32_t> input =
        parameter.shape().OrdinalOf(alias.parameter_index);
    if (!input.has_value()) continue;
    Donation& donation = donations.emplace_back();
    donation.parameter = {&parameter, *input};
    const std::optional<int32_t> output =
        root.shape().OrdinalOf(alias.output_index);
    if (output.has_value()) donation.result = HloPosition{&root, *output};
  }
  return donations;
}

}  // namespace ferry
