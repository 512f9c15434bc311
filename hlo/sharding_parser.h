// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHARDING_PARSER_H_
#define FERRY_HLO_SHARDING_PARSER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_sharding.h"
#include "ferry/hlo/mesh_parser.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads shardings: old form, iota form, named (mesh) form, and tuples of them.
//
// Takes what XLA's reader takes and leaves it as XLA would keep it, so that
// AppendTo() prints what XLA prints. Items may come in any order, and a later
// one of a kind adds to the earlier or replaces it, as there. Tested by
// sharding_parser_test.cc.
class ShardingParser {
 public:
  // `parse_metadata` reads one `{...}` of metadata and appends its canonical
  // form. Shardings whose devices must be listed in full, though the text does
  // not, may list so many in all (see HloSharding::Canonicalize): their number
  // must not depend on the text alone.
  static constexpr int64_t kMostListedDevices = 1 << 20;
  ShardingParser(TextReader reader,
                 std::function<bool(std::string&)> parse_metadata)
      : reader_(reader),
        lexer_(reader.lexer),
        meshes_(reader),
        parse_metadata_(std::move(parse_metadata)) {}

  // `{replicated}`, `{{maximal device=0}, {devices=[2]<=[2]}}`, `{}`.
  bool Parse(HloSharding& sharding);
  // One that is no tuple: `{replicated}`.
  bool ParseElement(HloSharding& sharding);

 private:
  // What the items of one sharding say, before it is known what they add up to.
  struct Items {
    bool replicated = false;
    bool maximal = false;
    bool manual = false;
    bool unknown = false;
    bool unreduced = false;
    bool replicates_last = false;
    TileAssignment tiles;
  };

  bool ParseSingle(HloSharding& sharding);
  bool ParseItems(HloSharding& sharding);
  bool ParseItem(Items& items, HloSharding& sharding);
  bool ParseDevices(TileAssignment& tiles);
  bool ParseSubgroups(std::vector<HloSharding::Kind>& subgroups);
  bool ParseMetadataList(std::vector<std::string>& metadata);
  // What the items add up to; `offset` is that of the first.
  bool Conclude(Items& items, HloSharding& sharding, uint64_t offset);
  bool ConcludeTiled(Items& items, HloSharding& sharding, uint64_t offset);
  bool FillTiles(TileAssignment& tiles, uint64_t offset);
  bool ParseNamed(HloSharding& sharding);
  bool ParseWholeNamed(HloSharding& sharding, bool& is_whole);
  bool ParseNamedItems(HloSharding& sharding);
  bool ParseDimensions(NamedSharding& named);

  TextReader reader_;
  HloLexer& lexer_;
  MeshParser meshes_;
  std::function<bool(std::string&)> parse_metadata_;
  int64_t listed_devices_ = 0;
};

// What a canonical text says; nullopt if it is none.
std::optional<HloSharding> ReadSharding(absl::string_view text);

// The text as options of printing without metadata show it.
std::string ShardingWithoutMetadata(absl::string_view text);

}  // namespace ferry

#endif  // FERRY_HLO_SHARDING_PARSER_H_
