// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/module_header_parser.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// What is printed of a header, up to the first computation.
std::string Header(absl::string_view attributes) {
  HloContext context;
  const auto module =
      ParseHloText(absl::StrCat("HloModule m", attributes,
                                "\nENTRY e { p = f32[2] parameter(0)\n"
                                "  q = (f32[2], f32[2]) parameter(1)\n"
                                "  ROOT t = (f32[2], f32[2]) tuple(p, p) }\n"),
                   context);
  if (!module.ok()) return std::string(module.status().message());
  const std::string text =
      HloToString(**module, HloPrintOptions::ShortParsable());
  return text.substr(0, text.rfind("ENTRY"));
}

constexpr absl::string_view kLayout =
    ", entry_computation_layout={(f32[2]{0}, (f32[2]{0}, f32[2]{0}))->(f32[2]{"
    "0}, f32[2]{0})}";

TEST(ModuleHeaderParserTest, DefaultsAreNotKept) {
  EXPECT_EQ(
      Header(":, num_partitions=1, replica_count=1, "
             "alias_passthrough_params=false, is_scheduled=false, "
             "allow_spmd_sharding_propagation_to_parameters={false}, "
             "allow_spmd_sharding_propagation_to_output=false, "
             "frontend_attributes={}, buffer_donor={}, input_output_alias={}, "
             "origin_recovery_table={}"),
      absl::StrCat("HloModule m", kLayout, "\n\n"));
}

TEST(ModuleHeaderParserTest, AttributesComeInXlasOrderAndForm) {
  EXPECT_EQ(
      Header(", num_partitions=02, replica_count=0, "
             "allow_spmd_sharding_propagation_to_output={ false , true}, "
             "allow_spmd_sharding_propagation_to_parameters=true, "
             "alias_passthrough_params=true"),
      absl::StrCat("HloModule m, alias_passthrough_params=true", kLayout,
                   ", allow_spmd_sharding_propagation_to_parameters={true}, "
                   "allow_spmd_sharding_propagation_to_output={false,true}, "
                   "replica_count=0, num_partitions=2\n\n"));
}

TEST(ModuleHeaderParserTest, AliasesAndDonorsAreSorted) {
  EXPECT_EQ(Header(", input_output_alias={ {1}: (1, {1}), {0}: (0, {}, "
                   "must-alias), {1}: (0, {}) }, buffer_donor={ (1,{1}), "
                   "(1, {0}), (0, {}), (1, {1}) }"),
            absl::StrCat("HloModule m, input_output_alias={ {0}: (0, {}, "
                         "must-alias), {1}: (1, {1}, may-alias) }, "
                         "buffer_donor={ (0, {}), (1, {0}), (1, {1}) }",
                         kLayout, "\n\n"));
}

TEST(ModuleHeaderParserTest, ARecoveryTableIsSortedAndItsModulesArePrinted) {
  EXPECT_EQ(
      Header(R"(, origin_recovery_table={ {"b"} : {} {"a" {1}}:{"c" {0,1}},
  "ENTRY q { x = f32[] parameter(0) }" {"b"} : {"later"} })"),
      absl::StrCat("HloModule m", kLayout, R"(, origin_recovery_table={
  {"a" {1}} : {"c" {0,1}},
  "
    HloModule module_q, entry_computation_layout={(f32[])->f32[]}

    ENTRY %q (x: f32[]) -> f32[] {
      ROOT %x = f32[] parameter(0)
    }


  "
  {"b"} : {""}
}


)"));
}

// Which parameters there are is known only later, and not asked then: XLA's
// verifier does.
TEST(ModuleHeaderParserTest, AliasesMayNameParametersThatAreNotThere) {
  const std::string aliases =
      ", input_output_alias={ {0}: (7, {3}, may-alias) }";
  EXPECT_EQ(Header(aliases),
            absl::StrCat("HloModule m", aliases, kLayout, "\n\n"));
  EXPECT_EQ(Header(", input_output_alias={ {0}: (7, {3}), }"), Header(aliases));
  EXPECT_NE(Header(", input_output_alias={ {0}: (-1, {}) }"),
            Header(", input_output_alias={}"));
}

// A quirk of XLA's: these make a config of their own, without the layouts.
TEST(ModuleHeaderParserTest, SomeAttributesMakeTheEntryLayoutDescending) {
  const auto layout = [](const std::string& attributes) {
    HloContext context;
    const auto module = ParseHloText(
        absl::StrCat("HloModule m", attributes,
                     "\nENTRY e { ROOT p = f32[2,3]{0,1:S(1)} parameter(0) }"),
        context);
    return (*module)->entry_layout().result->ToString();
  };
  EXPECT_EQ(layout(""), "f32[2,3]{0,1:S(1)}");
  EXPECT_EQ(layout(", is_scheduled=true, replica_count=1"),
            "f32[2,3]{0,1:S(1)}");
  EXPECT_EQ(layout(", allow_spmd_sharding_propagation_to_output={}"),
            "f32[2,3]{0,1:S(1)}");
  for (const std::string attribute :
       {"replica_count=2", "num_partitions=8", "alias_passthrough_params=true",
        "allow_spmd_sharding_propagation_to_output={false}"}) {
    EXPECT_EQ(layout(absl::StrCat(", ", attribute)), "f32[2,3]{1,0:S(1)}")
        << attribute;
  }
}

TEST(ModuleHeaderParserTest, AModuleInATableMustBeReadable) {
  const std::string message =
      Header(", origin_recovery_table={ {} : {}, \"HloModule\" }");
  EXPECT_NE(message.find("recovery table cannot be read"), std::string::npos)
      << message;
}

}  // namespace
}  // namespace ferry
