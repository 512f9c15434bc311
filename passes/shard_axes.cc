// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/shard_axes.h"

#include <algorithm>
#include <utility>

#include "ferry/hlo/iota_tile_assignment.h"

namespace ferry {
namespace {

constexpr int64_t kMostDevices = 1 << 20;

using Axes = std::vector<DeviceAxis>;

// Devices in the order of an iota, as axes, major first.
std::optional<Axes> AxesOfIota(const IotaTileAssignment& iota) {
  const auto count = iota.DeviceCount();
  if (!count.has_value() || *count < 1) return std::nullopt;
  Axes axes(iota.reshape_dims.size());
  int64_t stride = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    axes[i] = {stride, iota.reshape_dims[i]};
    stride *= iota.reshape_dims[i];
  }
  Axes ordered;
  for (int64_t dimension : iota.transpose_perm) {
    if (dimension < 0 || dimension >= static_cast<int64_t>(axes.size())) {
      return std::nullopt;
    }
    ordered.push_back(axes[dimension]);
  }
  return ordered;
}

// A list of devices, if its order is that of nested steps.
std::optional<Axes> AxesOfList(absl::Span<const int64_t> devices) {
  const int64_t count = devices.size();
  if (count == 0 || count > kMostDevices || devices[0] != 0) {
    return std::nullopt;
  }
  Axes minor_first;
  for (int64_t block = 1; block < count;) {
    const int64_t stride = devices[block];
    int64_t size = 2;
    while (size * block < count && devices[size * block] == size * stride) {
      ++size;
    }
    while (size > 1 && count % (size * block) != 0) --size;
    if (stride <= 0 || size < 2) return std::nullopt;
    minor_first.push_back({stride, size});
    block *= size;
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    int64_t device = 0;
    for (const DeviceAxis& axis : minor_first) {
      device += rest % axis.size * axis.stride;
      rest /= axis.size;
    }
    if (device != devices[i]) return std::nullopt;
  }
  return Axes(minor_first.rbegin(), minor_first.rend());
}

// Cuts axes so that each dimension of a grid gets whole ones.
std::optional<std::vector<Axes>> SpreadOverGrid(
    Axes axes, absl::Span<const int64_t> grid) {
  std::vector<Axes> result(grid.size());
  size_t next = 0;
  for (size_t i = 0; i < grid.size(); ++i) {
    int64_t left = grid[i];
    while (left > 1) {
      if (next == axes.size()) return std::nullopt;
      DeviceAxis& axis = axes[next];
      if (axis.size == 1) {
        ++next;
      } else if (left % axis.size == 0) {
        result[i].push_back(axis);
        left /= axis.size;
        ++next;
      } else if (axis.size % left == 0) {
        // Its major part goes here.
        axis.size /= left;
        result[i].push_back({axis.stride * axis.size, left});
        left = 1;
      } else {
        return std::nullopt;
      }
    }
  }
  return result;
}

std::optional<std::vector<Axes>> AxesOfTiles(const TileAssignment& tiles) {
  std::optional<Axes> axes =
      tiles.IsIota() ? AxesOfIota(tiles.iota) : AxesOfList(tiles.devices);
  if (!axes.has_value()) return std::nullopt;
  return SpreadOverGrid(*std::move(axes), tiles.dimensions);
}

std::optional<std::vector<Axes>> AxesOfNamed(const NamedSharding& named) {
  std::vector<int64_t> sizes;
  for (const MeshAxis& axis : named.mesh.axes) sizes.push_back(axis.size);
  std::optional<std::vector<Axes>> mesh;
  if (!named.mesh.device_ids.empty()) {
    const auto axes = AxesOfList(named.mesh.device_ids);
    if (!axes.has_value()) return std::nullopt;
    mesh = SpreadOverGrid(*axes, sizes);
  } else {
    IotaTileAssignment iota = named.mesh.iota;
    if (iota.empty()) {
      const auto count = CheckedProduct(sizes);
      if (!count.has_value()) return std::nullopt;
      iota.reshape_dims = {*count};
      iota.transpose_perm = {0};
    }
    const auto axes = AxesOfIota(iota);
    if (!axes.has_value()) return std::nullopt;
    mesh = SpreadOverGrid(*axes, sizes);
  }
  if (!mesh.has_value()) return std::nullopt;
  std::vector<Axes> result;
  for (const NamedSharding::Dimension& dimension : named.dimensions) {
    Axes& axes = result.emplace_back();
    for (const AxisRef& ref : dimension.axes) {
      if (ref.axis < 0 || ref.axis >= static_cast<int64_t>(mesh->size())) {
        return std::nullopt;
      }
      const Axes& whole = (*mesh)[ref.axis];
      if (ref.IsWhole()) {
        axes.insert(axes.end(), whole.begin(), whole.end());
        continue;
      }
      const int64_t rest =
          named.mesh.axes[ref.axis].size / (ref.pre_size * ref.size);
      const auto parts = SpreadOverGrid(whole, {ref.pre_size, ref.size, rest});
      if (!parts.has_value()) return std::nullopt;
      axes.insert(axes.end(), (*parts)[1].begin(), (*parts)[1].end());
    }
  }
  return result;
}

}  // namespace

std::optional<ShardAxes> ShardAxes::Of(const HloSharding& sharding,
                                       int64_t rank) {
  ShardAxes result(rank);
  std::optional<std::vector<Axes>> axes;
  if (sharding.kind == HloSharding::Kind::kTiled) {
    axes = AxesOfTiles(sharding.tiles);
  } else if (sharding.kind == HloSharding::Kind::kNamed) {
    axes = AxesOfNamed(sharding.named);
  } else {
    return result;
  }
  if (!axes.has_value()) return std::nullopt;
  // What a grid has beyond the rank only replicates, or is manual.
  for (int64_t i = 0; i < rank && i < static_cast<int64_t>(axes->size()); ++i) {
    result.axes_[i] = (*axes)[i];
  }
  return result;
}

int64_t ShardAxes::Parts(int64_t dimension) const {
  int64_t parts = 1;
  for (const DeviceAxis& axis : axes_[dimension]) parts *= axis.size;
  return parts;
}

bool ShardAxes::IsWhole() const {
  return std::all_of(axes_.begin(), axes_.end(),
                     [](const auto& axes) { return axes.empty(); });
}

bool ShardAxes::Split(int64_t dimension, absl::Span<const DeviceAxis> axes) {
  if (axes.empty() || !axes_[dimension].empty()) return false;
  for (const auto& others : axes_) {
    for (const DeviceAxis& other : others) {
      if (std::any_of(axes.begin(), axes.end(), [&](const DeviceAxis& axis) {
            return axis.Overlaps(other);
          })) {
        return false;
      }
    }
  }
  axes_[dimension].assign(axes.begin(), axes.end());
  return true;
}

std::vector<int64_t> ShardAxes::LocalSizes(
    absl::Span<const int64_t> sizes) const {
  std::vector<int64_t> local(sizes.begin(), sizes.end());
  for (size_t i = 0; i < local.size(); ++i) {
    const int64_t parts = Parts(i);
    local[i] = local[i] / parts + (local[i] % parts != 0);
  }
  return local;
}

}  // namespace ferry
