// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/sharding_parser.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/Support/MathExtras.h"

namespace ferry {
namespace {

constexpr absl::string_view kWholeKinds[] = {"replicated", "manual", "unknown",
                                             "unreduced"};
constexpr absl::string_view kSubgroupKinds[] = {"manual", "replicated",
                                                "unreduced", "maximal"};

bool ConsumeOneOf(HloLexer& lexer, absl::Span<const absl::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](absl::string_view word) {
    return lexer.ConsumeWord(word);
  });
}

}  // namespace

bool ShardingParser::Parse() {
  if (!reader_.Expect('{', "to start a sharding")) return false;
  if (lexer_.Peek() != '{') return ParseSingle();
  do {
    if (!reader_.Expect('{', "to start an element's sharding") ||
        !ParseSingle()) {
      return false;
    }
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of a tuple's sharding");
}

// Behind the opening brace; reads the closing one.
bool ShardingParser::ParseSingle() {
  const uint64_t start = lexer_.TokenOffset();
  const absl::string_view word = lexer_.ScanWord();
  const bool named =
      (word == "mesh" || word == "maximal_mesh") && lexer_.Peek() == '[';
  lexer_.set_offset(start);
  return named ? ParseNamed() : ParseItems();
}

bool ShardingParser::ParseItems() {
  const uint64_t start = lexer_.TokenOffset();
  Items items;
  if (lexer_.Consume('}')) return true;
  while (!lexer_.Consume('}')) {
    if (!ParseItem(items)) return false;
  }
  return CheckItems(items, start);
}

bool ShardingParser::ParseItem(Items& items) {
  int64_t number = 0;
  if (ConsumeOneOf(lexer_, kWholeKinds)) return items.whole = true;
  if (lexer_.ConsumeWord("maximal")) return items.maximal = true;
  if (lexer_.ConsumeWord("last_tile_dim_replicate")) return true;
  if (lexer_.ConsumeWord("shard_as") || lexer_.ConsumeWord("shard_like")) {
    return reader_.ReadNumber("a shard group number", number);
  }
  const uint64_t start = lexer_.TokenOffset();
  const absl::string_view name = lexer_.ScanAttributeName();
  if (name == "device") {
    items.device_count = 1;
    return reader_.ReadNumber("a device number", number);
  }
  if (name == "devices") return ParseDevices(items);
  if (name == "last_tile_dims") return ParseSubgroups();
  if (name == "metadata") return ParseMetadataList();
  lexer_.set_offset(start);
  return reader_.errors.Expected(lexer_, "an item of a sharding");
}

bool ShardingParser::CheckItems(const Items& items, uint64_t offset) {
  if (items.maximal && (items.device_count != 1 || items.has_tiles)) {
    return reader_.BadValue(
        offset, "maximal shardings should have exactly one device assigned");
  }
  if (items.maximal || items.whole) return true;
  if (!items.has_tiles) {
    return reader_.BadValue(offset,
                            "non-maximal shardings must have a tile assignment "
                            "list including dimensions");
  }
  if (items.device_count <= 1) {
    return reader_.BadValue(offset,
                            "non-maximal shardings must have more than one "
                            "device assigned");
  }
  return true;
}

// [2,2]0,1,2,3 or [2,2]<=[4].
bool ShardingParser::ParseDevices(Items& items) {
  const uint64_t start = lexer_.TokenOffset();
  int64_t product = 1;
  int64_t rank = 0;
  items.has_tiles = true;
  if (!ParseIntegerList('[', ']', product, rank)) return false;
  if (lexer_.Consume("<=")) {
    if (!ParseIota(items.device_count)) return false;
  } else {
    items.device_count = 0;
    do {
      int64_t device = 0;
      if (!reader_.ReadNumber("a device number", device)) return false;
      ++items.device_count;
    } while (lexer_.Consume(','));
  }
  if (product == items.device_count) return true;
  return reader_.BadValue(
      start, absl::StrCat("the tile grid has ", product, " tiles, but ",
                          items.device_count, " devices are listed"));
}

bool ShardingParser::ParseIota(int64_t& count) {
  int64_t rank = 0;
  count = 1;
  if (!ParseIntegerList('[', ']', count, rank)) return false;
  const uint64_t start = lexer_.TokenOffset();
  if (!lexer_.Consume('T')) {
    return rank <= 1 ||
           reader_.BadValue(start,
                            "an iota of several dimensions needs its "
                            "transpose: T(..)");
  }
  int64_t ignored = 1;
  int64_t entries = 0;
  if (!ParseIntegerList('(', ')', ignored, entries)) return false;
  if (entries == rank && rank > 1) return true;
  return reader_.BadValue(
      start, absl::StrCat("an iota of ", rank, " dimensions cannot have a ",
                          "transpose of ", entries));
}

bool ShardingParser::ParseSubgroups() {
  if (!reader_.Expect('{', "to start the subgroups")) return false;
  if (lexer_.Consume('}')) return true;
  do {
    if (!ConsumeOneOf(lexer_, kSubgroupKinds)) {
      return reader_.errors.Expected(
          lexer_, "manual, replicated, unreduced or maximal");
    }
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of the subgroups");
}

bool ShardingParser::ParseMetadataList() {
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Expect('{', "to start metadata")) return false;
  if (lexer_.Peek() != '{') {
    lexer_.set_offset(start);
    return parse_metadata_();
  }
  do {
    if (!parse_metadata_()) return false;
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of the metadata");
}

// mesh[...], [{'a'}, {}], replicated={'c'}, ... up to the closing brace.
bool ShardingParser::ParseNamed() {
  if (lexer_.ConsumeWord("maximal_mesh")) {
    int64_t device = 0;
    if (!reader_.Expect('[')) return false;
    if (lexer_.ScanAttributeName() != "device_id") {
      return reader_.errors.Expected(lexer_, "`device_id=`");
    }
    return reader_.ReadNumber("a device number", device) &&
           reader_.Expect(']') && reader_.Expect('}');
  }
  if (!ParseMesh()) return false;
  while (lexer_.Consume(',')) {
    if (!ParseNamedItem()) return false;
  }
  return reader_.Expect('}', "at the end of a sharding");
}

bool ShardingParser::ParseNamedItem() {
  if (lexer_.Consume('[')) {
    if (lexer_.Consume(']')) return true;
    do {
      if (!ParseAxes(/*may_be_open=*/true)) return false;
    } while (lexer_.Consume(','));
    return reader_.Expect(']', "at the end of the dimension shardings");
  }
  const uint64_t start = lexer_.TokenOffset();
  const absl::string_view name = lexer_.ScanAttributeName();
  if (name == "device_ids") return ParseDeviceIds();
  if (name == "metadata") return ParseMetadataList();
  if (name == "replicated" || name == "unreduced" || name == "manual") {
    return ParseAxes(/*may_be_open=*/false);
  }
  lexer_.set_offset(start);
  if (ConsumeOneOf(lexer_, kWholeKinds)) return true;
  return reader_.errors.Expected(lexer_, "an item of a named sharding");
}

bool ShardingParser::ParseMesh() {
  axes_.clear();
  if (!lexer_.ConsumeWord("mesh")) {
    return reader_.errors.Expected(lexer_, "`mesh`");
  }
  if (!reader_.Expect('[', "behind `mesh`")) return false;
  if (lexer_.Consume(']')) return true;
  do {
    absl::string_view axis;
    int64_t size = 0;
    if (!reader_.ReadQuoted("the name of an axis in quotes", axis) ||
        !reader_.Expect('=', "behind the axis") ||
        !reader_.ReadNumber("the size of the axis", size)) {
      return false;
    }
    axes_.push_back(axis.substr(1, axis.size() - 2));
  } while (lexer_.Consume(','));
  return reader_.Expect(']', "at the end of the mesh");
}

// (0,2,1,3) or ([4,2]T(1,0)).
bool ShardingParser::ParseDeviceIds() {
  int64_t product = 1;
  int64_t count = 0;
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Expect('(', "to start the device ids")) return false;
  if (lexer_.Peek() == '[') {
    return ParseIota(product) && reader_.Expect(')');
  }
  lexer_.set_offset(start);
  return ParseIntegerList('(', ')', product, count);
}

// {'a', 'b':(1)2, ?}
bool ShardingParser::ParseAxes(bool may_be_open) {
  if (!reader_.Expect('{', "to start axes")) return false;
  if (lexer_.Consume('}')) return true;
  do {
    if (may_be_open && lexer_.Consume('?')) break;
    const uint64_t start = lexer_.TokenOffset();
    absl::string_view axis;
    if (!reader_.ReadQuoted("the name of an axis in quotes", axis)) {
      return false;
    }
    const absl::string_view name = axis.substr(1, axis.size() - 2);
    if (std::find(axes_.begin(), axes_.end(), name) == axes_.end()) {
      reader_.errors.Add(DiagnosticCode::kUnknownName, start,
                         {"mesh axis", std::string(name)});
      reader_.errors.Suggest(name, axes_);
      return false;
    }
    int64_t size = 0;
    if (lexer_.Consume(':') &&
        (!reader_.Expect('(') || !reader_.ReadNumber("a pre-size", size) ||
         !reader_.Expect(')') || !reader_.ReadNumber("a size", size))) {
      return false;
    }
  } while (lexer_.Consume(','));
  return reader_.Expect('}', "at the end of the axes");
}

bool ShardingParser::ParseIntegerList(char open, char close, int64_t& product,
                                      int64_t& count) {
  if (!reader_.Expect(open)) return false;
  do {
    const uint64_t offset = lexer_.TokenOffset();
    int64_t number = 0;
    if (!reader_.ReadNumber("an integer", number)) return false;
    if (number < 0) return reader_.BadValue(offset, "must not be negative");
    if (llvm::MulOverflow(product, number, product)) product = INT64_MAX;
    ++count;
  } while (lexer_.Consume(','));
  return reader_.Expect(close);
}

}  // namespace ferry
