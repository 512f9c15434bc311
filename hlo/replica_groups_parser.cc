// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/replica_groups_parser.h"

namespace ferry {

bool ReplicaGroupsParser::Parse(ReplicaGroups& groups) {
  groups.clear();
  if (lexer_.Peek() == '{') return ParseLists(groups);
  const uint64_t offset = lexer_.TokenOffset();
  const bool ok = lexer_.Peek() == '[' ? ParseIota(groups) : ParseMesh(groups);
  if (!ok) return false;
  const absl::Status status = groups.Verify();
  groups.Canonicalize();
  return status.ok() || reader_.BadValue(offset, std::string(status.message()));
}

bool ReplicaGroupsParser::ParsePairs(ReplicaGroups& pairs) {
  pairs.clear();
  const uint64_t offset = lexer_.TokenOffset();
  if (!ParseLists(pairs)) return false;
  for (size_t i = 0; i < pairs.ends.size(); ++i) {
    if (pairs.group(i).size() == 2) continue;
    return reader_.BadValue(
        offset, "expects 'source_target_pairs=' to be a list of pairs");
  }
  return true;
}

// {{0,1},{},{2}}
bool ReplicaGroupsParser::ParseLists(ReplicaGroups& groups) {
  if (!reader_.Expect('{', "to start replica groups")) return false;
  if (lexer_.Consume('}')) return true;
  do {
    if (!reader_.Expect('{', "to start a replica group")) return false;
    if (!lexer_.Consume('}')) {
      do {
        if (!reader_.ReadNumber("a replica", groups.ids.emplace_back())) {
          return false;
        }
      } while (lexer_.Consume(','));
      if (!reader_.Expect('}', "at the end of a replica group")) return false;
    }
    groups.ends.push_back(groups.ids.size());
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of replica groups");
}

// [2,4]<=[8]. What the numbers claim is not checked: XLA's reader does not.
bool ReplicaGroupsParser::ParseIota(ReplicaGroups& groups) {
  groups.kind = ReplicaGroups::Kind::kIota;
  const uint64_t offset = lexer_.TokenOffset();
  grid_.clear();
  if (!meshes_.ParseIntegers('[', ']', grid_)) return false;
  if (grid_.size() != 2) {
    return reader_.BadValue(offset,
                            "replica groups are a grid of two dimensions: the "
                            "number of groups and their size");
  }
  groups.group_count = grid_[0];
  groups.group_size = grid_[1];
  if (!lexer_.Consume("<=")) {
    return reader_.errors.Expected(lexer_, "`<=` and an iota");
  }
  if (!meshes_.ParseIota(groups.iota)) return false;
  const size_t rank = groups.iota.reshape_dims.size();
  if (groups.iota.transpose_perm.size() < rank) {
    return reader_.BadValue(offset,
                            "the transpose of an iota must have a number for "
                            "each of its dimensions");
  }
  groups.iota.transpose_perm.resize(rank);
  return true;
}

// mesh['a'=2,'b'=4] {'a','b':(1)2}
bool ReplicaGroupsParser::ParseMesh(ReplicaGroups& groups) {
  groups.kind = ReplicaGroups::Kind::kMesh;
  return meshes_.ParseMesh(groups.mesh) &&
         meshes_.ParseAxes(groups.mesh, groups.axes);
}

std::optional<ReplicaGroups> ReadReplicaGroups(absl::string_view text) {
  HloLexer lexer(text);
  const auto source = SourceText::FromString(std::string(text), "");
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*source, 1, diagnostics);
  ReplicaGroupsParser parser({lexer, errors});
  ReplicaGroups groups;
  if (!parser.Parse(groups) || !lexer.AtEnd()) return std::nullopt;
  return groups;
}

std::string ExpandedReplicaGroups(absl::string_view text) {
  std::optional<ReplicaGroups> groups = ReadReplicaGroups(text);
  if (!groups.has_value() || !groups->Expand(kMostExpandedDevices)) {
    return std::string(text);
  }
  return groups->ToString();
}

}  // namespace ferry
