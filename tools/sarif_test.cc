// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/sarif.h"

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

const llvm::json::Object& FirstRun(const llvm::json::Value& json) {
  return *(*json.getAsObject()->getArray("runs"))[0].getAsObject();
}

TEST(SarifTest, HasARuleForEachCode) {
  const llvm::json::Value json = Parse(CheckResultsToSarif({}));
  EXPECT_EQ(json.getAsObject()->getString("version"), "2.1.0");
  const llvm::json::Array& rules =
      *FirstRun(json).getObject("tool")->getObject("driver")->getArray("rules");
  ASSERT_EQ(rules.size(), AllDiagnosticCodes().size());
  EXPECT_EQ(rules[0], Parse(R"({
      "id": "F1001", "name": "SyntaxError", "shortDescription": {"text": "{0}"},
      "defaultConfiguration": {"level": "error"}})"));
}

TEST(SarifTest, AFindingHasItsPlaceAndItsWay) {
  CheckResult result;
  result.file = "a dir/step.hlo";
  Diagnostic finding =
      MakeDiagnostic(DiagnosticCode::kHostCompute, {}, {"out"});
  finding.place.file = result.file;
  finding.place.line = 12;
  finding.place.column = 3;
  finding.place.computation = "main";
  finding.place.instruction = "out";
  finding.place.user_source = {"", "model.py", 41, ""};
  finding.path.push_back(
      {"out", ShapeIndex{0}, "tuple", "f32[8]{0}", "main", 12, {}});
  result.diagnostics.push_back(finding);
  const llvm::json::Value json = Parse(CheckResultsToSarif({result}));
  llvm::json::Object found =
      *(*FirstRun(json).getArray("results"))[0].getAsObject();
  const llvm::json::Array& rules =
      *FirstRun(json).getObject("tool")->getObject("driver")->getArray("rules");
  const int64_t rule = *found.getInteger("ruleIndex");
  EXPECT_EQ(rules[rule].getAsObject()->getString("id"), "F4005");
  found.erase("ruleIndex");
  EXPECT_EQ(llvm::json::Value(std::move(found)), Parse(R"({
      "ruleId": "F4005", "level": "warning",
      "message": {"text": "`out` computes on a value in host memory, so it runs on the host"},
      "locations": [{
        "physicalLocation": {"artifactLocation": {"uri": "a%20dir/step.hlo"},
                             "region": {"startLine": 12, "startColumn": 3}},
        "logicalLocations": [{"name": "out",
                              "fullyQualifiedName": "main/out"}]}],
      "relatedLocations": [{
        "id": 1, "message": {"text": "the program's own line"},
        "physicalLocation": {"artifactLocation": {"uri": "model.py"},
                             "region": {"startLine": 41}}}],
      "codeFlows": [{"threadFlows": [{"locations": [{"location": {
        "message": {"text": "out{0}: tuple f32[8]{0}"},
        "physicalLocation": {"artifactLocation": {"uri": "a%20dir/step.hlo"},
                             "region": {"startLine": 12}},
        "logicalLocations": [{"name": "out",
                              "fullyQualifiedName": "main/out"}]}}]}]}]})"));
}

}  // namespace
}  // namespace ferry
