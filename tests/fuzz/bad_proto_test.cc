// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Damaged protos end in a result or in errors: cut off, or with changed bytes.

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"
#include "ferry/hlo/source_text.h"
#include "ferry/tests/fuzz/hlo_properties.h"
#include "ferry/tests/random_hlo/random_hlo_module.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// Two computations, a call and a while among them, most fields in use.
constexpr char kModule[] = R"(
HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, frontend_attributes={a="b"}, replica_count=2

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

ENTRY %e (x: f32[4,8]) -> (f32[4,8], f32[4]) {
  %x = f32[4,8]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}
  %zero = f32[] constant(0)
  %r = f32[4]{0} reduce(%x, %zero), dimensions={1}, to_apply=%add, metadata={op_name="sum" source_file="f.py" source_line=3}
  %n = f32[4]{0} frobnicate(%r), control-predecessors={%zero}, dimensions={0}, newer=3
  %g = f32[8]{0} all-gather(%n), channel_id=1, replica_groups=[1,2]<=[2], dimensions={0}, use_global_device_ids=true
  %c = f32[4,8]{1,0} broadcast(%g), dimensions={1}, backend_config={"a":[1]}, origin={{"o" {0}}}
  ROOT %t = (f32[4,8]{1,0}, f32[4]{0}) tuple(%c, %n)
}
)";

std::string ProtoOf(absl::string_view text) {
  HloContext context;
  const HloParseResult result =
      ReadHlo(SourceText::FromString(std::string(text), "m.hlo"), context);
  return *HloToProto(*result.module);
}

// Whether the bytes read, with all that holds for any bytes.
bool Reads(const std::string& bytes) {
  EXPECT_EQ(CheckProtoKeepsAll(bytes), absl::OkStatus());
  HloContext context;
  return ReadHloProto(SourceText::FromString(bytes, "m.pb"), context).module !=
         nullptr;
}

TEST(BadProtoTest, EveryBeginningReadsIfOnlyToAnError) {
  const std::string bytes = ProtoOf(kModule);
  ASSERT_TRUE(Reads(bytes));
  for (size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    Reads(bytes.substr(0, size));
  }
}

TEST(BadProtoTest, SoDoesEveryChangeOfAByte) {
  const std::string bytes = ProtoOf(kModule);
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {0x01, 0x08, 0x80, 0xff}) {
      SCOPED_TRACE(absl::StrCat("byte ", i, ", change ", change));
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ change);
      Reads(changed);
    }
  }
}

TEST(BadProtoTest, SoDoBytesThatAreLeftOutOrDoubled) {
  const std::string bytes = ProtoOf(kModule);
  for (size_t i = 0; i < bytes.size(); ++i) {
    SCOPED_TRACE(i);
    Reads(absl::StrCat(bytes.substr(0, i), bytes.substr(i + 1)));
    Reads(absl::StrCat(bytes.substr(0, i + 1), bytes.substr(i)));
  }
}

TEST(BadProtoTest, SoDoChangesOfRandomModules) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    HloContext context;
    const std::string bytes = *HloToProto(*RandomHloModule(
        {.seed = seed, .operations = 5, .call_depth = 1}, context));
    for (size_t i = seed; i < bytes.size(); i += 31) {
      SCOPED_TRACE(absl::StrCat("seed ", seed, ", byte ", i));
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] + 1 + seed);
      Reads(changed);
      Reads(bytes.substr(0, i));
    }
  }
}

}  // namespace
}  // namespace ferry
