// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/sharding_parser.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace ferry {
namespace {

using Kind = HloSharding::Kind;

struct KindWord {
  absl::string_view word;
  Kind kind;
};
constexpr KindWord kSubgroupWords[] = {{"manual", Kind::kManual},
                                       {"replicated", Kind::kReplicated},
                                       {"unreduced", Kind::kUnreduced},
                                       {"maximal", Kind::kMaximal}};

bool IsTuple(HloLexer& lexer) {
  return lexer.Peek() == '{' || lexer.Peek() == '}';
}

}  // namespace

bool ShardingParser::Parse(HloSharding& sharding) {
  sharding.clear();
  if (!reader_.Expect('{', "to start a sharding")) return false;
  if (!IsTuple(lexer_)) return ParseSingle(sharding);
  sharding.kind = Kind::kTuple;
  if (lexer_.Consume('}')) return true;
  do {
    if (!ParseElement(sharding.elements.emplace_back())) return false;
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of a tuple's sharding");
}

bool ShardingParser::ParseElement(HloSharding& sharding) {
  sharding.clear();
  return reader_.Expect('{', "to start an element's sharding") &&
         ParseSingle(sharding);
}

// Behind the opening brace; reads the closing one.
bool ShardingParser::ParseSingle(HloSharding& sharding) {
  const uint64_t start = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  const bool named = (word == "mesh" || word == "maximal_mesh") &&
                     lexer_.PeekHere() != '=' && lexer_.PeekHere() != ':';
  lexer_.set_offset(start);
  return named ? ParseNamed(sharding) : ParseItems(sharding);
}

bool ShardingParser::ParseItems(HloSharding& sharding) {
  const uint64_t start = lexer_.TokenOffset();
  Items items;
  while (!lexer_.Consume('}')) {
    if (!ParseItem(items, sharding)) return false;
  }
  return Conclude(items, sharding, start);
}

bool ShardingParser::ParseItem(Items& items, HloSharding& sharding) {
  const uint64_t start = lexer_.TokenOffset();
  const absl::string_view name = lexer_.ScanAttributeName();
  if (name == "device") {
    items.tiles.devices.assign(1, 0);
    return reader_.ReadNumber("a device number", items.tiles.devices[0]);
  }
  if (name == "devices") return ParseDevices(items.tiles);
  if (name == "last_tile_dims") return ParseSubgroups(sharding.subgroups);
  if (name == "metadata") return ParseMetadataList(sharding.metadata);
  lexer_.set_offset(start);
  const absl::string_view word = lexer_.ScanWord();
  if (word == "replicated") return items.replicated = true;
  if (word == "maximal") return items.maximal = true;
  if (word == "manual") return items.manual = true;
  if (word == "unknown") return items.unknown = true;
  if (word == "unreduced") return items.unreduced = true;
  if (word == "last_tile_dim_replicate") return items.replicates_last = true;
  if (word == "shard_as" || word == "shard_like") {
    // With both, XLA takes the number of the last, but shards as.
    if (sharding.group != HloSharding::GroupKind::kShardAs) {
      sharding.group = word == "shard_as" ? HloSharding::GroupKind::kShardAs
                                          : HloSharding::GroupKind::kShardLike;
    }
    return reader_.ReadNumber("a shard group number", sharding.group_id);
  }
  lexer_.set_offset(start);
  return reader_.errors.Expected(lexer_, "an item of a sharding");
}

// [2,2]0,1,2,3 or [2,2]<=[4].
bool ShardingParser::ParseDevices(TileAssignment& tiles) {
  if (!meshes_.ParseIntegers('[', ']', tiles.dimensions)) return false;
  if (lexer_.Consume("<=")) return meshes_.ParseIota(tiles.iota);
  do {
    if (!reader_.ReadNumber("a device number", tiles.devices.emplace_back())) {
      return false;
    }
  } while (lexer_.Consume(','));
  return true;
}

bool ShardingParser::ParseSubgroups(std::vector<Kind>& subgroups) {
  if (!reader_.Expect('{', "to start the subgroups")) return false;
  if (lexer_.Consume('}')) return true;
  do {
    const uint64_t start = lexer_.TokenOffset();
    const absl::string_view word = lexer_.ScanWord();
    const auto* found =
        std::find_if(std::begin(kSubgroupWords), std::end(kSubgroupWords),
                     [&](const KindWord& known) { return known.word == word; });
    if (found == std::end(kSubgroupWords)) {
      lexer_.set_offset(start);
      return reader_.errors.Expected(
          lexer_, "manual, replicated, unreduced or maximal");
    }
    subgroups.push_back(found->kind);
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of the subgroups");
}

// {...}, or a list of such.
bool ShardingParser::ParseMetadataList(std::vector<std::string>& metadata) {
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Expect('{', "to start metadata")) return false;
  if (lexer_.Peek() != '{') {
    lexer_.set_offset(start);
    return parse_metadata_(metadata.emplace_back());
  }
  do {
    if (!parse_metadata_(metadata.emplace_back())) return false;
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of a list of metadata");
}

bool ShardingParser::Conclude(Items& items, HloSharding& sharding,
                              uint64_t offset) {
  const size_t count = items.tiles.devices.size();
  if (items.maximal && !items.replicated) {
    if (count != 1) {
      return reader_.BadValue(
          offset, "maximal shardings should have exactly one device assigned");
    }
    sharding.kind = Kind::kMaximal;
    sharding.device = items.tiles.devices[0];
    sharding.subgroups.clear();
    return true;
  }
  absl::string_view whole;
  if (items.replicated) {
    whole = "replicated";
    sharding.kind = Kind::kReplicated;
  } else if (items.manual) {
    whole = "manual";
    sharding.kind = Kind::kManual;
  } else if (items.unknown) {
    whole = "unknown";
    sharding.kind = Kind::kUnknown;
  } else if (items.unreduced) {
    whole = "unreduced";
    sharding.kind = Kind::kUnreduced;
  } else {
    return ConcludeTiled(items, sharding, offset);
  }
  sharding.subgroups.clear();
  return count == 0 ||
         reader_.BadValue(offset, absl::StrCat(whole,
                                               " shardings should not have any "
                                               "devices assigned"));
}

bool ShardingParser::ConcludeTiled(Items& items, HloSharding& sharding,
                                   uint64_t offset) {
  sharding.kind = Kind::kTiled;
  TileAssignment& tiles = items.tiles;
  const IotaTileAssignment& iota = tiles.iota;
  if (tiles.dimensions.empty()) {
    return reader_.BadValue(offset,
                            "non-maximal shardings must have a tile assignment "
                            "list including dimensions");
  }
  if (iota.transpose_perm.size() != iota.reshape_dims.size()) {
    return reader_.BadValue(
        offset, absl::StrCat("iota_transpose_perm should have the same rank as "
                             "iota_reshape_dims : expected ",
                             iota.reshape_dims.size(), ", saw ",
                             iota.transpose_perm.size(), "."));
  }
  if (items.replicates_last) {
    if (!sharding.subgroups.empty()) {
      return reader_.BadValue(offset,
                              "last_tile_dim_replicate cannot stand beside "
                              "last_tile_dims");
    }
    sharding.subgroups.push_back(Kind::kReplicated);
  }
  if (!FillTiles(tiles, offset)) return false;
  const bool was_iota = tiles.IsIota();
  sharding.tiles = std::move(tiles);
  const absl::Status status =
      sharding.Canonicalize(kMostListedDevices - listed_devices_);
  if (!status.ok()) {
    return reader_.BadValue(offset, std::string(status.message()));
  }
  if (was_iota) listed_devices_ += sharding.tiles.devices.size();
  return true;
}

// Tiles without a device in the list have device 0; devices that no tile is
// left for fall away.
bool ShardingParser::FillTiles(TileAssignment& tiles, uint64_t offset) {
  if (tiles.IsIota()) {
    return tiles.devices.empty() ||
           reader_.BadValue(offset, "an iota cannot stand beside devices");
  }
  const int64_t listed = tiles.devices.size();
  if (listed <= 1) {
    return reader_.BadValue(offset,
                            "non-maximal shardings must have more than one "
                            "device assigned");
  }
  // The compiler's product, which wraps around.
  uint64_t product = 1;
  for (int64_t dim : tiles.dimensions) product *= dim;
  const int64_t count = product;
  if (count < 0 || count - listed > kMostListedDevices - listed_devices_) {
    return reader_.BadValue(
        offset, absl::StrCat("the tile grid has ", count, " tiles, but ",
                             listed, " devices are listed"));
  }
  listed_devices_ += std::max<int64_t>(count - listed, 0);
  tiles.devices.resize(count, 0);
  return true;
}

// mesh[...], [{'a'}, {}], replicated={'c'}, ... up to the closing brace.
bool ShardingParser::ParseNamed(HloSharding& sharding) {
  const uint64_t offset = lexer_.TokenOffset();
  NamedSharding& named = sharding.named;
  sharding.kind = Kind::kNamed;
  if (!meshes_.ParseMesh(named.mesh)) return false;
  bool is_whole = named.mesh.IsMaximal();
  if (!is_whole) {
    lexer_.Consume(',');
    if (!ParseWholeNamed(sharding, is_whole)) return false;
  }
  if (!is_whole) {
    if (!ParseDimensions(named) || !ParseNamedItems(sharding)) return false;
  } else if (lexer_.Consume(',')) {
    if (lexer_.ScanAttributeName() != "metadata") {
      return reader_.errors.Expected(lexer_, "`metadata=`");
    }
    if (!ParseMetadataList(sharding.metadata)) return false;
  }
  if (!reader_.Expect('}', "at the end of a sharding")) return false;
  absl::Status status = named.Verify();
  if (status.ok()) status = sharding.Canonicalize(0);
  return status.ok() || reader_.BadValue(offset, std::string(status.message()));
}

// replicated, unreduced or manual.
bool ShardingParser::ParseWholeNamed(HloSharding& sharding, bool& is_whole) {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  is_whole = word == "replicated" || word == "unreduced" || word == "manual";
  if (is_whole && lexer_.PeekHere() == '=') is_whole = false;
  if (!is_whole) {
    lexer_.set_offset(offset);
    return true;
  }
  if (word == "replicated") return true;
  NamedSharding& named = sharding.named;
  const int64_t count = named.mesh.axes.size();
  if (count == 0) {
    return reader_.BadValue(
        offset, absl::StrCat(word == "manual" ? "Manual" : "Unreduced",
                             " sharding requires non-empty mesh."));
  }
  std::vector<AxisRef>& axes =
      word == "manual" ? named.manual : named.unreduced;
  for (int64_t axis = 0; axis < count; ++axis) axes.push_back({.axis = axis});
  return true;
}

// [{'a','b':(1)2}, {?}]
bool ShardingParser::ParseDimensions(NamedSharding& named) {
  if (!reader_.Expect('[', "to start the dimension shardings")) return false;
  if (lexer_.Consume(']')) return true;
  do {
    NamedSharding::Dimension& dimension = named.dimensions.emplace_back();
    if (!meshes_.ParseAxes(named.mesh, dimension.axes, &dimension.is_open)) {
      return false;
    }
  } while (lexer_.Consume(','));
  return reader_.Expect(']', "at the end of the dimension shardings");
}

bool ShardingParser::ParseNamedItems(HloSharding& sharding) {
  NamedSharding& named = sharding.named;
  while (lexer_.Consume(',')) {
    const uint64_t start = lexer_.TokenOffset();
    const absl::string_view name = lexer_.ScanAttributeName();
    std::vector<AxisRef>* axes = name == "replicated"  ? &named.replicated
                                 : name == "unreduced" ? &named.unreduced
                                 : name == "manual"    ? &named.manual
                                                       : nullptr;
    if (axes != nullptr) {
      if (!meshes_.ParseAxes(named.mesh, *axes)) return false;
    } else if (name == "metadata") {
      if (!ParseMetadataList(sharding.metadata)) return false;
    } else {
      lexer_.set_offset(start);
      return reader_.errors.Expected(
          lexer_, "`replicated=`, `unreduced=`, `manual=` or `metadata=`");
    }
  }
  return true;
}

std::optional<HloSharding> ReadSharding(absl::string_view text) {
  HloLexer lexer(text);
  const auto source = SourceText::FromString(std::string(text), "");
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*source, 1, diagnostics);
  ShardingParser parser({lexer, errors}, [&](std::string& canonical) {
    canonical = std::string(lexer.ScanBraces());
    return !canonical.empty();
  });
  HloSharding sharding;
  if (!parser.Parse(sharding) || !lexer.AtEnd()) return std::nullopt;
  return sharding;
}

std::string ShardingWithoutMetadata(absl::string_view text) {
  std::string out(text);
  if (text.find("metadata=") == absl::string_view::npos) return out;
  const std::optional<HloSharding> sharding = ReadSharding(text);
  if (!sharding.has_value()) return out;
  out.clear();
  sharding->AppendTo(out, /*with_metadata=*/false);
  return out;
}

}  // namespace ferry
