// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryTarget as JSON. Each record has one list of its fields, which serves
// both directions.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/layout.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/hlo/string_ref.h"
#include "ferry/memory/memory_target.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace ferry {
namespace {

namespace json = llvm::json;

template <typename Visitor>
void VisitFields(MemorySpaceTarget& space, Visitor&& visit) {
  visit("name", space.name);
  visit("usable_bytes", space.usable_bytes);
  visit("reserved_bytes", space.reserved_bytes);
  visit("offset_alignment_bytes", space.offset_alignment_bytes);
  visit("is_dense", space.is_dense);
}

template <typename Visitor>
void VisitFields(TileRule& rule, Visitor&& visit) {
  visit("scalar_elements", rule.scalar_elements);
  visit("min_vector_elements", rule.min_vector_elements);
  visit("max_vector_elements", rule.max_vector_elements);
  visit("min_rows", rule.min_rows);
  visit("large_rows", rule.large_rows);
  visit("word_tile", rule.word_tile);
  visit("stores_element_bits", rule.stores_element_bits);
}

template <typename Visitor>
void VisitFields(MemoryTarget& target, Visitor&& visit) {
  visit("name", target.name);
  visit("untiled_alignment_elements", target.untiled_alignment_elements);
  visit("tuple_entry_bytes", target.tuple_entry_bytes);
  visit("tuple_table_alignment_bytes", target.tuple_table_alignment_bytes);
}

json::Value ToJson(const std::string& value) { return value; }
json::Value ToJson(int64_t value) { return value; }
json::Value ToJson(bool value) { return value; }
json::Value ToJson(const std::vector<int64_t>& values) {
  return json::Array(values);
}
json::Value ToJson(const std::optional<int64_t>& value) {
  return value.has_value() ? json::Value(*value) : json::Value(nullptr);
}

bool FromJson(const json::Value& value, std::string& result) {
  const std::optional<llvm::StringRef> text = value.getAsString();
  if (!text.has_value() || text->empty()) return false;
  result = text->str();
  return true;
}
bool FromJson(const json::Value& value, bool& result) {
  const std::optional<bool> flag = value.getAsBoolean();
  if (flag.has_value()) result = *flag;
  return flag.has_value();
}
// No number of a target is negative.
bool FromJson(const json::Value& value, int64_t& result) {
  const std::optional<int64_t> number = value.getAsInteger();
  if (!number.has_value() || *number < 0) return false;
  result = *number;
  return true;
}
bool FromJson(const json::Value& value, std::optional<int64_t>& result) {
  result.reset();
  if (value.getAsNull().has_value()) return true;
  return FromJson(value, result.emplace());
}
bool FromJson(const json::Value& value, std::vector<int64_t>& result) {
  const json::Array* array = value.getAsArray();
  if (array == nullptr) return false;
  result.clear();
  for (const json::Value& element : *array) {
    if (!FromJson(element, result.emplace_back())) return false;
  }
  return true;
}

template <typename Record>
json::Object FieldsToJson(const Record& record) {
  json::Object object;
  Record copy = record;
  VisitFields(copy, [&](llvm::StringRef name, const auto& field) {
    object[name] = ToJson(field);
  });
  return object;
}

absl::Status BadField(absl::string_view where, llvm::StringRef name,
                      absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat(where, ": field `", ToStringView(name), "` ", what));
}

// Sets the fields that `object` gives; `others` are read elsewhere.
template <typename Record>
absl::Status ReadFields(const json::Object& object, absl::string_view where,
                        std::vector<llvm::StringRef> others, Record& record) {
  absl::Status status;
  VisitFields(record, [&](llvm::StringRef name, auto& field) {
    others.push_back(name);
    const json::Value* value = object.get(name);
    if (value != nullptr && !FromJson(*value, field) && status.ok()) {
      status = BadField(where, name, "has no valid value");
    }
  });
  FERRY_RETURN_IF_ERROR(status);
  // In the order of names: the object has none.
  std::vector<llvm::StringRef> given;
  for (const auto& [name, value] : object) given.push_back(name);
  std::sort(given.begin(), given.end());
  for (const llvm::StringRef name : given) {
    if (std::find(others.begin(), others.end(), name) == others.end()) {
      return BadField(where, name, "is unknown");
    }
  }
  return absl::OkStatus();
}

