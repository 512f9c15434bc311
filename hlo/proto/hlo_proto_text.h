// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_HLO_PROTO_TEXT_H_
#define FERRY_HLO_PROTO_HLO_PROTO_TEXT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/source_text.h"

namespace ferry {

// Protobuf's text form of a module or of what it stands in (see
// hlo_proto_reader.h), from and to the binary one.
//
// Null after errors, which have the line and column in the text. A field that
// the schema does not have has no number to be carried under: it is refused, or
// with `allow_unknown` left out with a note. Nesting is bounded as protobuf
// bounds the binary form. Tested by hlo_proto_reader_test.cc.
std::shared_ptr<const SourceText> TextProtoToBinary(
    const SourceText& source, const HloParserOptions& options,
    std::vector<Diagnostic>& diagnostics);

// The bytes of any of those messages. InvalidArgument if they are none.
absl::StatusOr<std::string> BinaryProtoToText(absl::string_view bytes);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_HLO_PROTO_TEXT_H_
