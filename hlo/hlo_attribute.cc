// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/hlo_attribute.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/str_split.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/string_ref.h"
#include "llvm/ADT/StringMap.h"

namespace ferry {
namespace {

struct AttributeFacts {
  absl::string_view name;
  HloAttributeForm form;
};

constexpr AttributeFacts kFacts[] = {
#define FERRY_HLO_ATTRIBUTE(enumerator, name, form) \
  {name, HloAttributeForm::form},
#include "ferry/hlo/hlo_attribute.def"
};
constexpr size_t kAttributeCount = std::size(kFacts);
constexpr size_t kOpcodeCount = static_cast<size_t>(HloOpcode::kUnknown) + 1;

const AttributeFacts& FactsOf(HloAttributeKind kind) {
  return kFacts[static_cast<size_t>(kind)];
}

// What hlo_attribute_rules.def says of one opcode.
struct Rule {
  std::bitset<kAttributeCount> allowed;
  std::vector<HloAttributeKind> required;
  std::vector<absl::string_view> names;  // computations' too
  std::array<uint8_t, kAttributeCount> rank;
};
using RuleTable = std::array<Rule, kOpcodeCount>;

constexpr absl::string_view kCommonNames[] = {"sharding",
                                              "frontend_attributes",
                                              "control-predecessors",
                                              "statistics",
                                              "origin",
                                              "metadata",
                                              "backend_config"};

// The common attributes, the last of the list, stand behind what is called.
constexpr size_t kFirstCommon =
    static_cast<size_t>(HloAttributeKind::kIsComposite);
// Ranks of the opcode's own attributes, then of those that it should not have,
// then of the common ones.
constexpr size_t kMostOwn = 32;
static_assert(kMostOwn + kAttributeCount <= UINT8_MAX);

void AddName(Rule& rule, absl::string_view name) {
  const bool required = !name.empty() && name.back() == '!';
  if (required) name.remove_suffix(1);
  rule.names.push_back(name);
  const std::optional<HloAttributeKind> kind = HloAttributeFromName(name);
  if (!kind.has_value()) return;  // names computations or instructions
  const auto index = static_cast<size_t>(*kind);
  rule.allowed.set(index);
  if (index < kFirstCommon) rule.rank[index] = rule.names.size();
  if (required) rule.required.push_back(*kind);
}

void AddRule(RuleTable& table, HloOpcode opcode, absl::string_view names) {
  Rule& rule = table[static_cast<size_t>(opcode)];
  for (absl::string_view name : absl::StrSplit(names, ' ')) {
    AddName(rule, name);
  }
}

const RuleTable& Rules() {
  static const RuleTable& table = *[] {
    auto* made = new RuleTable();
    for (Rule& rule : *made) {
      for (size_t i = 0; i < kAttributeCount; ++i) rule.rank[i] = kMostOwn + i;
    }
#define FERRY_HLO_ATTRIBUTE_RULE(opcode, names) \
  AddRule(*made, HloOpcode::opcode, names);
#include "ferry/hlo/hlo_attribute_rules.def"
    for (Rule& rule : *made) {
      for (absl::string_view name : kCommonNames) AddName(rule, name);
      std::sort(rule.names.begin(), rule.names.end());
    }
    return made;
  }();
  return table;
}

const Rule& RuleOf(HloOpcode opcode) {
  return Rules()[static_cast<size_t>(opcode)];
}

}  // namespace

absl::string_view HloAttributeName(HloAttributeKind kind) {
  return FactsOf(kind).name;
}

HloAttributeForm HloAttributeFormOf(HloAttributeKind kind) {
  return FactsOf(kind).form;
}

std::optional<HloAttributeKind> HloAttributeFromName(absl::string_view name) {
  static const auto& by_name = *[] {
    auto* map = new llvm::StringMap<HloAttributeKind>();
    for (size_t i = 0; i < kAttributeCount; ++i) {
      if (kFacts[i].name.empty()) continue;
      map->try_emplace(ToStringRef(kFacts[i].name),
                       static_cast<HloAttributeKind>(i));
    }
    return map;
  }();
  const auto found = by_name.find(ToStringRef(name));
  if (found == by_name.end()) return std::nullopt;
  return found->second;
}

bool IsAllowedAttribute(HloOpcode opcode, HloAttributeKind kind) {
  return opcode == HloOpcode::kUnknown ||
         RuleOf(opcode).allowed.test(static_cast<size_t>(kind));
}

int PrintRank(HloOpcode opcode, HloAttributeKind kind) {
  return RuleOf(opcode).rank[static_cast<size_t>(kind)];
}

absl::Span<const HloAttributeKind> RequiredAttributes(HloOpcode opcode) {
  return RuleOf(opcode).required;
}

std::vector<absl::string_view> AllowedAttributeNames(HloOpcode opcode) {
  return RuleOf(opcode).names;
}

std::optional<absl::InlinedVector<int64_t, 6>> ReadIntegers(
    absl::string_view text) {
  HloLexer lexer(text);
  absl::InlinedVector<int64_t, 6> integers;
  if (!lexer.Consume('{')) return std::nullopt;
  while (!lexer.Consume('}')) {
    if (!integers.empty() && !lexer.Consume(',')) return std::nullopt;
    const std::optional<int64_t> integer = IntegerValue(lexer.ScanInteger());
    if (!integer.has_value()) return std::nullopt;
    integers.push_back(*integer);
  }
  if (!lexer.AtEnd()) return std::nullopt;
  return integers;
}

std::optional<int64_t> ReadInteger(absl::string_view text) {
  HloLexer lexer(text);
  const std::optional<int64_t> integer = IntegerValue(lexer.ScanInteger());
  if (!lexer.AtEnd()) return std::nullopt;
  return integer;
}

std::string ReadString(absl::string_view text) {
  const bool quoted = text.size() >= 2 &&
                      (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  if (!quoted) return std::string(text);
  const absl::string_view inside = text.substr(1, text.size() - 2);
  std::string decoded;
  if (!absl::CUnescape(inside, &decoded)) return std::string(inside);
  return decoded;
}

absl::Span<const absl::string_view> CalledComputationRoles(HloOpcode opcode) {
  static constexpr absl::string_view kToApply[] = {"to_apply"};
  static constexpr absl::string_view kCalls[] = {"calls"};
  static constexpr absl::string_view kLoop[] = {"condition", "body"};
  static constexpr absl::string_view kBranches[] = {"branch_computations"};
  static constexpr absl::string_view kWindows[] = {"select", "scatter"};
  static constexpr absl::string_view kCalled[] = {"called_computations"};
  switch (opcode) {
    case HloOpcode::kCall:
    case HloOpcode::kMap:
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kReduceScatter:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kScatter:
    case HloOpcode::kScan:
    case HloOpcode::kSort:
      return kToApply;
    case HloOpcode::kFusion:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
      return kCalls;
    case HloOpcode::kWhile:
      return kLoop;
    case HloOpcode::kConditional:
      return kBranches;
    case HloOpcode::kSelectAndScatter:
      return kWindows;
    case HloOpcode::kCustomCall:
      return kCalled;
    default:
      return {};
  }
}

}  // namespace ferry
