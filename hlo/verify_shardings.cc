// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1114: a sharding has the tree of the shape, and tiles it by a grid of
// as many dimensions, no device of which has two tiles.

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_sharding.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "ferry/hlo/sharding_parser.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {
namespace {

std::string TiledProblem(const HloSharding& sharding, const Shape& shape) {
  const int64_t rank = sharding.tiles.rank();
  const int64_t subgroups = sharding.subgroups.size();
  llvm::DenseSet<int64_t> seen;
  for (int64_t device : sharding.tiles.devices) {
    if (!seen.insert(device).second) {
      return absl::StrCat("device ", device,
                          " is not unique in tile assignment");
    }
  }
  const int64_t dimensions = shape.dimensions().size();
  if (rank - subgroups == dimensions) return "";
  return absl::StrCat(
      "Number of tile assignment dimensions (excluding "
      "subgroups) is different than the input rank. sharding=",
      sharding.ToString(), ", input_shape=", shape.ToString(false));
}

std::string LeafProblem(const HloSharding& sharding, const Shape& shape) {
  if (sharding.kind == HloSharding::Kind::kTiled) {
    if (!shape.IsArray()) return "";
    return TiledProblem(sharding, shape);
  }
  if (sharding.kind == HloSharding::Kind::kNamed && shape.IsArray()) {
    const size_t given = sharding.named.dimensions.size();
    if (given > shape.dimensions().size()) {
      return absl::StrCat("the sharding has ", given,
                          " dimensions, but the shape is ",
                          shape.ToString(false));
    }
  }
  return "";
}

std::string Problem(const HloSharding& sharding, const Shape& shape) {
  if (!sharding.IsTuple()) {
    return shape.IsTuple() ? "" : LeafProblem(sharding, shape);
  }
  if (!shape.IsTuple()) {
    return "Sharding is tuple-shaped but validation shape is not.";
  }
  int64_t leaves = shape.leaf_count();
  const int64_t given = sharding.elements.size();
  // A tuple without elements has one sharding all the same.
  if (leaves == 0) leaves = 1;
  if (given != leaves) {
    return absl::StrCat("Shape ", ShapeForMessage(shape), " has ", leaves,
                        " leaf nodes while this sharding has ", given);
  }
  size_t leaf = 0;
  for (int32_t node = 0; node < shape.node_count(); ++node) {
    const Shape& part = shape.NodeAt(node);
    if (part.IsTuple()) continue;
    std::string problem = LeafProblem(sharding.elements[leaf++], part);
    if (!problem.empty()) {
      return absl::StrCat(problem, ", at index ",
                          ShapeIndexToString(shape.IndexAt(node)));
    }
  }
  return "";
}

}  // namespace

void ShardingRule::Check(const HloInstruction& instruction,
                         HloVerifierFindings& findings) {
  const absl::string_view text =
      instruction.attribute(HloAttributeKind::kSharding);
  if (text.empty()) return;
  const auto [known, is_new] =
      problems_.try_emplace(std::pair(text, &instruction.shape()));
  if (is_new) {
    // The sharding of a token or a side effect is where it happens.
    const std::optional<HloSharding> sharding = ReadSharding(text);
    if (sharding.has_value()) {
      known->second = Problem(*sharding, instruction.shape());
    }
  }
  if (known->second.empty()) return;
  findings.Add(DiagnosticCode::kBadSharding, instruction,
               absl::StrCat("Invalid sharding for instruction: ",
                            instruction.name(), ": ", known->second));
}

}  // namespace ferry
