// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/device_mesh.h"

#include <algorithm>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

// Major to minor within an axis. A whole axis begins before its parts.
bool StandsBefore(const AxisRef& a, const AxisRef& b) {
  if (a.axis != b.axis) return a.axis < b.axis;
  return a.pre_size < b.pre_size;
}

// The first group count that belongs to the part no more; nullopt on overflow.
std::optional<int64_t> NextPreSize(const AxisRef& axis) {
  int64_t next = 0;
  if (llvm::MulOverflow(axis.pre_size, axis.size, next)) return std::nullopt;
  return next;
}

}  // namespace

void DeviceMesh::clear() {
  axes.clear();
  device_ids.clear();
  iota.clear();
}

void DeviceMesh::Canonicalize() {
  if (iota.empty()) return;
  iota.Canonicalize();
  if (iota.IsIdentity()) iota.clear();
}

absl::Status DeviceMesh::Verify() const {
  absl::flat_hash_set<absl::string_view> names;
  for (const MeshAxis& axis : axes) {
    if (names.insert(axis.name).second) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "Mesh has duplicate axis names. Duplicate axis name: ", axis.name));
  }
  if (axes.empty() || device_ids.empty()) return absl::OkStatus();
  std::vector<bool> seen(device_ids.size());
  for (int64_t id : device_ids) {
    if (id < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Mesh device ids must be non-negative. Device id: ", id));
    }
  }
  bool is_iota = true;
  for (size_t i = 0; i < device_ids.size(); ++i) {
    const uint64_t id = device_ids[i];
    is_iota &= id == i;
    if (id >= seen.size() || seen[id]) {
      return absl::InvalidArgumentError(
          "Device ids must be a permutation of [0,1,2,3...].");
    }
    seen[id] = true;
  }
  if (!is_iota) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "Non-iota device assignment has iota device id list [0,1,2,3...].");
}

void DeviceMesh::AppendTo(std::string& out) const {
  if (IsMaximal()) {
    absl::StrAppend(&out, "maximal_mesh[device_id=", device_ids[0], "]");
    return;
  }
  out += "mesh[";
  for (size_t i = 0; i < axes.size(); ++i) {
    absl::StrAppend(&out, i > 0 ? ",'" : "'", axes[i].name, "'=", axes[i].size);
  }
  out += ']';
  if (!device_ids.empty()) {
    out += ", device_ids=(";
    AppendIntegers(device_ids, out);
    out += ')';
  } else if (!iota.empty() && !iota.IsIdentity()) {
    out += ", device_ids=(";
    iota.AppendTo(out);
    out += ')';
  }
}

void AppendAxis(const DeviceMesh& mesh, const AxisRef& axis, std::string& out) {
  absl::StrAppend(&out, "'", mesh.axes[axis.axis].name, "'");
  if (axis.IsWhole()) return;
  absl::StrAppend(&out, ":(", axis.pre_size, ")", axis.size);
}

absl::Status VerifyAxis(const DeviceMesh& mesh, const AxisRef& axis) {
  if (axis.IsWhole()) return absl::OkStatus();
  const int64_t full = mesh.axes[axis.axis].size;
  if (axis.size >= full) {
    return absl::InvalidArgumentError(
        absl::StrCat("Sub-axis size must be strictly less than the full axis "
                     "size. Sub-axis size: ",
                     axis.size, ", Axis size: ", full));
  }
  const std::optional<int64_t> next = NextPreSize(axis);
  if (next.has_value() && full % *next == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "Sub-axis next_pre_size must divide the full axis size. Next pre-size: ",
      next.value_or(INT64_MAX), ", Axis size: ", full));
}

absl::Status VerifyAdjacentAxes(const DeviceMesh& mesh,
                                absl::Span<const AxisRef> axes) {
  for (size_t i = 1; i < axes.size(); ++i) {
    const AxisRef& a = axes[i - 1];
    const AxisRef& b = axes[i];
    if (a.axis != b.axis || a.IsWhole() || b.IsWhole() ||
        NextPreSize(a) != b.pre_size) {
      continue;
    }
    std::string message = "Adjacent axes in dimension sharding can be merged: ";
    AppendAxis(mesh, a, message);
    message += ", ";
    AppendAxis(mesh, b, message);
    return absl::InvalidArgumentError(message);
  }
  return absl::OkStatus();
}

absl::Status VerifyDisjointAxes(std::vector<AxisRef> axes) {
  std::sort(axes.begin(), axes.end(), StandsBefore);
  for (size_t i = 1; i < axes.size(); ++i) {
    const AxisRef& a = axes[i - 1];
    const AxisRef& b = axes[i];
    if (a.axis != b.axis) continue;
    const std::optional<int64_t> next = NextPreSize(a);
    // Parts are apart if the next begins where this one ends, or later and at
    // a multiple of it.
    if (!a.IsWhole() && !b.IsWhole() && next.has_value() &&
        b.pre_size >= *next && b.pre_size % *next == 0) {
      continue;
    }
    return absl::InvalidArgumentError("Axes cannot coexist or axes overlap.");
  }
  return absl::OkStatus();
}

}  // namespace ferry
