// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_sharding.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ferry/hlo/status_macros.h"

namespace ferry {
namespace {

using Kind = HloSharding::Kind;

absl::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kMaximal:
      return "maximal";
    case Kind::kManual:
      return "manual";
    case Kind::kUnknown:
      return "unknown";
    case Kind::kUnreduced:
      return "unreduced";
    case Kind::kReplicated:
    case Kind::kTuple:
    case Kind::kTiled:
    case Kind::kNamed:
      break;
  }
  return "replicated";
}

// Whether a whole value can be of that kind: maximal needs a device.
bool CanBeWhole(Kind kind) {
  return kind == Kind::kReplicated || kind == Kind::kManual ||
         kind == Kind::kUnreduced;
}

// Replicated subgroups come last, the others by number.
int Rank(Kind kind) {
  return kind == Kind::kReplicated ? 255 : static_cast<int>(kind);
}

absl::Status CannotList() {
  return absl::ResourceExhaustedError(
      "the devices of this sharding must be listed one by one, but they are "
      "too many or do not fill the grid");
}

void BecomeWhole(HloSharding& sharding, Kind kind) {
  sharding.kind = kind;
  sharding.tiles.clear();
  sharding.subgroups.clear();
}

// Sorts subgroups by kind and merges equal ones; the dimensions of the grid
// follow. Those of size 1 vanish.
bool MergeSubgroups(HloSharding& sharding, int64_t limit) {
  TileAssignment& tiles = sharding.tiles;
  std::vector<Kind>& kinds = sharding.subgroups;
  const int64_t first = tiles.rank() - kinds.size();
  std::vector<int64_t> perm(tiles.rank());
  std::iota(perm.begin(), perm.end(), 0);
  const auto rank = [&](int64_t dim) {
    return tiles.dimensions[dim] == 1 ? 256 : Rank(kinds[dim - first]);
  };
  std::stable_sort(perm.begin() + first, perm.end(),
                   [&](int64_t a, int64_t b) { return rank(a) < rank(b); });
  std::vector<int64_t> merged(tiles.dimensions.begin(),
                              tiles.dimensions.begin() + first);
  std::vector<Kind> merged_kinds;
  for (size_t i = first; i < perm.size(); ++i) {
    const int64_t dim = perm[i];
    if (tiles.dimensions[dim] == 1) break;
    const Kind kind = kinds[dim - first];
    if (merged_kinds.empty() || merged_kinds.back() != kind) {
      merged_kinds.push_back(kind);
      merged.push_back(tiles.dimensions[dim]);
    } else {
      merged.back() *= tiles.dimensions[dim];
    }
  }
  if (!tiles.Transpose(perm, limit)) return false;
  tiles.dimensions = std::move(merged);
  kinds = std::move(merged_kinds);
  return true;
}

// The last dimension of the grid only replicates.
absl::Status NormalizeReplication(HloSharding& sharding, int64_t limit) {
  TileAssignment& tiles = sharding.tiles;
  const int64_t last = tiles.dimensions.back();
  const std::optional<int64_t> count = CheckedProduct(tiles.dimensions);
  if (tiles.rank() == 1 || count == last) {
    BecomeWhole(sharding, Kind::kReplicated);
    return absl::OkStatus();
  }
  if (last == 1) {
    tiles.dimensions.pop_back();
    sharding.subgroups.pop_back();
    return absl::OkStatus();
  }
  if (count == 0) {
    return absl::InvalidArgumentError("the tile grid has no tiles");
  }
  return tiles.SortLastDimension(limit) ? absl::OkStatus() : CannotList();
}

absl::Status NormalizeSubgroups(HloSharding& sharding, int64_t limit) {
  TileAssignment& tiles = sharding.tiles;
  std::vector<Kind>& kinds = sharding.subgroups;
  if (static_cast<int64_t>(kinds.size()) > tiles.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", kinds.size(), " last_tile_dims, but the ",
                     "grid has ", tiles.rank(), " dimensions"));
  }
  const bool is_one_kind = std::count(kinds.begin(), kinds.end(), kinds[0]) ==
                           static_cast<int64_t>(kinds.size());
  const absl::Span<const int64_t> data = absl::MakeConstSpan(
      tiles.dimensions.data(), tiles.dimensions.size() - kinds.size());
  if (is_one_kind && CanBeWhole(kinds[0]) && CheckedProduct(data) == 1) {
    BecomeWhole(sharding, kinds[0]);
    return absl::OkStatus();
  }
  if (!MergeSubgroups(sharding, limit)) return CannotList();
  if (kinds.empty()) return absl::OkStatus();
  if (kinds.size() == 1 && kinds[0] == Kind::kManual &&
      CheckedProduct(tiles.dimensions) == tiles.dimensions.back()) {
    BecomeWhole(sharding, Kind::kManual);
    return absl::OkStatus();
  }
  if (kinds.back() != Kind::kReplicated) return absl::OkStatus();
  return NormalizeReplication(sharding, limit);
}

