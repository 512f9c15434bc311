// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_SHARDING_H_
#define FERRY_HLO_HLO_SHARDING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/device_mesh.h"
#include "ferry/hlo/tile_assignment.h"

namespace ferry {

// The sharding of an array over the axes of a mesh:
// `{mesh['a'=2,'b'=4], [{'a'}, {?}], replicated={'b'}}`.
struct NamedSharding {
  // The axes over which one dimension is split, major to minor.
  struct Dimension {
    std::vector<AxisRef> axes;
    bool is_open = false;  // `?`: may be split further
  };
  DeviceMesh mesh;
  std::vector<Dimension> dimensions;
  std::vector<AxisRef> replicated;
  std::vector<AxisRef> unreduced;
  std::vector<AxisRef> manual;

  void clear();
  // What XLA insists on, in its words: no axis used twice, lists in order.
  absl::Status Verify() const;
};

// Where the parts of a value live: what stands behind `sharding=`.
//
//   {replicated}                       the whole value on every device
//   {maximal device=3}                 on one
//   {devices=[2,4]<=[8]}               tiled: dimension 0 in 2, 1 in 4 parts
//   {devices=[2,1,4]<=[8] last_tile_dims={manual}}   the same, where the last
//                                      dimensions of the grid are subgroups
//   {mesh['a'=2], [{'a'}, {}]}         the same by name
//   {{replicated}, {manual}}           a tuple's, one for each leaf
//
// A value struct: ShardingParser fills it from text, AppendTo prints it as XLA
// does, Canonicalize brings what was read (from text or a proto) into the form
// that XLA keeps. Tested by hlo_sharding_test.cc and sharding_parser_test.cc.
struct HloSharding {
  // The numbers are those of the proto's `type`; kNamed is none of them.
  enum class Kind : uint8_t {
    kReplicated = 0,
    kMaximal = 1,
    kTuple = 2,
    kTiled = 3,
    kManual = 4,
    kUnknown = 5,
    kUnreduced = 6,
    kNamed = 7,
  };
  enum class GroupKind : uint8_t { kNone, kShardAs, kShardLike };

  Kind kind = Kind::kReplicated;
  int64_t device = 0;    // of kMaximal
  TileAssignment tiles;  // of kTiled
  // What the last dimensions of the grid are, where they do not tile:
  // kReplicated, kMaximal, kManual or kUnreduced. `last_tile_dim_replicate` is
  // one kReplicated.
  std::vector<Kind> subgroups;
  GroupKind group = GroupKind::kNone;
  int64_t group_id = 0;
  NamedSharding named;                // of kNamed
  std::vector<HloSharding> elements;  // of kTuple
  // Each as `{op_name="x"}`.
  std::vector<std::string> metadata;

  bool IsTuple() const { return kind == Kind::kTuple; }
  void clear();
  // Brings subgroups into XLA's order, merges equal ones, drops those of size
  // 1, and names a grid by its kind if nothing is tiled. ResourceExhausted if
  // that takes a list of more than `limit` devices; InvalidArgument if there
  // are more subgroups than dimensions.
  absl::Status Canonicalize(int64_t limit);
  // With braces. Options of printing without metadata drop it here too.
  void AppendTo(std::string& out, bool with_metadata = true) const;
  std::string ToString() const;
};

// What stands in front of element `index` of a tuple's sharding: a comma, and
// for every fifth its number.
void AppendElementSeparator(int64_t index, std::string& out);

// Whether the text of a `sharding` attribute is that of a tuple.
bool IsTupleSharding(absl::string_view text);

// A tuple-shaped instruction with one sharding has it on each leaf (once, if it
// has none): `{{replicated}, {replicated}}`.
void AppendSpreadSharding(absl::string_view text, int64_t leaf_count,
                          std::string& out);

}  // namespace ferry

#endif  // FERRY_HLO_HLO_SHARDING_H_
