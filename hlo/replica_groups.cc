// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/replica_groups.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/status_macros.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

// The number of devices along an axis or a part of it.
int64_t SizeOf(const DeviceMesh& mesh, const AxisRef& axis) {
  return axis.IsWhole() ? mesh.axes[axis.axis].size : axis.size;
}

// The devices of a mesh, row by row.
std::optional<std::vector<int64_t>> DevicesOf(const DeviceMesh& mesh,
                                              int64_t count, int64_t limit) {
  if (!mesh.device_ids.empty()) return mesh.device_ids;
  if (!mesh.iota.empty()) return mesh.iota.Expand(limit);
  const IotaTileAssignment in_order{.reshape_dims = {count},
                                    .transpose_perm = {0}};
  return in_order.Expand(limit);
}

// A dimension of the devices of a mesh, once axes are cut into their parts.
struct Cut {
  int64_t size;
  int64_t stride;
};

// Cuts every axis so that each of `axes` is a dimension of its own: these go to
// `inner`, in the order of `axes`, the others to `outer` as they stand.
void CutAxes(const DeviceMesh& mesh, absl::Span<const AxisRef> axes,
             llvm::SmallVectorImpl<Cut>& outer,
             llvm::SmallVectorImpl<Cut>& inner) {
  inner.resize(axes.size(), {1, 0});
  int64_t axis_stride = 1;
  for (int64_t axis = mesh.axes.size(); axis-- > 0;) {
    const int64_t full = mesh.axes[axis].size;
    llvm::SmallVector<size_t, 4> parts;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].axis == axis) parts.push_back(i);
    }
    // From the minor end of the axis: what lies behind, between and in front.
    std::sort(parts.begin(), parts.end(), [&](size_t a, size_t b) {
      return axes[a].pre_size > axes[b].pre_size;
    });
    int64_t begin = full;  // groups that the part before ends with
    for (size_t i : parts) {
      const int64_t pre = std::max<int64_t>(axes[i].pre_size, 1);
      const int64_t size = SizeOf(mesh, axes[i]);
      outer.push_back({begin / (pre * size), axis_stride * (full / begin)});
      inner[i] = {size, axis_stride * (full / (pre * size))};
      begin = pre;
    }
    outer.push_back({begin, axis_stride * (full / begin)});
    axis_stride *= full;
  }
  std::reverse(outer.begin(), outer.end());
}

}  // namespace

void ReplicaGroups::clear() {
  kind = Kind::kLists;
  ids.clear();
  ends.clear();
  group_count = 0;
  group_size = 0;
  iota.clear();
  mesh.clear();
  axes.clear();
}

absl::Span<const int64_t> ReplicaGroups::group(int64_t i) const {
  const int64_t begin = i == 0 ? 0 : ends[i - 1];
  return absl::MakeConstSpan(ids).subspan(begin, ends[i] - begin);
}

void ReplicaGroups::Canonicalize() {
  if (kind == Kind::kIota) iota.Canonicalize();
  if (kind == Kind::kMesh) mesh.Canonicalize();
}

absl::Status ReplicaGroups::Verify() const {
  if (kind != Kind::kMesh) return absl::OkStatus();
  FERRY_RETURN_IF_ERROR(mesh.Verify());
  for (const AxisRef& axis : axes) {
    FERRY_RETURN_IF_ERROR(VerifyAxis(mesh, axis));
  }
  FERRY_RETURN_IF_ERROR(VerifyAdjacentAxes(mesh, axes));
  FERRY_RETURN_IF_ERROR(VerifyDisjointAxes(axes));
  int64_t devices = 1;
  for (const AxisRef& axis : axes) {
    devices = static_cast<int64_t>(static_cast<uint64_t>(devices) *
                                   static_cast<uint64_t>(SizeOf(mesh, axis)));
  }
  if (devices > 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("MeshAxesReplicaGroupList must have more than one device "
                   "per group, but got ",
                   devices));
}

bool ReplicaGroups::Expand(int64_t limit) {
  if (kind == Kind::kLists) return true;
  return kind == Kind::kIota ? ExpandIota(limit) : ExpandMesh(limit);
}

bool ReplicaGroups::ExpandIota(int64_t limit) {
  std::optional<std::vector<int64_t>> devices = iota.Expand(limit);
  const std::optional<int64_t> count =
      CheckedProduct({group_count, group_size});
  if (!devices.has_value() || !count.has_value() ||
      *count != static_cast<int64_t>(devices->size()) || group_count > limit) {
    return false;
  }
  SetLists(*std::move(devices), group_size == 0 ? 0 : group_count, group_size);
  return true;
}

bool ReplicaGroups::ExpandMesh(int64_t limit) {
  llvm::SmallVector<int64_t, 8> sizes;
  for (const MeshAxis& axis : mesh.axes) sizes.push_back(axis.size);
  const std::optional<int64_t> count = CheckedProduct(sizes);
  if (!count.has_value() || *count > limit || *count == 0) return false;
  const std::optional<std::vector<int64_t>> devices =
      DevicesOf(mesh, *count, limit);
  if (!devices.has_value() || static_cast<int64_t>(devices->size()) != *count) {
    return false;
  }
  llvm::SmallVector<Cut, 8> cuts;
  llvm::SmallVector<Cut, 8> inner;
  CutAxes(mesh, axes, cuts, inner);
  int64_t size = 1;
  for (const Cut& cut : inner) size *= cut.size;
  cuts.append(inner.begin(), inner.end());
  std::vector<int64_t> list;
  list.reserve(*count);
  llvm::SmallVector<int64_t, 8> index(cuts.size(), 0);
  int64_t at = 0;
  while (static_cast<int64_t>(list.size()) < *count) {
    list.push_back((*devices)[at]);
    for (size_t i = cuts.size(); i-- > 0;) {
      at += cuts[i].stride;
      if (++index[i] < cuts[i].size) break;
      at -= cuts[i].stride * cuts[i].size;
      index[i] = 0;
    }
  }
  SetLists(std::move(list), *count / size, size);
  return true;
}

void ReplicaGroups::SetLists(std::vector<int64_t> list, int64_t count,
                             int64_t size) {
  clear();
  ids = std::move(list);
  for (int64_t i = 1; i <= count; ++i) ends.push_back(i * size);
}

void ReplicaGroups::AppendTo(std::string& out) const {
  if (kind == Kind::kIota) {
    absl::StrAppend(&out, "[", group_count, ",", group_size, "]<=");
    return iota.AppendTo(out);
  }
  if (kind == Kind::kMesh) {
    mesh.AppendTo(out);
    out += " {";
    for (size_t i = 0; i < axes.size(); ++i) {
      if (i > 0) out += ',';
      AppendAxis(mesh, axes[i], out);
    }
    out += '}';
    return;
  }
  out += '{';
  for (size_t i = 0; i < ends.size(); ++i) {
    out += i > 0 ? ",{" : "{";
    AppendIntegers(group(i), out);
    out += '}';
  }
  out += '}';
}

std::string ReplicaGroups::ToString() const {
  std::string out;
  AppendTo(out);
  return out;
}

}  // namespace ferry
