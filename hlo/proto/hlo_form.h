// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_HLO_FORM_H_
#define FERRY_HLO_PROTO_HLO_FORM_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "ferry/hlo/carried_proto.h"

namespace ferry {

// In which form a module is written, by its first bytes alone where these
// decide, so that a damaged proto is still called one.
// Tested by hlo_form_test.cc.
enum class HloForm { kText, kBinaryProto, kTextProto };
HloForm HloFormOf(absl::string_view bytes);

// Behind white space and comments: `//` and `/* */` of HLO text, `#` of protos.
absl::string_view SkipBlankHlo(absl::string_view text);

// Which message a binary proto is. All but one hold the module in field 1,
// where HloModuleProto has its name: a name is no message, and begins with no
// control character.
CarriedProto::Container ContainerOf(absl::string_view bytes);

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_HLO_FORM_H_
