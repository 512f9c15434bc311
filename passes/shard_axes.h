// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_SHARD_AXES_H_
#define FERRY_PASSES_SHARD_AXES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "ferry/hlo/hlo_sharding.h"
#include "ferry/hlo/shape.h"

namespace ferry {

// One factor of the devices over which a dimension is split: devices whose
// numbers differ by a multiple of `stride`, below `stride * size`.
//
//   [4,2]<=[8]         dimension 0: stride 2, size 4;  1: stride 1, size 2
//   [2,4]<=[4,2]T(1,0) dimension 0: stride 1, size 2;  1: stride 2, size 4
//
// All forms of shardings come down to this, so that axes compare whether they
// were given as lists, iotas or names of a mesh.
struct DeviceAxis {
  int64_t stride = 1;
  int64_t size = 1;
  // Whether a device's place on one says something about that on the other.
  bool Overlaps(const DeviceAxis& other) const {
    return stride < other.stride * other.size && other.stride < stride * size;
  }
  friend bool operator==(const DeviceAxis&, const DeviceAxis&) = default;
};

// How an array is split: for each dimension its axes, major first; none where
// it is whole. Tested by shard_axes_test.cc.
class ShardAxes {
 public:
  ShardAxes() = default;
  explicit ShardAxes(int64_t rank) : axes_(rank) {}
  // Of an array of `rank` dimensions. Whole where the sharding says nothing of
  // tiles (replicated, maximal, manual, unknown), and nullopt where its devices
  // do not make axes: a list in no regular order, or more than 2^20 devices.
  static std::optional<ShardAxes> Of(const HloSharding& sharding, int64_t rank);

  int64_t rank() const { return axes_.size(); }
  absl::Span<const DeviceAxis> of(int64_t dimension) const {
    return axes_[dimension];
  }
  int64_t Parts(int64_t dimension) const;
  bool IsWhole() const;

  // Splits `dimension` as `axes` say, unless it is split already, or one of
  // them is in use elsewhere. Whether it did.
  bool Split(int64_t dimension, absl::Span<const DeviceAxis> axes);
  void MakeWhole(int64_t dimension) { axes_[dimension].clear(); }

  // The sizes of one part, rounded up.
  std::vector<int64_t> LocalSizes(absl::Span<const int64_t> sizes) const;

  friend bool operator==(const ShardAxes&, const ShardAxes&) = default;

 private:
  std::vector<std::vector<DeviceAxis>> axes_;
};

}  // namespace ferry

#endif  // FERRY_PASSES_SHARD_AXES_H_
