// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/check_json.h"

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

CheckResult OneFinding() {
  CheckResult result;
  result.file = "step.hlo";
  result.module = "jit_step";
  result.stage = "before";
  Diagnostic finding = MakeDiagnostic(
      DiagnosticCode::kOffloadOutputLocationMismatch, {}, {"out"});
  finding.place.file = "step.hlo";
  finding.place.line = 12;
  finding.place.column = 3;
  finding.place.computation = "main";
  finding.place.instruction = "out";
  finding.output_index = ShapeIndex{1, 0};
  finding.annotation.emplace();
  finding.annotation->instruction = "save";
  finding.annotation->user_source = {"jit(f)/x", "model.py", 41, "f"};
  finding.path.push_back(
      {"out", ShapeIndex{1, 0}, "tuple", "f32[8]{0}", "main", 12, {}});
  finding.notes.push_back({"a note", std::nullopt});
  finding.fixes.push_back({"bring it back", "bring_back", "out"});
  result.verdict = StatusOf({finding}, Judge::kDocumented);
  result.diagnostics.push_back(finding);
  return result;
}

TEST(CheckJsonTest, SaysWhatTheContractSays) {
  const llvm::json::Value json =
      Parse(CheckResultsToJson({OneFinding()}, /*is_list=*/false));
  const llvm::json::Object& object = *json.getAsObject();
  EXPECT_EQ(object.getObject("tool")->getString("name"), "ferry");
  EXPECT_EQ(object.getString("verdict"), "INVALID_ARGUMENT");
  EXPECT_EQ(object.getString("error_id"), "E1200");
  EXPECT_EQ(object.getString("message"),
            "E1200: CompileTimeHostOffloadOutputLocationMismatch:\n"
            "Tensor which is moved to host (starting from out) is returned "
            "from the entry computation but the layout for this output is not "
            "set to host memory.\n"
            "See https://openxla.org/xla/errors/error_1200 for more details.");
  const llvm::json::Array& findings = *object.getArray("diagnostics");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0], Parse(R"({
      "code": "E1200", "severity": "error",
      "message": "Tensor which is moved to host (starting from out) is returned from the entry computation but the layout for this output is not set to host memory.",
      "file": "step.hlo", "line": 12, "column": 3, "computation": "main",
      "instruction": "out", "source": null, "output_index": [1, 0],
      "annotation": {"instruction": "save", "line": null,
        "source": {"op_name": "jit(f)/x", "file": "model.py", "line": 41,
                   "function": "f"}},
      "path": [{"instruction": "out", "shape_index": [1, 0],
                "opcode": "tuple", "shape": "f32[8]{0}",
                "computation": "main", "line": 12, "source": null}],
      "notes": ["a note"],
      "fixes": [{"title": "bring it back", "kind": "bring_back",
                 "before": "out"}]})"));
}

TEST(CheckJsonTest, WhatIsNotKnownIsNull) {
  CheckResult result;
  result.file = "step.hlo";
  result.transfers.push_back({HostTransfer::Direction::kHostToDevice,
                              "back",
                              std::nullopt,
                              std::nullopt,
                              4,
                              {}});
  const llvm::json::Value json = Parse(CheckResultsToJson({result}, false));
  const llvm::json::Object& object = *json.getAsObject();
  for (const char* key : {"module", "stage", "error_id", "message"}) {
    EXPECT_EQ(*object.get(key), nullptr) << key;
  }
  EXPECT_EQ(object.getString("verdict"), "OK");
  EXPECT_EQ((*object.getArray("transfers"))[0], Parse(R"({
      "direction": "host_to_device", "instruction": "back", "bytes": null,
      "padded_bytes": null, "trip_count": 4, "source": null})"));
}

TEST(CheckJsonTest, AListIsAnArrayEvenIfShort) {
  EXPECT_EQ(Parse(CheckResultsToJson({}, true)).getAsArray()->size(), 0u);
  EXPECT_EQ(
      Parse(CheckResultsToJson({OneFinding()}, true)).getAsArray()->size(), 1u);
}

TEST(CheckJsonTest, BytesThatAreNoUtf8AreReplaced) {
  CheckResult result;
  result.file = "\xff\x01.hlo";
  EXPECT_EQ(Parse(CheckResultsToJson({result}, false))
                .getAsObject()
                ->getString("file"),
            "\xef\xbf\xbd\x01.hlo");
}

}  // namespace
}  // namespace ferry
