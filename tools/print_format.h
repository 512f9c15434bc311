// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_PRINT_FORMAT_H_
#define FERRY_TOOLS_PRINT_FORMAT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_print_options.h"

namespace ferry {

// The values of `ferry-opt --print-format=`:
//
//   full         XLA's print with all constants: loses nothing
//   text         byte for byte what jaxlib's to_string() gives
//   short        XLA's ShortParsable
//   canonical    XLA's Canonical: names by place, bodies where they are called
//   fingerprint  XLA's Fingerprint: what matters to optimisation
//   dump         the form of the compiler's dump files
//   dot          a graph for Graphviz
//   pb, pbtxt    protos, binary and as protobuf's text: lose nothing either
struct PrintFormat {
  enum class Kind : uint8_t { kHlo, kDot, kProto, kProtoText };
  Kind kind = Kind::kHlo;
  HloPrintOptions options;  // of kHlo

  bool IsProto() const {
    return kind == Kind::kProto || kind == Kind::kProtoText;
  }
};
std::vector<std::string> PrintFormatNames();

// `name` must be one of them. Tested by tests/tools/print_format.test.
PrintFormat PrintFormatOf(absl::string_view name);

// What to print of a module: all of it, one computation, or what is near an
// instruction. Names may have their `%`.
struct PrintPart {
  std::string computation;
  std::string around;
  int depth = 1;  // steps away from `around`
};

// InvalidArgument, with a near name, if the module has no such part, and for a
// part as a proto; ResourceExhausted if the print would be out of all
// proportion; the codes of HloToProto.
// Tested by tests/tools/opt_parts.test.
absl::StatusOr<std::string> PrintModule(const HloModule& module,
                                        const PrintFormat& format,
                                        const PrintPart& part);

}  // namespace ferry

#endif  // FERRY_TOOLS_PRINT_FORMAT_H_
