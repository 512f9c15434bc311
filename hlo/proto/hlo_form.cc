// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/hlo_form.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/proto_fields.h"

namespace ferry {
namespace {

using Container = CarriedProto::Container;

// Tags of fields 1, 2 and 3 with a string or message behind them: with what
// modules, and what they stand in, begin.
constexpr absl::string_view kFirstTags = "\x0a\x12\x1a";

bool IsControl(char c) {
  return static_cast<uint8_t>(c) < 0x20 && !absl::ascii_isspace(c);
}

// A text proto begins with a field: `hlo_module {`, `name: "jit_f"`.
bool IsTextProto(absl::string_view text) {
  text = SkipBlankHlo(text);
  const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (end == 0 || end == absl::string_view::npos) return false;
  const absl::string_view field = text.substr(0, end);
  const absl::string_view rest = SkipBlankHlo(text.substr(end));
  if (!absl::StartsWith(rest, ":") && !absl::StartsWith(rest, "{") &&
      !absl::StartsWith(rest, "<")) {
    return false;
  }
  if (field == "hlo" || field == "hlo_module" || field == "config" ||
      field == "buffer_assignment") {
    return true;
  }
  const auto* module = proto::HloModuleProto::descriptor();
  return module->FindFieldByName(std::string(field)) != nullptr;
}

// Whether a first field that reaches beyond the end holds a message.
bool IsCutOff(absl::string_view bytes) {
  constexpr size_t kLongestSize = 10;
  size_t at = 1;
  while (at < bytes.size() && at < kLongestSize &&
         static_cast<uint8_t>(bytes[at]) >= 0x80) {
    ++at;
  }
  return at + 1 < bytes.size() && absl::StrContains(kFirstTags, bytes[at + 1]);
}

// All these messages begin with field 1 (a name or the module), or without a
// name with field 2 or 3, and have control characters early: lengths, numbers.
// Text has neither; a line's end, which is the tag of field 1, has text behind
// it that makes no fields. What is cut off in its first field still is a proto.
bool IsBinaryProto(absl::string_view bytes) {
  constexpr size_t kEarly = 4096;
  if (bytes.empty() || !absl::StrContains(kFirstTags, bytes[0])) return false;
  const absl::string_view early = bytes.substr(0, kEarly);
  if (std::none_of(early.begin(), early.end(), IsControl)) return false;
  ProtoFieldReader fields(bytes);
  if (!fields.Next()) return IsCutOff(bytes);
  const absl::string_view first = fields.field().bytes;
  const bool is_word = std::none_of(first.begin(), first.end(), [](char c) {
    return IsControl(c) || absl::ascii_isspace(c);
  });
  // Behind a name comes another field; all else is a message.
  if (is_word) return fields.Next() || !fields.is_damaged();
  ProtoFieldReader inner(first);
  return inner.Next();
}

// Whether field 1 of a message is a message itself, not a name.
bool StartsMessage(absl::string_view bytes) {
  if (bytes.empty()) return false;
  ProtoFieldReader fields(bytes);
  while (fields.Next()) continue;
  return !fields.is_damaged() &&
         (absl::StrContains(kFirstTags, bytes[0]) || IsControl(bytes[0]));
}

}  // namespace

absl::string_view SkipBlankHlo(absl::string_view text) {
  while (true) {
    text = absl::StripLeadingAsciiWhitespace(text);
    absl::string_view end = "\n";
    if (absl::StartsWith(text, "/*")) {
      end = "*/";
    } else if (!absl::StartsWith(text, "//") && !absl::StartsWith(text, "#")) {
      return text;
    }
    const size_t found = text.find(end);
    if (found == absl::string_view::npos) return "";
    text.remove_prefix(found + end.size());
  }
}

HloForm HloFormOf(absl::string_view bytes) {
  if (IsBinaryProto(bytes)) return HloForm::kBinaryProto;
  return IsTextProto(bytes) ? HloForm::kTextProto : HloForm::kText;
}

CarriedProto::Container ContainerOf(absl::string_view bytes) {
  absl::string_view first;
  int second_count = 0;
  bool has_version = false;
  ProtoFieldReader fields(bytes);
  while (fields.Next()) {
    const ProtoField& field = fields.field();
    if (field.number == 1 && field.wire == ProtoField::Wire::kBytes) {
      first = field.bytes;
    }
    second_count += field.number == 2;
    has_version |= field.number == 3 && field.wire == ProtoField::Wire::kVarint;
  }
  if (!StartsMessage(first)) return Container::kModule;
  ProtoFieldReader inner(first);
  if (inner.Next() && inner.field().number == 1 &&
      StartsMessage(inner.field().bytes)) {
    return Container::kSnapshot;
  }
  if (has_version || second_count > 1) return Container::kUnoptimizedSnapshot;
  return second_count == 1 ? Container::kWithConfig : Container::kHloProto;
}

}  // namespace ferry
