// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_OP_METADATA_H_
#define FERRY_HLO_OP_METADATA_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_lexer.h"
#include "ferry/hlo/quoted_string.h"

namespace ferry {

// Where an instruction comes from: what stands behind `metadata=`.
//
//   {op_type="dot" op_name="jit(f)/dot_general" source_file="f.py"
//    source_line=3 source_end_line=3 source_column=4 source_end_column=9
//    profile_type={1} deduplicated_name="d" scheduling_name="s"
//    stack_frame_id=1 metadata_payload="p"}
//
// This is the order of printing; fields are separated by a space, and those
// that are empty or 0 are left out. Texts are decoded: views of the text that
// was read, or of `strings`. Tested by op_metadata_test.cc.
struct OpMetadata {
  absl::string_view op_type;
  absl::string_view op_name;
  absl::string_view source_file;
  int32_t source_line = 0;
  int32_t source_end_line = 0;
  int32_t source_column = 0;
  int32_t source_end_column = 0;
  absl::InlinedVector<int32_t, 2> profile_types;  // each 0 to 3
  absl::string_view deduplicated_name;
  absl::string_view scheduling_name;
  int32_t stack_frame_id = 0;
  std::optional<absl::string_view> metadata_payload;  // printed even if empty
  // `name=value` of what only other versions of XLA know, as written.
  std::vector<absl::string_view> unknown_fields;
  DecodedStrings strings;

  void clear();
  // XLA prints no metadata that has only lines, profile or deduplicated_name.
  bool IsPrinted() const;
  // With braces.
  void AppendTo(std::string& out) const;
};

// Fields in any order, each once, with or without commas between. Unknown
// fields are kept if they `may_be_unknown`, else errors.
absl::Status Read(HloLexer& lexer, OpMetadata& metadata,
                  bool may_be_unknown = true);

// Where the number of `stack_frame_id=7` stands in a text of metadata. Every
// instruction is asked for it when a module is read or printed, so only this
// one field is looked for, and nothing is decoded.
struct StackFrameIdField {
  size_t begin = 0;  // of the digits
  size_t end = 0;
  int64_t id = 0;
};
// nullopt where the metadata names no frame.
std::optional<StackFrameIdField> FindStackFrameId(absl::string_view metadata);
// The text without that field; nullopt if XLA prints no such metadata.
std::optional<std::string> WithoutStackFrameId(absl::string_view metadata,
                                               const StackFrameIdField& field);

}  // namespace ferry

#endif  // FERRY_HLO_OP_METADATA_H_
