// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_MODULE_HEADER_ATTRIBUTES_H_
#define FERRY_HLO_MODULE_HEADER_ATTRIBUTES_H_

#include "absl/strings/string_view.h"

namespace ferry {

// The attributes that a module's header may have, in the order of printing;
// they are read in any order. One that is not here is of a newer XLA.
// Tested by module_header_parser_test.cc.
inline constexpr absl::string_view kModuleHeaderAttributes[] = {
    "is_scheduled",
    "input_output_alias",
    "buffer_donor",
    "alias_passthrough_params",
    "entry_computation_layout",
    "allow_spmd_sharding_propagation_to_parameters",
    "allow_spmd_sharding_propagation_to_output",
    "replica_count",
    "num_partitions",
    "frontend_attributes",
    "origin_recovery_table"};

}  // namespace ferry

#endif  // FERRY_HLO_MODULE_HEADER_ATTRIBUTES_H_
