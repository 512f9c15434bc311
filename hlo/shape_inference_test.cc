// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/shape_inference.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// The shape that the root gets in a text that leaves it out, or the error.
std::string InferRoot(absl::string_view body) {
  HloContext context;
  const auto module = ParseHloText(absl::StrCat("HloModule m\n"
                                                "add {\n"
                                                "  a = f32[] parameter(0)\n"
                                                "  b = f32[] parameter(1)\n"
                                                "  ROOT s = f32[] add(a, b)\n"
                                                "}\n"
                                                "ENTRY e {\n",
                                                body, "\n}\n"),
                                   context);
  if (!module.ok()) return std::string(module.status().message());
  return (*module)->entry().root().shape().ToString();
}

TEST(ShapeInferenceTest, ElementwiseResultsAreLikeTheirOperands) {
  EXPECT_EQ(InferRoot("x = f32[2,3] parameter(0)\n ROOT r = negate(x)"),
            "f32[2,3]{1,0}");
  EXPECT_EQ(InferRoot("x = bf16[4] parameter(0)\n y = f32[4] parameter(1)\n"
                      "ROOT r = add(x, y)"),
            "f32[4]{0}");
  EXPECT_EQ(InferRoot("x = c64[4] parameter(0)\n ROOT r = abs(x)"),
            "f32[4]{0}");
  EXPECT_EQ(InferRoot("x = s8[4] parameter(0)\n"
                      "ROOT r = compare(x, x), direction=LT"),
            "pred[4]{0}");
}

TEST(ShapeInferenceTest, BinaryOperandsMustAgree) {
  EXPECT_EQ(InferRoot("x = f32[2] parameter(0)\n y = f32[3] parameter(1)\n"
                      "ROOT r = add(x, y)"),
            "failed to infer shape for opcode: add, error: Binary op with "
            "incompatible shapes: f32[2] and f32[3].");
}

TEST(ShapeInferenceTest, TuplesAndTheirElements) {
  EXPECT_EQ(InferRoot("x = f32[2]{0:S(5)} parameter(0)\n"
                      "ROOT r = tuple(x, x)"),
            "(f32[2]{0:S(5)}, f32[2]{0:S(5)})");
  EXPECT_EQ(InferRoot("x = (f32[2], s32[]) parameter(0)\n"
                      "ROOT r = get-tuple-element(x), index=1"),
            "s32[]");
  EXPECT_EQ(InferRoot("x = (f32[2], s32[]) parameter(0)\n"
                      "ROOT r = get-tuple-element(x), index=2"),
            "failed to infer shape for opcode: get-tuple-element, error: "
            "Cannot infer shape: attempt to index out of tuple bounds: 2 >= 2 "
            "in shape (f32[2]{0}, s32[]).");
}

TEST(ShapeInferenceTest, ATransposePermutesTheLayoutToo) {
  EXPECT_EQ(InferRoot("x = f32[2,3]{1,0} parameter(0)\n"
                      "ROOT r = transpose(x), dimensions={1,0}"),
            "f32[3,2]{0,1}");
}

TEST(ShapeInferenceTest, ReduceDropsItsDimensions) {
  EXPECT_EQ(InferRoot("x = f32[2,3,4] parameter(0)\n"
                      "z = f32[] constant(0)\n"
                      "ROOT r = reduce(x, z), dimensions={0,2}, to_apply=add"),
            "f32[3]{0}");
}

TEST(ShapeInferenceTest, DotJoinsBatchAndFreeDimensions) {
  EXPECT_EQ(InferRoot("x = f32[5,2,3] parameter(0)\n"
                      "y = f32[5,3,7] parameter(1)\n"
                      "ROOT r = dot(x, y), lhs_batch_dims={0}, "
                      "lhs_contracting_dims={2}, rhs_batch_dims={0}, "
                      "rhs_contracting_dims={1}"),
            "f32[5,2,7]{2,1,0}");
}

TEST(ShapeInferenceTest, PadAndWindowsCount) {
  EXPECT_EQ(InferRoot("x = f32[4] parameter(0)\n z = f32[] constant(0)\n"
                      "ROOT r = pad(x, z), padding=1_2_1"),
            "f32[10]{0}");
  EXPECT_EQ(InferRoot("x = f32[9] parameter(0)\n z = f32[] constant(0)\n"
                      "ROOT r = reduce-window(x, z), "
                      "window={size=3 stride=2 pad=1_1}, to_apply=add"),
            "f32[5]{0}");
}

TEST(ShapeInferenceTest, ConvolutionFollowsItsLabels) {
  EXPECT_EQ(InferRoot("x = f32[1,8,6] parameter(0)\n"
                      "k = f32[3,6,16] parameter(1)\n"
                      "ROOT r = convolution(x, k), window={size=3 pad=1_1}, "
                      "dim_labels=b0f_0io->b0f"),
            "f32[1,8,16]{2,1,0}");
}

