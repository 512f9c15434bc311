// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/sparsity_config.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/dimension_token.h"
#include "ferry/hlo/value_reader.h"

namespace ferry {
namespace {

absl::Status ReadSparsity(HloLexer& lexer, TensorSparsity& tensor) {
  const uint64_t offset = lexer.TokenOffset();
  DimensionRows rows;
  const absl::string_view token = ScanDimensionSizes(lexer);
  if (!token.empty() && ReadDimensionRows(token, rows) && rows.size() == 2) {
    tensor.num_non_zero = rows[0][0];
    tensor.block_size = rows[1][0];
    return absl::OkStatus();
  }
  lexer.set_offset(offset);
  return ExpectedError(lexer, "a sparsity like 1x4");
}

absl::Status ReadTensor(HloLexer& lexer, TensorSparsity& tensor) {
  FERRY_RETURN_IF_ERROR(ReadPunctuation(lexer, '{', "to start a sparsity"));
  while (!lexer.Consume('}')) {
    const uint64_t offset = lexer.TokenOffset();
    const absl::string_view name = lexer.ScanAttributeName();
    if (name == "sparsity") {
      FERRY_RETURN_IF_ERROR(ReadSparsity(lexer, tensor));
    } else if (name == "dimension") {
      FERRY_RETURN_IF_ERROR(ReadInt64(lexer, "an integer", tensor.dimension));
    } else if (name == "stride") {
      FERRY_RETURN_IF_ERROR(ReadInt64(lexer, "an integer", tensor.stride));
    } else {
      lexer.set_offset(offset);
      return ExpectedError(lexer,
                           "`sparsity=`, `dimension=`, `stride=` or `}`");
    }
  }
  return absl::OkStatus();
}

void AppendTensor(absl::string_view name, const TensorSparsity& tensor,
                  std::string& out) {
  absl::StrAppend(&out, name, "={sparsity=", tensor.num_non_zero, "x",
                  tensor.block_size);
  absl::StrAppend(&out, " dimension=", tensor.dimension,
                  " stride=", tensor.stride, "}");
}

}  // namespace

void SparsityConfig::AppendTo(std::string& out) const {
  out += '{';
  if (lhs.has_value()) AppendTensor("lhs", *lhs, out);
  if (lhs.has_value() && rhs.has_value()) out += ' ';
  if (rhs.has_value()) AppendTensor("rhs", *rhs, out);
  out += '}';
}

absl::Status Read(HloLexer& lexer, SparsityConfig& config) {
  config = SparsityConfig();
  FERRY_RETURN_IF_ERROR(
      ReadPunctuation(lexer, '{', "to start a sparsity config"));
  while (!lexer.Consume('}')) {
    const uint64_t offset = lexer.TokenOffset();
    const absl::string_view side = lexer.ScanAttributeName();
    if (side != "lhs" && side != "rhs") {
      lexer.set_offset(offset);
      return ExpectedError(lexer, "`lhs=`, `rhs=` or `}`");
    }
    std::optional<TensorSparsity>& tensor =
        side == "lhs" ? config.lhs : config.rhs;
    if (!tensor.has_value()) tensor.emplace();
    FERRY_RETURN_IF_ERROR(ReadTensor(lexer, *tensor));
  }
  return absl::OkStatus();
}

}  // namespace ferry
