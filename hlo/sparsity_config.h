// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SPARSITY_CONFIG_H_
#define FERRY_HLO_SPARSITY_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "ferry/hlo/hlo_lexer.h"

namespace ferry {

// At most `num_non_zero` of `block_size` elements along a dimension.
struct TensorSparsity {
  int64_t num_non_zero = 0;
  int64_t block_size = 0;
  int64_t dimension = 0;
  int64_t stride = 0;
};

// Which elements of a convolution's operands may differ from zero:
// `{lhs={sparsity=1x4 dimension=1 stride=0} rhs={...}}`, one side or both.
// Tested by sparsity_config_test.cc.
struct SparsityConfig {
  std::optional<TensorSparsity> lhs;
  std::optional<TensorSparsity> rhs;

  bool IsPrinted() const { return lhs.has_value() || rhs.has_value(); }
  // With braces.
  void AppendTo(std::string& out) const;
};

// Parts in any order, without commas; the last of a name counts.
absl::Status Read(HloLexer& lexer, SparsityConfig& config);

}  // namespace ferry

#endif  // FERRY_HLO_SPARSITY_CONFIG_H_
