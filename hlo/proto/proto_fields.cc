// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/proto_fields.h"

namespace ferry {
namespace {

// As in tags.
enum WireType : uint32_t {
  kWireVarint = 0,
  kWireFixed64 = 1,
  kWireBytes = 2,
  kWireGroupStart = 3,
  kWireGroupEnd = 4,
  kWireFixed32 = 5,
};

constexpr uint64_t kLargestTag = UINT32_MAX;

uint64_t LittleEndian(absl::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<uint8_t>(bytes[i]);
  }
  return value;
}

}  // namespace

bool ProtoFieldReader::TakeVarint(uint64_t& value) {
  if (!rest_.empty() && static_cast<uint8_t>(rest_[0]) < 0x80) {
    value = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return true;
  }
  constexpr size_t kLongest = 10;
  value = 0;
  for (size_t i = 0; i < kLongest && i < rest_.size(); ++i) {
    const auto byte = static_cast<uint8_t>(rest_[i]);
    value |= uint64_t{byte & 0x7fu} << (7 * i);
    if (byte < 0x80) {
      rest_.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

bool ProtoFieldReader::TakeBytes(uint64_t size, absl::string_view& bytes) {
  if (size > rest_.size()) return false;
  bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

bool ProtoFieldReader::TakeValue(uint32_t wire) {
  absl::string_view bytes;
  switch (wire) {
    case kWireVarint:
      field_.wire = ProtoField::Wire::kVarint;
      return TakeVarint(field_.value);
    case kWireFixed64:
      field_.wire = ProtoField::Wire::kFixed64;
      if (!TakeBytes(8, bytes)) return false;
      field_.value = LittleEndian(bytes);
      return true;
    case kWireBytes: {
      field_.wire = ProtoField::Wire::kBytes;
      uint64_t size = 0;
      return TakeVarint(size) && TakeBytes(size, field_.bytes);
    }
    case kWireGroupStart:
      field_.wire = ProtoField::Wire::kGroup;
      return SkipGroup();
    case kWireFixed32:
      field_.wire = ProtoField::Wire::kFixed32;
      if (!TakeBytes(4, bytes)) return false;
      field_.value = LittleEndian(bytes);
      return true;
    default:
      return false;
  }
}

// To the end of the group that has begun. A stack of the numbers of open
// groups, not recursion: each costs a byte of input at least.
bool ProtoFieldReader::SkipGroup() {
  std::vector<uint32_t> open = {field_.number};
  while (!open.empty()) {
    uint64_t tag = 0;
    if (!TakeVarint(tag) || tag > kLargestTag || tag >> 3 == 0) return false;
    const uint32_t wire = tag & 7;
    const auto number = static_cast<uint32_t>(tag >> 3);
    if (wire == kWireGroupStart) {
      open.push_back(number);
    } else if (wire == kWireGroupEnd) {
      if (open.back() != number) return false;
      open.pop_back();
    } else if (!TakeValue(wire)) {
      return false;
    }
  }
  field_.wire = ProtoField::Wire::kGroup;
  return true;
}

bool ProtoFieldReader::Next() {
  if (rest_.empty() || is_damaged_) return false;
  const char* start = rest_.data();
  uint64_t tag = 0;
  is_damaged_ = !TakeVarint(tag) || tag > kLargestTag || tag >> 3 == 0;
  if (is_damaged_) return false;
  field_.number = static_cast<uint32_t>(tag >> 3);
  is_damaged_ = !TakeValue(tag & 7);
  field_.raw = absl::string_view(start, rest_.data() - start);
  return !is_damaged_;
}

bool AppendVarints(const ProtoField& field, std::vector<int64_t>& numbers) {
  if (field.wire == ProtoField::Wire::kVarint) {
    numbers.push_back(static_cast<int64_t>(field.value));
    return true;
  }
  if (field.wire != ProtoField::Wire::kBytes) return false;
  uint64_t value = 0;
  int shift = 0;
  for (const char c : field.bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (shift > 63) return false;
    value |= uint64_t{byte & 0x7fu} << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    numbers.push_back(static_cast<int64_t>(value));
    value = 0;
    shift = 0;
  }
  return shift == 0;
}

void AppendVarint(uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void AppendBytesField(uint32_t number, absl::string_view bytes,
                      std::string& out) {
  AppendVarint(uint64_t{number} << 3 | kWireBytes, out);
  AppendVarint(bytes.size(), out);
  out.append(bytes.data(), bytes.size());
}

}  // namespace ferry
