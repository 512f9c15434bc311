// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/proto/hlo_form.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"
#include "gtest/gtest.h"

// Text to a proto and back is the same text, and a proto to text and back the
// same proto.

namespace ferry {
namespace {

std::unique_ptr<HloModule> Read(const std::string& bytes, HloContext& context) {
  HloParseResult result =
      ReadHlo(SourceText::FromString(bytes, "<module>"), context);
  for (const Diagnostic& diagnostic : result.diagnostics) {
    if (SeverityOf(diagnostic.code) == Severity::kError) {
      ADD_FAILURE() << diagnostic.message << "\n" << bytes;
    }
  }
  return std::move(result.module);
}

void ExpectSame(const std::string& text) {
  HloContext context;
  const std::unique_ptr<HloModule> module = Read(text, context);
  ASSERT_NE(module, nullptr);
  const std::string printed = HloToString(*module);
  const auto binary = HloToProto(*module);
  ASSERT_TRUE(binary.ok()) << binary.status();
  EXPECT_EQ(HloFormOf(*binary), HloForm::kBinaryProto);
  const std::unique_ptr<HloModule> again = Read(*binary, context);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(HloToString(*again), printed);
  EXPECT_EQ(*HloToProto(*again), *binary);
  const auto as_text = HloToProtoText(*module);
  ASSERT_TRUE(as_text.ok()) << as_text.status();
  EXPECT_EQ(HloFormOf(*as_text), HloForm::kTextProto);
  const std::unique_ptr<HloModule> third = Read(*as_text, context);
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(HloToString(*third), printed);
}

// Each is the root of a module, over parameters of these shapes.
constexpr char kHead[] = R"(
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
less { a = f32[] parameter(0) b = f32[] parameter(1)
       ROOT c = pred[] compare(a, b), direction=LT }
body { ROOT v = (f32[4]{0}) parameter(0) }
cond { v = (f32[4]{0}) parameter(0) ROOT t = pred[] constant(true) }
one { ROOT v = f32[4]{0} parameter(0) }
two { v = f32[4]{0} parameter(0) ROOT w = f32[4]{0} negate(v) }
scatter_add { a = f32[] parameter(0) b = f32[] parameter(1)
              ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[4]{0} parameter(0)
  m = f32[4,8]{1,0} parameter(1)
  z = f32[] constant(0)
  i = s32[] constant(2)
  img = f32[1,8,8,3]{3,2,1,0} parameter(2)
  ker = f32[3,3,3,16]{3,2,1,0} parameter(3)
  idx = s32[2,1]{1,0} parameter(4)
  tup = (f32[4]{0}) tuple(x)
  tok = token[] after-all()
  key = u64[2]{0} parameter(5)
  ROOT r = )";

constexpr const char* kRoots[] = {
    "f32[4]{0} negate(x), metadata={op_type=\"neg\" op_name=\"a/b\" "
    "source_file=\"f.py\" source_line=3}, backend_config={\"a\":[1]}",
    "f32[4]{0} tanh(x), result_accuracy={tolerance={atol=0.5,rtol=0,ulps=2}}",
    "f32[4]{0} negate(x), sharding={devices=[2]<=[2]}, "
    "frontend_attributes={k=\"v\",l={m}}, statistics={visualizing_index=1,"
    "stat-1=33}, origin={{\"o\"}}",
    "f32[4]{0} negate(x), sharding={devices=[4]<=[2,2]T(0,0)}",
    "f32[4]{0} add(x, x), control-predecessors={i}",
    "f32[4]{0:T(128)S(5)} copy(x)",
    "pred[4]{0} compare(x, x), direction=LT, type=TOTALORDER",
    "f32[4,8]{1,0} broadcast(x), dimensions={0}",
    "f32[8,4]{0,1} transpose(m), dimensions={1,0}",
    "f32[2,4]{1,0} slice(m), slice={[0:4:2], [0:4:1]}",
    "f32[2]{0} dynamic-slice(x, i), dynamic_slice_sizes={2}",
    "f32[9]{0} pad(x, z), padding=1_1_1",
    "f32[4,4]{1,0} dot(m, m), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={1}, operand_precision={high,default}, "
    "algorithm=dot_f32_f32_f32",
    "f32[1,6,6,16]{3,2,1,0} convolution(img, ker), window={size=3x3}, "
    "dim_labels=b01f_01io->b01f",
    "f32[4]{0} reduce(m, z), dimensions={1}, to_apply=add",
    "f32[2]{0} reduce-window(x, z), window={size=2 stride=2}, to_apply=add",
    "f32[4]{0} select-and-scatter(x, x, z), window={size=1}, select=less, "
    "scatter=add",
    "f32[2]{0} gather(x, idx), offset_dims={}, collapsed_slice_dims={0}, "
    "start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
    "(f32[4]{0}) while(tup), condition=cond, body=body",
    "f32[4]{0} conditional(i, x, x), branch_computations={one, two}",
    "f32[4]{0} fusion(x), kind=kLoop, calls=two",
    "f32[4]{0} call(x), to_apply=two",
    "f32[4]{0} custom-call(x), custom_call_target=\"t\", "
    "operand_layout_constraints={f32[4]{0}}, custom_call_has_side_effect=true, "
    "schedule=SCHEDULE_LATEST, api_version=API_VERSION_TYPED_FFI",
    "f32[4]{0} custom-call(), custom_call_target=\"t\", "
    "literal=( s32[2]{0} {1, 2}, pred[] true )",
    "((f32[4]{0}), f32[4]{0}) async-start(x), calls=two",
    "f32[4]{0} all-reduce(x), channel_id=1, replica_groups={{0,1},{2,3}}, "
    "use_global_device_ids=true, to_apply=add",
    "f32[8]{0} all-gather(x), replica_groups=[2,2]<=[4], dimensions={0}",
    "f32[4]{0} collective-permute(x), source_target_pairs={{0,1},{1,0}}",
    "f32[4]{0} sort(x), dimensions={0}, is_stable=true, to_apply=less",
    "(f32[2]{0}, s32[2]{0}) topk(x), k=2, largest=false",
    "c64[3]{0} fft(x), fft_type=RFFT, fft_length={4}",
    "(u64[2]{0}, u32[4]{0}) rng-bit-generator(key), algorithm=rng_philox",
    "f32[4]{0} rng(z, z), distribution=rng_uniform",
    "f32[4]{0} reduce-precision(x), exponent_bits=5, mantissa_bits=10",
    "s32[4]{0} iota(), iota_dimension=0",
    "(f32[4]{0}, token[]) infeed(tok), infeed_config=\"a\\001\"",
    "f32[4]{0} domain(x), domain={kind=\"sharding\", entry={replicated}, "
    "exit={maximal device=0}}",
    "bf16[2,2]{0,1} constant({ { 1, -2 }, { inf, nan } })",
    "s4[3]{0:E(4)} constant({-8, 7, 0})",
    "(c64[], pred[2]{0}) constant(( (1, -0.5), {1, 0} ))",
    "f32[1000000,1000000]{1,0} constant({...})",
};

TEST(HloProtoRoundtripTest, InstructionsOfEveryKind) {
  for (const char* root : kRoots)
    ExpectSame(absl::StrCat(kHead, root, "\n}\n"));
}

constexpr char kBody[] = "\nENTRY e { ROOT x = f32[4]{0} parameter(0) }\n";

TEST(HloProtoRoundtripTest, HeadersOfEveryKind) {
  for (const char* header :
       {"is_scheduled=true", "input_output_alias={ {}: (0, {}, must-alias) }",
        "buffer_donor={ (0, {}) }", "replica_count=4, num_partitions=2",
        "replica_count=0, num_partitions=-1",
        "input_output_alias={ {}: (7, {3}, may-alias) }",
        "alias_passthrough_params=true",
        "allow_spmd_sharding_propagation_to_output={true}",
        "frontend_attributes={a=\"b\"}", "a_new_attribute={1,2}"}) {
    ExpectSame(absl::StrCat("HloModule m, ", header, kBody));
  }
  ExpectSame(R"(HloModule m
FileNames
1 "f.py"
FunctionNames
1 "g"
FileLocations
1 {file_name_id=1 function_name_id=1 line=3 end_line=3 column=1 end_column=2}
StackFrames
1 {file_location_id=1 parent_frame_id=1}
ENTRY e { ROOT x = f32[4]{0} parameter(0), metadata={stack_frame_id=1} }
)");
}

// Protos of ours have bytes where XLA's have strings.
TEST(HloProtoRoundtripTest, InvalidUtf8Stays) {
  ExpectSame(std::string(kHead) +
             "f32[4]{0} custom-call(x), custom_call_target=\"\xc3(\", "
             "metadata={op_name=\"a\xff\xfe\"}, origin={{\"\xf0\"}}, "
             "backend_config=\"\xff\", frontend_attributes={k=\"\xff\"}\n}\n");
}

// XLA prints keys as they are; the fields are kept beside the text.
TEST(HloProtoRoundtripTest, KeysThatTextCannotHaveAreCarried) {
  const std::string proto = R"(
name: "m"
computations {
  name: "e"
  instructions {
    name: "x"
    opcode: "parameter"
    shape { element_type: F32 }
    frontend_attributes { map { key: "a b" value: "c" } }
    statistics_viz { statistics { stat_name: "d}" stat_val: 1 } }
    backend_config: "f"
  }
}
host_program_shape { parameters { element_type: F32 }
                     result { element_type: F32 } }
frontend_attributes { map { key: "g h" value: "i" } }
)";
  HloContext context;
  const std::unique_ptr<HloModule> module = Read(proto, context);
  ASSERT_NE(module, nullptr);
  const std::string printed = HloToString(*module);
  EXPECT_NE(printed.find("frontend_attributes={g h=\"i\"}"), std::string::npos);
  EXPECT_NE(printed.find("frontend_attributes={a b=\"c\"}"), std::string::npos);
  const std::string written = *HloToProtoText(*module);
  for (const char* key : {"key: \"a b\"", "\"d}\"", "key: \"g h\""}) {
    EXPECT_NE(written.find(key), std::string::npos) << key;
  }
  EXPECT_EQ(HloToString(*Read(written, context)), printed);
}

TEST(HloProtoRoundtripTest, WhatIsNewStays) {
  ExpectSame(
      "HloModule m\nENTRY e { x = f32[4]{0} parameter(0), new={1}, newer=2\n"
      "ROOT y = f32[4]{0} frobnicate(x) }\n");
}

// Which fields they stand in, only the XLA that has the opcode knows.
TEST(HloProtoRoundtripTest, KnownAttributesOfAnUnknownOpcodeStay) {
  ExpectSame(std::string(kHead) +
             "f32[4]{0} vector-pack(x), channel_id=4, dimensions={0}, "
             "slice_sizes={{1},2}, domain={kind=\"x\"}, delta=3, "
             "custom_call_target=\"abc\", sharding={replicated}, "
             "metadata={op_name=\"a\" foo=3}, zzz=3\n}\n");
}

// A buffer assignment, an instruction's generated code size and ids of its own
// are written as they came.
TEST(HloProtoRoundtripTest, WhatTextHasNoFormForIsCarried) {
  const std::string proto = R"(
hlo_module {
  name: "m"
  computations {
    name: "e"
    instructions {
      name: "x"
      opcode: "parameter"
      shape { element_type: F32 }
      metadata { op_name: "n" size_of_generated_code_in_bytes: 7 }
      id: 42
    }
    id: 3
    root_id: 42
  }
  host_program_shape { parameters { element_type: F32 }
                       result { element_type: F32 } }
  id: 9
  entry_computation_id: 3
  cross_program_prefetches { parameter: 1 offset: 2 }
}
buffer_assignment { logical_buffers { id: 1 defined_at { instruction_id: 42 } } }
)";
  HloContext context;
  const std::unique_ptr<HloModule> module = Read(proto, context);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->carried_proto()->lost_in_text.size(), 3);
  const std::string written = *HloToProtoText(*module);
  for (const char* part :
       {"size_of_generated_code_in_bytes: 7", "id: 42", "  id: 9\n", "id: 3",
        "offset: 2", "logical_buffers", "instruction_id: 42"}) {
    EXPECT_NE(written.find(part), std::string::npos) << part;
  }
}

TEST(HloProtoRoundtripTest, TuplesNestedTooDeepAreRefused) {
  std::string shape = "f32[]";
  for (int i = 0; i < 200; ++i) shape = absl::StrCat("(", shape, ")");
  HloContext context;
  const std::unique_ptr<HloModule> module =
      Read(absl::StrCat("HloModule m\nENTRY e { ROOT x = ", shape,
                        " parameter(0) }\n"),
           context);
  ASSERT_NE(module, nullptr);
  EXPECT_TRUE(absl::IsResourceExhausted(HloToProto(*module).status()));
}

}  // namespace
}  // namespace ferry
