// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Ids in protos that mean nothing, something twice, or each other are errors.

#include <cstdint>
#include <limits>
#include <string>

#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"
#include "ferry/hlo/source_text.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr char kModule[] = R"(
HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

ENTRY %e (x: f32[4,8]) -> (f32[4,8], f32[4]) {
  %x = f32[4,8]{1,0} parameter(0)
  %zero = f32[] constant(0)
  %r = f32[4]{0} reduce(%x, %zero), dimensions={1}, to_apply=%add
  %n = f32[4]{0} frobnicate(%r), control-predecessors={%zero}, newer=3
  %g = f32[4,8]{1,0} broadcast(%n), dimensions={0}
  ROOT %t = (f32[4,8]{1,0}, f32[4]{0}) tuple(%g, %n)
}
)";

std::string ProtoOf(absl::string_view text) {
  HloContext context;
  const HloParseResult result =
      ReadHlo(SourceText::FromString(std::string(text), "m.hlo"), context);
  return *HloToProto(*result.module);
}

// Whether it reads; what reads can be printed and written.
bool Reads(const proto::HloModuleProto& proto) {
  HloContext context;
  const HloParseResult result = ReadHloProto(
      SourceText::FromString(proto.SerializeAsString(), "m.pb"), context);
  EXPECT_NE(result.module == nullptr, !HasError(result.diagnostics));
  if (result.module == nullptr) return false;
  HloToString(*result.module);
  EXPECT_TRUE(HloToProto(*result.module).ok());
  return true;
}

constexpr int64_t kNobody[] = {77,
                               -1,
                               77 - (int64_t{1} << 40),
                               std::numeric_limits<int32_t>::max(),
                               std::numeric_limits<int64_t>::min() + 77,
                               std::numeric_limits<int64_t>::max()};

proto::HloModuleProto Message() {
  proto::HloModuleProto proto;
  EXPECT_TRUE(proto.ParseFromString(ProtoOf(kModule)));
  return proto;
}

// The instruction of the entry with this name.
proto::HloInstructionProto& Find(proto::HloModuleProto& proto,
                                 absl::string_view name) {
  auto& entry = *proto.mutable_computations(1);
  for (auto& instruction : *entry.mutable_instructions()) {
    if (instruction.name() == name) return instruction;
  }
  ADD_FAILURE() << "no " << name;
  return *entry.mutable_instructions(0);
}

// Changes the module in one place; it must not read any more.
template <typename Change>
void ExpectRefused(absl::string_view what, Change change) {
  SCOPED_TRACE(what);
  proto::HloModuleProto proto = Message();
  change(proto);
  EXPECT_FALSE(Reads(proto));
}

TEST(HloProtoIdsTest, IdsOfNobodyAreRefused) {
  for (const int64_t id : kNobody) {
    SCOPED_TRACE(id);
    ExpectRefused("operand",
                  [&](auto& m) { Find(m, "r").set_operand_ids(1, id); });
    ExpectRefused("one operand more",
                  [&](auto& m) { Find(m, "t").add_operand_ids(id); });
    ExpectRefused("control predecessor", [&](auto& m) {
      Find(m, "n").set_control_predecessor_ids(0, id);
    });
    ExpectRefused("callee", [&](auto& m) {
      Find(m, "r").set_called_computation_ids(0, id);
    });
    ExpectRefused("root",
                  [&](auto& m) { m.mutable_computations(1)->set_root_id(id); });
    ExpectRefused("entry", [&](auto& m) { m.set_entry_computation_id(id); });
    ExpectRefused("computation",
                  [&](auto& m) { m.mutable_computations(0)->set_id(id); });
    ExpectRefused("instruction", [&](auto& m) { Find(m, "r").set_id(id); });
    ExpectRefused("in the schedule", [&](auto& m) {
      m.mutable_schedule()
          ->mutable_sequences(1)
          ->mutable_value()
          ->set_instruction_ids(0, id);
    });
    ExpectRefused("parameter",
                  [&](auto& m) { Find(m, "x").set_parameter_number(id); });
  }
}

TEST(HloProtoIdsTest, IdsOfSeveralAreRefused) {
  ExpectRefused("instructions",
                [](auto& m) { Find(m, "zero").set_id(Find(m, "x").id()); });
  ExpectRefused("computations", [](auto& m) {
    m.mutable_computations(1)->set_id(m.computations(0).id());
  });
  ExpectRefused("in the schedule", [](auto& m) {
    auto& sequence =
        *m.mutable_schedule()->mutable_sequences(1)->mutable_value();
    sequence.set_instruction_ids(0, sequence.instruction_ids(1));
  });
  ExpectRefused("parameter numbers", [](auto& m) {
    m.mutable_computations(0)->mutable_instructions(1)->set_parameter_number(0);
  });
}

TEST(HloProtoIdsTest, IdsInARingAreRefused) {
  ExpectRefused("an operand that is itself", [](auto& m) {
    Find(m, "n").set_operand_ids(0, Find(m, "n").id());
  });
  ExpectRefused("an operand that is a user", [](auto& m) {
    Find(m, "r").set_operand_ids(0, Find(m, "n").id());
  });
  ExpectRefused("a control predecessor that is a user", [](auto& m) {
    Find(m, "r").add_control_predecessor_ids(Find(m, "g").id());
  });
  ExpectRefused("a call of the caller", [](auto& m) {
    Find(m, "r").set_called_computation_ids(0, m.computations(1).id());
  });
}

// What refers to ids and is not needed to read the module.
TEST(HloProtoIdsTest, OtherWrongIdsEndInAResult) {
  for (const int64_t id : kNobody) {
    SCOPED_TRACE(id);
    proto::HloModuleProto proto = Message();
    auto& extension = *proto.mutable_ferry()->mutable_unknown_attributes(0);
    extension.set_instruction_id(id);
    Reads(proto);
    proto = Message();
    proto.mutable_input_output_alias()
        ->mutable_entries(0)
        ->set_parameter_number(id);
    Reads(proto);
    proto = Message();
    proto.mutable_schedule()->mutable_sequences(0)->set_key(id);
    Reads(proto);
    proto = Message();
    Find(proto, "r")
        .mutable_metadata()
        ->set_stack_frame_id(static_cast<int32_t>(id));
    Reads(proto);
    proto = Message();
    Find(proto, "r").mutable_metadata()->mutable_metadata_payload()->set_id(id);
    Reads(proto);
  }
}

}  // namespace
}  // namespace ferry