void AppendSubgroups(const std::vector<Kind>& kinds, std::string& out) {
  if (kinds.size() == 1 && kinds[0] == Kind::kReplicated) {
    out += " last_tile_dim_replicate";
    return;
  }
  for (size_t i = 0; i < kinds.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? " last_tile_dims={" : ", ",
                    KindName(kinds[i]));
  }
  if (!kinds.empty()) out += '}';
}

// `{op_name="x"}`, or `{{...}, {...}}` for several and where asked for.
void AppendMetadata(const std::vector<std::string>& metadata, bool as_list,
                    std::string& out) {
  if (metadata.empty()) return;
  as_list |= metadata.size() > 1;
  absl::StrAppend(&out, "metadata=", as_list ? "{" : "");
  for (size_t i = 0; i < metadata.size(); ++i) {
    absl::StrAppend(&out, i > 0 ? ", " : "", metadata[i]);
  }
  if (as_list) out += '}';
}

void AppendAxes(const DeviceMesh& mesh, const std::vector<AxisRef>& axes,
                std::string& out) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i > 0) out += ", ";
    AppendAxis(mesh, axes[i], out);
  }
}

void AppendAxesItem(absl::string_view name, const DeviceMesh& mesh,
                    const std::vector<AxisRef>& axes, std::string& out) {
  if (axes.empty()) return;
  absl::StrAppend(&out, ", ", name, "={");
  AppendAxes(mesh, axes, out);
  out += '}';
}

// Whether the axes hold all devices of the mesh; those of size 1 count for
// nothing.
bool AreAllAxes(const DeviceMesh& mesh, const std::vector<AxisRef>& axes) {
  if (axes.empty()) return false;
  uint64_t all = 1;
  for (const MeshAxis& axis : mesh.axes) all *= axis.size;
  uint64_t held = 1;
  for (const AxisRef& axis : axes) {
    held *= axis.IsWhole() ? mesh.axes[axis.axis].size : axis.size;
  }
  return held == all && all != 0;
}

// `replicated`, `unreduced` or `manual` where that is all there is to say.
absl::string_view WholeKind(const NamedSharding& named) {
  if (!named.dimensions.empty()) return "";
  if (AreAllAxes(named.mesh, named.unreduced)) return "unreduced";
  if (AreAllAxes(named.mesh, named.manual)) return "manual";
  const bool is_replicated = named.replicated.empty() &&
                             named.unreduced.empty() && named.manual.empty();
  return is_replicated ? "replicated" : "";
}

void AppendNamed(const NamedSharding& named, std::string& out) {
  named.mesh.AppendTo(out);
  if (named.mesh.IsMaximal()) return;
  out += ", ";
  const absl::string_view whole = WholeKind(named);
  if (!whole.empty()) {
    absl::StrAppend(&out, whole);
    return;
  }
  out += '[';
  for (size_t i = 0; i < named.dimensions.size(); ++i) {
    const NamedSharding::Dimension& dimension = named.dimensions[i];
    out += i > 0 ? ", {" : "{";
    AppendAxes(named.mesh, dimension.axes, out);
    if (dimension.is_open) out += dimension.axes.empty() ? "?" : ", ?";
    out += '}';
  }
  out += ']';
  AppendAxesItem("replicated", named.mesh, named.replicated, out);
  AppendAxesItem("unreduced", named.mesh, named.unreduced, out);
  AppendAxesItem("manual", named.mesh, named.manual, out);
}

