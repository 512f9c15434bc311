// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SHARDING_PARSER_H_
#define FERRY_HLO_SHARDING_PARSER_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Checks the `sharding` attribute, and the meshes of replica groups, which are
// written the same way: old form, iota form, named (mesh) form, and tuples of
// them. Tested by hlo_parser_test.cc.
class ShardingParser {
 public:
  // `parse_metadata` reads one `{...}` of metadata.
  ShardingParser(TextReader reader, std::function<bool()> parse_metadata)
      : reader_(reader),
        lexer_(reader.lexer),
        parse_metadata_(std::move(parse_metadata)) {}

  // `{replicated}`, `{{maximal device=0}, {devices=[2]<=[2]}}`, `{}`.
  bool Parse();
  // `[4,2]<=[2,4]T(1,0)` from the arrow on; `dimensions` receives the product.
  bool ParseIota(int64_t& count);
  // `mesh['a'=2,'b'=4]`, then `{'a','b':(1)2}` may refer to its axes.
  bool ParseMesh();
  bool ParseAxes(bool may_be_open);

 private:
  // What the items of one sharding add up to.
  struct Items {
    bool maximal = false;
    bool whole = false;  // replicated, manual, ...
    bool has_tiles = false;
    int64_t device_count = 0;
  };

  bool ParseSingle();
  bool ParseItems();
  bool ParseItem(Items& items);
  bool CheckItems(const Items& items, uint64_t offset);
  bool ParseDevices(Items& items);
  bool ParseSubgroups();
  bool ParseMetadataList();
  bool ParseNamed();
  bool ParseNamedItem();
  bool ParseDeviceIds();
  bool ParseIntegerList(char open, char close, int64_t& product,
                        int64_t& count);

  TextReader reader_;
  HloLexer& lexer_;
  std::function<bool()> parse_metadata_;
  std::vector<absl::string_view> axes_;  // of the mesh read last, unquoted
};

}  // namespace ferry

#endif  // FERRY_HLO_SHARDING_PARSER_H_
