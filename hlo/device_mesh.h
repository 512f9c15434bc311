// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_DEVICE_MESH_H_
#define FERRY_HLO_DEVICE_MESH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "ferry/hlo/iota_tile_assignment.h"

namespace ferry {

// A named axis of a mesh.
struct MeshAxis {
  std::string name;  // unescaped
  int64_t size = 1;
};

// Devices in an array with named axes: `mesh['data'=2,'model'=4]`.
//
// Without more, the devices are 0, 1, 2, ... row by row. Another order is a
// list, `mesh['a'=2,'b'=2], device_ids=(0,2,1,3)`, or an iota,
// `mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0))`. A mesh of one given device,
// `maximal_mesh[device_id=5]`, has no axes and a list of that one.
// Tested by device_mesh_test.cc.
struct DeviceMesh {
  std::vector<MeshAxis> axes;
  std::vector<int64_t> device_ids;  // empty: in order, or by the iota
  IotaTileAssignment iota;          // empty if in order

  bool IsMaximal() const { return axes.empty() && !device_ids.empty(); }
  void clear();
  // Brings the iota into its shortest form; one that says "in order" goes.
  void Canonicalize();
  // What XLA insists on, in its words: no axis twice, a list that holds each
  // device of the mesh once and is not 0, 1, 2, ....
  absl::Status Verify() const;
  void AppendTo(std::string& out) const;
};

// An axis of a mesh, or a part of it: `'b':(2)4` is what remains of `'b'` when
// its 2 most major groups are divided into 4.
//
//   'b' of size 8   (1)2          (2)2           (4)2
//                   0-3 | 4-7     0-1 | 2-3 ...  0 | 1 | 2 ...
struct AxisRef {
  int64_t axis = 0;      // index into the mesh's axes
  int64_t pre_size = 0;  // 0: the whole axis
  int64_t size = 0;

  bool IsWhole() const { return pre_size == 0; }
  bool operator==(const AxisRef& other) const {
    return axis == other.axis && pre_size == other.pre_size &&
           size == other.size;
  }
};

// `'a'`, `'b':(1)2`.
void AppendAxis(const DeviceMesh& mesh, const AxisRef& axis, std::string& out);

// Sizes must be positive and parts must divide their axis, in XLA's words.
absl::Status VerifyAxis(const DeviceMesh& mesh, const AxisRef& axis);
// Neighbours must not be two parts that are one.
absl::Status VerifyAdjacentAxes(const DeviceMesh& mesh,
                                absl::Span<const AxisRef> axes);
// No device dimension may be used twice, whatever the order of the axes.
absl::Status VerifyDisjointAxes(std::vector<AxisRef> axes);

}  // namespace ferry

#endif  // FERRY_HLO_DEVICE_MESH_H_
