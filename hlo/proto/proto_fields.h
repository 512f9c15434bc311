// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_FIELDS_H_
#define FERRY_HLO_PROTO_PROTO_FIELDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace ferry {

// One field of a serialized message, as it stands there.
struct ProtoField {
  enum class Wire : uint8_t { kVarint, kFixed64, kBytes, kGroup, kFixed32 };
  uint32_t number = 0;
  Wire wire = Wire::kVarint;
  uint64_t value = 0;       // of kVarint, kFixed64, kFixed32
  absl::string_view bytes;  // of kBytes
  absl::string_view raw;    // all of it, with its tag
};

// Walks the fields of one serialized message without copying anything. This is
// how modules are read: names, shapes and ids of half a million instructions
// are taken where they stand, and protobuf sees the rare fields only.
//
//   ProtoFieldReader fields(bytes);
//   while (fields.Next()) use(fields.field());
//   if (fields.is_damaged()) ...
//
// Any byte string ends in is_damaged() or at its end. Groups, which only a
// foreign schema has, are passed over whole, however deep they nest.
// Tested by proto_fields_test.cc.
class ProtoFieldReader {
 public:
  explicit ProtoFieldReader(absl::string_view bytes) : rest_(bytes) {}

  // False at the end, and where the bytes are no fields.
  bool Next();
  const ProtoField& field() const { return field_; }
  bool is_damaged() const { return is_damaged_; }

 private:
  bool TakeVarint(uint64_t& value);
  bool TakeBytes(uint64_t size, absl::string_view& bytes);
  bool TakeValue(uint32_t wire);
  bool SkipGroup();

  absl::string_view rest_;
  ProtoField field_;
  bool is_damaged_ = false;
};

// The numbers of a repeated integer field, which stand packed (kBytes) or one
// by one (kVarint); appends. False if the bytes are no varints.
bool AppendVarints(const ProtoField& field, std::vector<int64_t>& numbers);

// Appends to serialized bytes.
void AppendVarint(uint64_t value, std::string& out);
void AppendBytesField(uint32_t number, absl::string_view bytes,
                      std::string& out);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_FIELDS_H_
