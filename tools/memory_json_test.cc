// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/memory_json.h"

#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

namespace ferry {
namespace {

llvm::json::Value Parse(const std::string& text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  EXPECT_TRUE(static_cast<bool>(value)) << text;
  if (value) return *value;
  llvm::consumeError(value.takeError());
  return nullptr;
}

MemoryResult OverTheLimit() {
  MemoryResult result;
  result.file = "step.hlo";
  result.module = "jit_step";
  result.stage = "scheduled";
  result.verdict = absl::ResourceExhaustedError("too much");
  result.exit_code = ExitCode::kInfeasible;
  MemoryReport& report = result.report.emplace();
  report.chip = "v5e";
  report.peak_time = 17;
  report.peak_instruction = "fusion.3";
  report.spaces.push_back({.space = MemorySpace::kDefault,
                           .name = "hbm",
                           .capacity_bytes = 100,
                           .limit_bytes = 90,
                           .argument_bytes = 60,
                           .output_bytes = 20,
                           .alias_bytes = 10,
                           .constant_bytes = 4,
                           .temp_bytes = 26,
                           .total_bytes = 100,
                           .live_peak_bytes = 98,
                           .lower_bound_bytes = 97,
                           .fragmentation_bytes = 2,
                           .padding_bytes = 50});
  report.spaces.push_back({.space = MemorySpace{6}, .name = "S(6)"});
  report.live_at_peak.push_back({.name = "dot.5",
                                 .shape = "f32[4]{0}",
                                 .bytes = 16,
                                 .unpadded_bytes = 12,
                                 .category = MemoryCategory::kTemporary,
                                 .from = 3,
                                 .to = 90,
                                 .source = {"jit(f)/dot", "m.py", 7, "f"},
                                 .why = "waits",
                                 .idle_steps = 2});
  report.live_at_peak.push_back({.name = "p", .bytes = 8});
  report.values.push_back({.name = "copy-start.1{0}",
                           .space = MemorySpace::kHost,
                           .bytes = 16,
                           .unpadded_bytes = 12,
                           .allocation = 3,
                           .offset_bytes = 512});
  return result;
}

TEST(MemoryJsonTest, SaysWhatTheContractSays) {
  const llvm::json::Value json =
      Parse(MemoryResultsToJson({OverTheLimit()}, /*is_list=*/false, 1));
  const llvm::json::Object& object = *json.getAsObject();
  EXPECT_EQ(object.getString("chip"), "v5e");
  EXPECT_EQ(object.getString("stage"), "scheduled");
  EXPECT_EQ(*object.get("estimate"), nullptr);
  EXPECT_EQ(object.getString("verdict"), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(object.getString("message"), "too much");
  ASSERT_EQ(object.getArray("spaces")->size(), 2u);
  EXPECT_EQ((*object.getArray("spaces"))[0], Parse(R"({
    "space": 0, "name": "hbm", "capacity_bytes": 100, "limit_bytes": 90,
    "argument_bytes": 60, "output_bytes": 20, "alias_bytes": 10,
    "constant_bytes": 4, "temp_bytes": 26, "total_bytes": 100,
    "live_peak_bytes": 98, "lower_bound_bytes": 97, "fragmentation_bytes": 2,
    "padding_bytes": 50})"));
  const llvm::json::Object& unknown =
      *(*object.getArray("spaces"))[1].getAsObject();
  EXPECT_EQ(unknown.getInteger("space"), 6);
  EXPECT_EQ(*unknown.get("limit_bytes"), nullptr);
  const llvm::json::Object& peak = *object.getObject("peak");
  EXPECT_EQ(peak.getInteger("time"), 17);
  EXPECT_EQ(peak.getString("instruction"), "fusion.3");
  ASSERT_EQ(peak.getArray("live")->size(), 1u);
  EXPECT_EQ((*peak.getArray("live"))[0], Parse(R"({
    "name": "dot.5", "shape": "f32[4]{0}", "bytes": 16, "unpadded_bytes": 12,
    "category": "temp", "from": 3, "to": 90, "idle_steps": 2, "why": "waits",
    "source": {"op_name": "jit(f)/dot", "file": "m.py", "line": 7,
               "function": "f"}})"));
  EXPECT_EQ(*object.get("values"), Parse(R"([{
    "name": "copy-start.1{0}", "space": 5, "bytes": 16, "unpadded_bytes": 12,
    "allocation": 3, "offset": 512}])"));
}

TEST(MemoryJsonTest, WithoutAnAnswerThereAreNoSpaces) {
  MemoryResult result;
  result.file = "none.hlo";
  result.verdict = absl::NotFoundError("not there");
  const llvm::json::Value json =
      Parse(MemoryResultsToJson({result}, /*is_list=*/false, 0));
  const llvm::json::Object& object = *json.getAsObject();
  EXPECT_EQ(*object.get("module"), nullptr);
  EXPECT_EQ(*object.get("chip"), nullptr);
  EXPECT_EQ(object.getString("verdict"), "NOT_FOUND");
  EXPECT_EQ(object.get("spaces"), nullptr);
  EXPECT_EQ(object.get("peak"), nullptr);
}

TEST(MemoryJsonTest, AListIsAnArray) {
  const llvm::json::Value json = Parse(MemoryResultsToJson(
      {OverTheLimit(), OverTheLimit()}, /*is_list=*/true, 0));
  ASSERT_NE(json.getAsArray(), nullptr);
  EXPECT_EQ(json.getAsArray()->size(), 2u);
}

}  // namespace
}  // namespace ferry
