// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_REPLICA_GROUPS_H_
#define FERRY_HLO_REPLICA_GROUPS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "ferry/hlo/device_mesh.h"
#include "ferry/hlo/iota_tile_assignment.h"

namespace ferry {

// Which replicas take part in a collective together: `replica_groups`.
//
//   {{0,1},{2,3}}                     lists (v1); {} is all in one group
//   [2,4]<=[8], [2,4]<=[4,2]T(1,0)    2 groups of 4 of an iota (v2)
//   mesh['a'=2,'b'=4] {'b'}           along axes of a mesh (v3)
//
// XLA keeps the form in which the groups were given. ReplicaGroupsParser fills
// this from text. Tested by replica_groups_test.cc.
struct ReplicaGroups {
  enum class Kind : uint8_t { kLists, kIota, kMesh };

  Kind kind = Kind::kLists;
  // kLists: all groups behind one another, and where each of them ends.
  std::vector<int64_t> ids;
  std::vector<int64_t> ends;
  // kIota.
  int64_t group_count = 0;
  int64_t group_size = 0;
  IotaTileAssignment iota;
  // kMesh.
  DeviceMesh mesh;
  std::vector<AxisRef> axes;

  void clear();
  absl::Span<const int64_t> group(int64_t i) const;
  // Brings iotas into XLA's form.
  void Canonicalize();
  // What XLA insists on for kMesh, in its words.
  absl::Status Verify() const;
  // The same groups as lists. False, and nothing changes, if that takes more
  // than `limit` devices or the numbers do not fit together.
  bool Expand(int64_t limit);
  void AppendTo(std::string& out) const;
  std::string ToString() const;

 private:
  bool ExpandIota(int64_t limit);
  bool ExpandMesh(int64_t limit);
  // `count` groups of `size` each.
  void SetLists(std::vector<int64_t> list, int64_t count, int64_t size);
};

}  // namespace ferry

#endif  // FERRY_HLO_REPLICA_GROUPS_H_
