// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/callee_attributes.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr char kModule[] = R"(HloModule m
sum { a = f32[] parameter(0)  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
one { ROOT p = f32[] parameter(0) }
two { ROOT p = f32[] parameter(0) }
ENTRY e {
  x = f32[8] parameter(0)
  z = f32[] parameter(1)
  on = pred[] parameter(2)
  n = s32[] parameter(3)
  reduce = f32[] reduce(x, z), dimensions={0}, to_apply=sum
  if = f32[] conditional(on, z, z), true_computation=one, false_computation=two
  case = f32[] conditional(n, z, z), branch_computations={one, two}
  scatter = f32[8] reduce-scatter(x), replica_groups={{0}}, dimensions={0}, to_apply=sum
  call = f32[] custom-call(z), custom_call_target="t", called_computations={one, two}
  ROOT copy = f32[] copy(call)
})";

// "condition=c body=b" of the instruction of the name; `{}` around lists.
std::string Attributes(absl::string_view name,
                       CalleeAttributeList of(const HloInstruction&)) {
  HloContext context;
  const auto module = *ParseHloText(kModule, context);
  std::string text;
  for (const CalleeAttribute& attribute :
       of(*module->FindInstruction(module->entry(), name))) {
    absl::StrAppend(&text, text.empty() ? "" : " ", attribute.name, "=",
                    attribute.is_list ? "{" : "");
    for (const HloComputation* callee : attribute.callees) {
      absl::StrAppend(&text,
                      text.back() == '=' || text.back() == '{' ? "" : ",",
                      callee->name());
    }
    if (attribute.is_list) text += '}';
  }
  return text;
}

TEST(CalleeAttributesTest, NamesSayWhetherTheyAreLists) {
  EXPECT_TRUE(IsCalleeAttributeName("to_apply"));
  EXPECT_FALSE(IsCalleeAttributeName("dimensions"));
  EXPECT_TRUE(IsCalleeList("branch_computations"));
  EXPECT_FALSE(IsCalleeList("to_apply"));
  EXPECT_FALSE(IsCalleeList("dimensions"));
}

TEST(CalleeAttributesTest, BranchesOfAPredicateHaveNames) {
  EXPECT_EQ(Attributes("if", CalleeAttributes),
            "true_computation=one false_computation=two");
  EXPECT_EQ(Attributes("case", CalleeAttributes),
            "branch_computations={one,two}");
}

TEST(CalleeAttributesTest, NamesAreThoseOfTheOpcode) {
  EXPECT_EQ(Attributes("reduce", CalleeAttributes), "to_apply=sum");
  EXPECT_EQ(Attributes("call", CalleeAttributes),
            "called_computations={one,two}");
  EXPECT_EQ(Attributes("copy", CalleeAttributes), "");
}

TEST(CanonicalCalleeAttributesTest, SomeOpcodesHaveOtherNames) {
  EXPECT_EQ(Attributes("scatter", CalleeAttributes), "to_apply=sum");
  EXPECT_EQ(Attributes("scatter", CanonicalCalleeAttributes), "calls=sum");
  EXPECT_EQ(Attributes("if", CanonicalCalleeAttributes),
            "true_computation=one false_computation=two");
  EXPECT_EQ(Attributes("case", CanonicalCalleeAttributes),
            "branch_computations={one,two}");
}

}  // namespace
}  // namespace ferry