TEST(ShapeInferenceTest, CallsHaveTheShapeOfTheirCallee) {
  EXPECT_EQ(InferRoot("x = f32[] parameter(0)\n"
                      "ROOT r = call(x, x), to_apply=add"),
            "f32[]");
}

// A bounded size stays bounded, an unbounded one takes the other's.
TEST(ShapeInferenceTest, DynamicSizesJoin) {
  EXPECT_EQ(InferRoot("x = f32[<=2,3] parameter(0)\n"
                      "y = f32[2,<=3] parameter(1)\nROOT r = add(x, y)"),
            "f32[<=2,<=3]{1,0}");
  EXPECT_EQ(InferRoot("x = f32[?,3] parameter(0)\n"
                      "y = f32[2,3] parameter(1)\nROOT r = add(x, y)"),
            "f32[2,3]{1,0}");
  EXPECT_EQ(InferRoot("x = f32[<=2,3] parameter(0)\ny = f32[5,3] parameter(1)\n"
                      "ROOT r = concatenate(x, y), dimensions={0}"),
            "f32[<=7,3]{1,0}");
}

TEST(ShapeInferenceTest, ABinaryResultHasTheLayoutOfItsFirstOperand) {
  EXPECT_EQ(InferRoot("x = f32[2,3]{0,1:T(8,128)S(5)} parameter(0)\n"
                      "y = f32[2,3]{1,0} parameter(1)\n"
                      "ROOT r = compare(x, y), direction=LT"),
            "pred[2,3]{0,1:T(8,128)S(5)}");
}

TEST(ShapeInferenceTest, GatherJoinsPlacesAndWindows) {
  EXPECT_EQ(InferRoot("x = f32[8,3] parameter(0)\ni = s64[5,4,1] parameter(1)\n"
                      "ROOT r = gather(x, i), offset_dims={1}, "
                      "collapsed_slice_dims={0}, start_index_map={0}, "
                      "index_vector_dim=2, slice_sizes={1,3}"),
            "f32[5,3,4]{2,1,0}");
  EXPECT_EQ(InferRoot("x = f32[8,3] parameter(0)\ni = s32[5,1] parameter(1)\n"
                      "ROOT r = gather(x, i), offset_dims={1}, "
                      "collapsed_slice_dims={0}, start_index_map={0}, "
                      "index_vector_dim=1, slice_sizes={1,9}"),
            "failed to infer shape for opcode: gather, error: Slice size at "
            "index 1 in gather op is out of range, must be within [0, 4), got "
            "9.");
}

TEST(ShapeInferenceTest, ARealTransformIsHalfComplex) {
  EXPECT_EQ(InferRoot("x = f32[2,8]{0,1} parameter(0)\n"
                      "ROOT r = fft(x), fft_type=RFFT, fft_length={8}"),
            "c64[2,5]{0,1}");
}

TEST(ShapeInferenceTest, ATriangularSolveMustSayHowItTransposes) {
  constexpr absl::string_view kSolve =
      "a = f32[3,3] parameter(0)\n"
      "ROOT r = triangular-solve(a, a), left_side=true";
  EXPECT_EQ(InferRoot(absl::StrCat(kSolve, ", transpose_a=ADJOINT")),
            "f32[3,3]{1,0}");
  EXPECT_EQ(InferRoot(kSolve),
            "failed to infer shape for opcode: triangular-solve, error: "
            "Invalid transpose option value for triangular solve (0).");
}

// XLA's numbers of a broadcast without a shape are sizes to put in front.
TEST(ShapeInferenceTest, AnUnboundedArrayIsNotBroadcastSilently) {
  EXPECT_THAT(InferRoot("a = f32[?] parameter(0)\n"
                        "ROOT r = broadcast(a), dimensions={2}"),
              ::testing::HasSubstr("an array without unbounded dimensions"));
}

TEST(ShapeInferenceTest, OtherOpcodesNeedTheirShape) {
  EXPECT_EQ(InferRoot("x = f32[4] parameter(0)\n ROOT r = reshape(x)"),
            "expected a shape in front of `reshape`, which does not follow "
            "from the operands");
}

// Two hundred lines would make a shape of 2^200 nodes.
TEST(ShapeInferenceTest, ShapesThatDoubleEachLineAreRefusedInTime) {
  std::string body = "t0 = f32[] parameter(0)\n";
  for (int i = 0; i < 200; ++i) {
    absl::StrAppend(&body, "t", i + 1, " = tuple(t", i, ", t", i, ")\n");
  }
  EXPECT_NE(InferRoot(body).find("are inferred: give the shape"),
            std::string::npos);
}

}  // namespace
}  // namespace ferry
