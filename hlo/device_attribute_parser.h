// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_DEVICE_ATTRIBUTE_PARSER_H_
#define FERRY_HLO_DEVICE_ATTRIBUTE_PARSER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "ferry/hlo/canonical_text_cache.h"
#include "ferry/hlo/hlo_sharding.h"
#include "ferry/hlo/replica_groups.h"
#include "ferry/hlo/replica_groups_parser.h"
#include "ferry/hlo/sharding_parser.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads the attributes that speak of devices: `sharding`, `domain`,
// `replica_groups` and `source_target_pairs`. Each function leaves the canonical text in `text`: a view
// into the source if it stands there like that. Nothing is allocated for a text
// that was read lately. Tested by device_attribute_parser_test.cc.
class DeviceAttributeParser {
 public:
  // `parse_metadata` as ShardingParser needs it; `save_text` copies a text to
  // where it lives as long as the module. References must outlive this.
  DeviceAttributeParser(
      TextReader reader, std::function<bool(std::string&)> parse_metadata,
      std::function<absl::string_view(absl::string_view)> save_text)
      : reader_(reader),
        lexer_(reader.lexer),
        shardings_(reader, std::move(parse_metadata)),
        groups_(reader),
        save_text_(std::move(save_text)) {}

  bool ParseSharding(absl::string_view& text);
  // `{kind="sharding", entry={...}, exit={...}}`, without metadata.
  bool ParseDomain(absl::string_view& text);
  bool ParseReplicaGroups(absl::string_view& text);
  bool ParseSourceTargetPairs(absl::string_view& text);

 private:
  // Whether the braces that stand next were read lately: then they are skipped.
  bool SkipKnown(const CanonicalTextCache& known, absl::string_view& text);
  // The source from `start` on if it is what `scratch_` says, else a copy of
  // that; remembered either way.
  absl::string_view Keep(CanonicalTextCache& known, uint64_t start);
  bool ParseTuple(absl::string_view& text);
  bool ParseElement(absl::string_view& text);
  bool ParseDomainPart(bool is_kind, std::string& value);

  TextReader reader_;
  HloLexer& lexer_;
  ShardingParser shardings_;
  ReplicaGroupsParser groups_;
  std::function<absl::string_view(absl::string_view)> save_text_;
  CanonicalTextCache known_elements_;  // shardings that are no tuples
  CanonicalTextCache known_tuples_;
  CanonicalTextCache known_groups_;
  CanonicalTextCache known_pairs_;
  HloSharding sharding_;
  ReplicaGroups replica_groups_;
  std::string scratch_;
  std::string tuple_;
};

}  // namespace ferry

#endif  // FERRY_HLO_DEVICE_ATTRIBUTE_PARSER_H_
