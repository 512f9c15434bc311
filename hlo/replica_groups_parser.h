// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_REPLICA_GROUPS_PARSER_H_
#define FERRY_HLO_REPLICA_GROUPS_PARSER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/mesh_parser.h"
#include "ferry/hlo/replica_groups.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads `replica_groups` in all three forms, and leaves them as XLA keeps them.
// Tested by replica_groups_parser_test.cc.
class ReplicaGroupsParser {
 public:
  explicit ReplicaGroupsParser(TextReader reader)
      : reader_(reader), lexer_(reader.lexer), meshes_(reader) {}

  // `{{0,1}}`, `[2,4]<=[4,2]T(1,0)`, `mesh['a'=2,'b'=4] {'a'}`.
  bool Parse(ReplicaGroups& groups);
  // The `source_target_pairs` of collective-permute: lists of two.
  bool ParsePairs(ReplicaGroups& pairs);

 private:
  bool ParseLists(ReplicaGroups& groups);
  bool ParseIota(ReplicaGroups& groups);
  bool ParseMesh(ReplicaGroups& groups);

  TextReader reader_;
  HloLexer& lexer_;
  MeshParser meshes_;
  std::vector<int64_t> grid_;
};

// What a canonical text says; nullopt if it is none.
std::optional<ReplicaGroups> ReadReplicaGroups(absl::string_view text);

// The same groups as lists, as the fingerprint form prints them; as they stand
// if those would hold more than kMostExpandedDevices or cannot be told.
inline constexpr int64_t kMostExpandedDevices = 1 << 20;
std::string ExpandedReplicaGroups(absl::string_view text);

}  // namespace ferry

#endif  // FERRY_HLO_REPLICA_GROUPS_PARSER_H_