absl::Status VerifySorted(absl::string_view name,
                          const std::vector<AxisRef>& axes) {
  for (size_t i = 1; i < axes.size(); ++i) {
    const AxisRef& a = axes[i - 1];
    const AxisRef& b = axes[i];
    if (a.axis < b.axis || (a.axis == b.axis && a.pre_size <= b.pre_size)) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        name,
        " axes must be sorted by mesh axis index and sub-axis pre-size."));
  }
  return absl::OkStatus();
}

}  // namespace

void NamedSharding::clear() {
  mesh.clear();
  dimensions.clear();
  replicated.clear();
  unreduced.clear();
  manual.clear();
}

absl::Status NamedSharding::Verify() const {
  std::vector<AxisRef> all;
  const auto add = [&](const std::vector<AxisRef>& axes) -> absl::Status {
    for (const AxisRef& axis : axes) {
      FERRY_RETURN_IF_ERROR(VerifyAxis(mesh, axis));
      all.push_back(axis);
    }
    return VerifyAdjacentAxes(mesh, axes);
  };
  for (const Dimension& dimension : dimensions) {
    FERRY_RETURN_IF_ERROR(add(dimension.axes));
  }
  FERRY_RETURN_IF_ERROR(add(replicated));
  FERRY_RETURN_IF_ERROR(add(unreduced));
  FERRY_RETURN_IF_ERROR(add(manual));
  FERRY_RETURN_IF_ERROR(VerifySorted("Replicated", replicated));
  FERRY_RETURN_IF_ERROR(VerifySorted("Unreduced", unreduced));
  FERRY_RETURN_IF_ERROR(VerifySorted("Manual", manual));
  return VerifyDisjointAxes(std::move(all));
}

void HloSharding::clear() {
  kind = Kind::kReplicated;
  device = 0;
  tiles.clear();
  subgroups.clear();
  group = GroupKind::kNone;
  group_id = 0;
  named.clear();
  elements.clear();
  metadata.clear();
}

absl::Status HloSharding::Canonicalize(int64_t limit) {
  for (HloSharding& element : elements) {
    FERRY_RETURN_IF_ERROR(element.Canonicalize(limit));
  }
  if (kind == Kind::kNamed) named.mesh.Canonicalize();
  if (kind != Kind::kTiled) return absl::OkStatus();
  if (tiles.IsIota()) tiles.iota.Canonicalize();
  return subgroups.empty() ? absl::OkStatus()
                           : NormalizeSubgroups(*this, limit);
}

void HloSharding::AppendTo(std::string& out, bool with_metadata) const {
  out += '{';
  if (kind == Kind::kTuple) {
    for (size_t i = 0; i < elements.size(); ++i) {
      AppendElementSeparator(i, out);
      elements[i].AppendTo(out, with_metadata);
    }
    out += '}';
    return;
  }
  if (kind == Kind::kNamed) {
    AppendNamed(named, out);
    if (with_metadata && !metadata.empty()) {
      out += ", ";
      AppendMetadata(metadata, /*as_list=*/true, out);
    }
    out += '}';
    return;
  }
  if (kind == Kind::kTiled) {
    tiles.AppendTo(out);
    AppendSubgroups(subgroups, out);
  } else {
    absl::StrAppend(&out, KindName(kind));
    if (kind == Kind::kMaximal) absl::StrAppend(&out, " device=", device);
  }
  if (group != GroupKind::kNone) {
    absl::StrAppend(
        &out, group == GroupKind::kShardAs ? " shard_as " : " shard_like ",
        group_id);
  }
  if (with_metadata && !metadata.empty()) {
    out += ' ';
    AppendMetadata(metadata, /*as_list=*/false, out);
  }
  out += '}';
}

std::string HloSharding::ToString() const {
  std::string out;
  AppendTo(out);
  return out;
}

void AppendElementSeparator(int64_t index, std::string& out) {
  if (index == 0) return;
  out += ", ";
  if (index % 5 == 0) absl::StrAppend(&out, "/*index=", index, "*/");
}

bool IsTupleSharding(absl::string_view text) {
  return text == "{}" || absl::StartsWith(text, "{{");
}

void AppendSpreadSharding(absl::string_view text, int64_t leaf_count,
                          std::string& out) {
  out += '{';
  for (int64_t i = 0; i < std::max<int64_t>(leaf_count, 1); ++i) {
    AppendElementSeparator(i, out);
    absl::StrAppend(&out, text);
  }
  out += '}';
}

}  // namespace ferry
