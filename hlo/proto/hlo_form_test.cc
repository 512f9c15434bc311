// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/hlo_form.h"

#include "gtest/gtest.h"

namespace ferry {
namespace {

TEST(HloFormTest, TellsTextFromProtoByContent) {
  EXPECT_EQ(HloFormOf(""), HloForm::kText);
  EXPECT_EQ(HloFormOf("HloModule m"), HloForm::kText);
  EXPECT_EQ(HloFormOf("\nHloModule m"), HloForm::kText);
  EXPECT_EQ(HloFormOf("named: 3"), HloForm::kText);
  EXPECT_EQ(HloFormOf("/* c */ name: 3"), HloForm::kTextProto);
  EXPECT_EQ(HloFormOf("# c\nhlo_module {"), HloForm::kTextProto);
  // Field 1 "jit_f", field 5 (id) 1.
  EXPECT_EQ(HloFormOf(absl::string_view("\x0a\x05jit_f\x28\x01", 9)),
            HloForm::kBinaryProto);
}

TEST(HloFormTest, TextWithZeroBytesIsText) {
  const std::string text = std::string("\nHloModule m") + '\0' + "ENTRY e {}";
  EXPECT_EQ(HloFormOf(text), HloForm::kText);
}

// So that the error is about the proto.
TEST(HloFormTest, AProtoThatIsCutOffIsOne) {
  const absl::string_view proto("\x0a\x7f\x0a\x05jit_f\x28\x01", 11);
  EXPECT_EQ(HloFormOf(proto), HloForm::kBinaryProto);
}

TEST(HloFormTest, TellsMessagesApart) {
  const std::string module("\x0a\x01m\x28\x01", 5);
  EXPECT_EQ(ContainerOf(module), CarriedProto::Container::kModule);
  const std::string hlo = std::string("\x0a\x05") + module;
  EXPECT_EQ(ContainerOf(hlo), CarriedProto::Container::kHloProto);
  EXPECT_EQ(ContainerOf(hlo + std::string("\x12\x02\x20\x02", 4)),
            CarriedProto::Container::kWithConfig);
  EXPECT_EQ(ContainerOf(std::string("\x0a\x07") + hlo),
            CarriedProto::Container::kSnapshot);
}

}  // namespace
}  // namespace ferry