// Each element of the list `list_name` changes the record with its `key`, or
// adds one.
template <typename Record, typename KeyOf>
absl::Status ReadRecords(const json::Object& object, llvm::StringRef list_name,
                         llvm::StringRef key, KeyOf key_of,
                         std::vector<Record>& records) {
  const json::Value* list = object.get(list_name);
  if (list == nullptr) return absl::OkStatus();
  if (list->getAsArray() == nullptr) {
    return BadField("memory target", list_name, "is no list");
  }
  for (const json::Value& element : *list->getAsArray()) {
    const json::Object* fields = element.getAsObject();
    int64_t number = 0;
    if (fields == nullptr || fields->get(key) == nullptr ||
        !FromJson(*fields->get(key), number)) {
      return BadField(ToStringView(list_name), key, "is missing");
    }
    auto record =
        std::find_if(records.begin(), records.end(), [&](Record& candidate) {
          return int64_t(key_of(candidate)) == number;
        });
    if (record == records.end()) {
      record = records.insert(records.end(), Record{});
      using Key = std::decay_t<decltype(key_of(*record))>;
      key_of(*record) = static_cast<Key>(number);
    }
    FERRY_RETURN_IF_ERROR(
        ReadFields(*fields, absl::StrCat(ToStringView(list_name), " ", number),
                   {key}, *record));
  }
  return absl::OkStatus();
}

MemorySpace& SpaceOf(MemorySpaceTarget& space) { return space.space; }
int64_t& BitsOf(TileRule& rule) { return rule.element_bits; }

bool IsPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

absl::Status Validate(const MemoryTarget& target) {
  for (const MemorySpaceTarget& space : target.spaces) {
    const absl::string_view where = space.name;
    if (space.offset_alignment_bytes <= 0) {
      return BadField(where, "offset_alignment_bytes", "is not positive");
    }
    if (space.usable_bytes.has_value() &&
        space.reserved_bytes > *space.usable_bytes) {
      return BadField(where, "reserved_bytes", "is more than usable_bytes");
    }
  }
  for (const TileRule& rule : target.tile_rules) {
    const std::string where = absl::StrCat("tile_rules ", rule.element_bits);
    if (rule.element_bits <= 0 || rule.scalar_elements <= 0 ||
        rule.min_rows <= 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": sizes must be positive"));
    }
    if (!IsPowerOfTwo(rule.min_vector_elements) ||
        !IsPowerOfTwo(rule.max_vector_elements) ||
        rule.min_vector_elements > rule.max_vector_elements) {
      return BadField(where, "min_vector_elements",
                      "and max_vector_elements must be ascending powers of "
                      "two");
    }
    for (const int64_t size : rule.word_tile) {
      if (size <= 0) return BadField(where, "word_tile", "is not positive");
    }
  }
  if (target.untiled_alignment_elements <= 0 ||
      target.tuple_table_alignment_bytes <= 0) {
    return absl::InvalidArgumentError(
        "memory target: alignments must be positive");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<MemoryTarget> MemoryTargetFromJson(absl::string_view text) {
  llvm::Expected<json::Value> value = json::parse(ToStringRef(text));
  if (!value) {
    return absl::InvalidArgumentError(
        absl::StrCat("memory target: ", llvm::toString(value.takeError())));
  }
  const json::Object* object = value->getAsObject();
  if (object == nullptr) {
    return absl::InvalidArgumentError("memory target: no JSON object");
  }
  std::string base = "v5e";
  const json::Value* given_base = object->get("base");
  if (given_base != nullptr && !FromJson(*given_base, base)) {
    return BadField("memory target", "base", "has no valid value");
  }
  const MemoryTarget* known = FindMemoryTarget(base);
  if (known == nullptr) {
    return BadField("memory target", "base",
                    absl::StrCat("names no known target: ", base));
  }
  MemoryTarget target = *known;
  FERRY_RETURN_IF_ERROR(ReadFields(*object, "memory target",
                                   {"base", "spaces", "tile_rules"}, target));
  FERRY_RETURN_IF_ERROR(
      ReadRecords(*object, "spaces", "space", SpaceOf, target.spaces));
  FERRY_RETURN_IF_ERROR(ReadRecords(*object, "tile_rules", "element_bits",
                                    BitsOf, target.tile_rules));
  std::stable_sort(target.tile_rules.begin(), target.tile_rules.end(),
                   [](const TileRule& a, const TileRule& b) {
                     return a.element_bits < b.element_bits;
                   });
  FERRY_RETURN_IF_ERROR(Validate(target));
  return target;
}

std::string MemoryTargetToJson(const MemoryTarget& target) {
  json::Object object = FieldsToJson(target);
  json::Array spaces;
  for (const MemorySpaceTarget& space : target.spaces) {
    json::Object fields = FieldsToJson(space);
    fields["space"] = static_cast<int64_t>(space.space);
    spaces.push_back(std::move(fields));
  }
  object["spaces"] = std::move(spaces);
  json::Array rules;
  for (const TileRule& rule : target.tile_rules) {
    json::Object fields = FieldsToJson(rule);
    fields["element_bits"] = rule.element_bits;
    rules.push_back(std::move(fields));
  }
  object["tile_rules"] = std::move(rules);
  return llvm::formatv("{0:2}\n", json::Value(std::move(object))).str();
}

}  // namespace ferry
