// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/device_attribute_parser.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_attribute.h"

namespace ferry {

bool DeviceAttributeParser::SkipKnown(const CanonicalTextCache& known,
                                      absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  if (known.Find(lexer_.ScanBraces(), text)) return true;
  lexer_.set_offset(start);
  return false;
}

absl::string_view DeviceAttributeParser::Keep(CanonicalTextCache& known,
                                              uint64_t start) {
  const absl::string_view source = lexer_.TextSince(start);
  const absl::string_view kept =
      source == scratch_ ? source : save_text_(scratch_);
  known.Add(source, kept);
  return kept;
}

bool DeviceAttributeParser::ParseSharding(absl::string_view& text) {
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Expect('{', "to start a sharding")) return false;
  const bool is_tuple = lexer_.Peek() == '{' || lexer_.Peek() == '}';
  lexer_.set_offset(start);
  return is_tuple ? ParseTuple(text) : ParseElement(text);
}

// Elements repeat even more than whole shardings: each is looked up by itself,
// and the tuple is never made.
bool DeviceAttributeParser::ParseTuple(absl::string_view& text) {
  if (SkipKnown(known_tuples_, text)) return true;
  const uint64_t start = lexer_.TokenOffset();
  tuple_.assign(1, '{');
  lexer_.Consume('{');
  if (!lexer_.Consume('}')) {
    int64_t index = 0;
    do {
      absl::string_view element;
      if (!ParseElement(element)) return false;
      AppendElementSeparator(index++, tuple_);
      absl::StrAppend(&tuple_, element);
    } while (lexer_.Consume(','));
    if (!reader_.Expect('}', "at the end of a tuple's sharding")) return false;
  }
  tuple_ += '}';
  scratch_.swap(tuple_);
  text = Keep(known_tuples_, start);
  return true;
}

bool DeviceAttributeParser::ParseElement(absl::string_view& text) {
  if (SkipKnown(known_elements_, text)) return true;
  const uint64_t start = lexer_.TokenOffset();
  if (!shardings_.ParseElement(sharding_)) return false;
  scratch_.clear();
  sharding_.AppendTo(scratch_);
  text = Keep(known_elements_, start);
  return true;
}

bool DeviceAttributeParser::ParseReplicaGroups(absl::string_view& text) {
  if (SkipKnown(known_groups_, text)) return true;
  const uint64_t start = lexer_.TokenOffset();
  if (!groups_.Parse(replica_groups_)) return false;
  scratch_.clear();
  replica_groups_.AppendTo(scratch_);
  text = Keep(known_groups_, start);
  return true;
}

bool DeviceAttributeParser::ParseSourceTargetPairs(absl::string_view& text) {
  if (SkipKnown(known_pairs_, text)) return true;
  const uint64_t start = lexer_.TokenOffset();
  if (!groups_.ParsePairs(replica_groups_)) return false;
  scratch_.clear();
  replica_groups_.AppendTo(scratch_);
  text = Keep(known_pairs_, start);
  return true;
}

// XLA separates the parts by commas that may be missing, one may stand in
// front.
bool DeviceAttributeParser::ParseDomain(absl::string_view& text) {
  constexpr absl::string_view kParts[] = {"kind", "entry", "exit"};
  std::string values[3];
  const uint64_t start = lexer_.TokenOffset();
  if (!reader_.Expect('{', "to start a domain")) return false;
  while (!lexer_.Consume('}')) {
    lexer_.Consume(',');
    const uint64_t offset = lexer_.TokenOffset();
    const absl::string_view name = lexer_.ScanAttributeName();
    const size_t part = std::find(std::begin(kParts), std::end(kParts), name) -
                        std::begin(kParts);
    if (part == std::size(kParts)) {
      lexer_.set_offset(offset);
      return reader_.errors.Expected(lexer_, "`kind=`, `entry=` or `exit=`");
    }
    if (!values[part].empty()) {
      return reader_.BadValue(
          offset, absl::StrCat("attribute ", name, " already exists"));
    }
    if (!ParseDomainPart(part == 0, values[part])) return false;
  }
  for (size_t part = 0; part < std::size(kParts); ++part) {
    if (!values[part].empty()) continue;
    return reader_.BadValue(start, absl::StrCat("sub-attribute ", kParts[part],
                                                " is expected but not seen"));
  }
  if (ReadString(values[0]) != "sharding") {
    return reader_.BadValue(
        start, absl::StrCat("unsupported domain kind: ", values[0]));
  }
  scratch_ = absl::StrCat("{kind=\"sharding\", entry=", values[1],
                          ", exit=", values[2], "}");
  const absl::string_view source = lexer_.TextSince(start);
  text = source == scratch_ ? source : save_text_(scratch_);
  return true;
}

bool DeviceAttributeParser::ParseDomainPart(bool is_kind, std::string& value) {
  if (is_kind) {
    absl::string_view quoted;
    if (!reader_.ReadQuoted("a string", quoted)) return false;
    value = std::string(quoted);
    return true;
  }
  if (!shardings_.Parse(sharding_)) return false;
  sharding_.AppendTo(value, /*with_metadata=*/false);
  return true;
}

}  // namespace ferry
