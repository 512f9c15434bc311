// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_HLO_PROTO_READER_H_
#define FERRY_HLO_PROTO_HLO_PROTO_READER_H_

#include <memory>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/source_text.h"

namespace ferry {

// Reads a module from a proto, binary or in protobuf's text form, alone or in
// one of the messages that compilers write it in:
//
//   HloModuleProto            as_serialized_hlo_module_proto()
//   HloProto                  *.hlo.pb of a dump, with a buffer assignment
//   HloModuleProtoWithConfig  replica and partition counts too
//   HloSnapshot, HloUnoptimizedSnapshot   with arguments
//
// which are told apart by what they hold. Any byte string ends in a module or
// in errors; memory is linear in it and recursion bounded (protobuf's 100).
// Accepts what XLA's reader of protos accepts, with --allow-unknown also
// opcodes that it does not know. The module is the same, byte for byte when
// printed, as that of the text; what text has no form for is kept in its
// carried_proto(), from where WriteHloProto writes it again.
//
// Errors name the computation, the instruction and the field; those of the text
// form have a line. `context` must outlive the module.
// Tested by hlo_proto_reader_test.cc and hlo_proto_roundtrip_test.cc.
HloParseResult ReadHloProto(std::shared_ptr<const SourceText> source,
                            HloContext& context,
                            const HloParserOptions& options = {});

// Reads HLO in any form: text, or a proto, by content. What tools call.
HloParseResult ReadHlo(std::shared_ptr<const SourceText> source,
                       HloContext& context,
                       const HloParserOptions& options = {});

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_HLO_PROTO_READER_H_
