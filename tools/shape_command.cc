// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/shape_command.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_walk.h"
#include "ferry/memory/byte_count.h"
#include "ferry/memory/default_layout.h"
#include "ferry/memory/tiled_size.h"
#include "ferry/tools/byte_size.h"
#include "ferry/tools/command_line.h"
#include "ferry/tools/json_text.h"
#include "ferry/tools/output_file.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace ferry {
namespace {

namespace json = llvm::json;

constexpr char kExample[] =
    "Example:\n"
    "  ferry shape 'bf16[4096,64]' 'f32[4096,2]{1,0:T(8,128)}' --chip=v5e\n"
    "gives the first one the layout that the compiler would, takes the second\n"
    "one as it stands, and says how many bytes each takes, and why.";

// What is known of one shape.
struct ShapeReport {
  const Shape* shape = nullptr;  // with its layout
  TiledSize size;
  std::string why;
  // The cheapest layout, if it takes less; arrays only.
  const Shape* cheaper = nullptr;
};

const Shape& WithDefaultLayouts(HloContext& context, const Shape& shape,
                                const MemoryTarget& target) {
  return context.MapLeaves(
      shape, [&](int32_t, const Shape& leaf) -> const Shape& {
        return leaf.IsArray() ? WithDefaultLayout(context, leaf, target) : leaf;
      });
}

absl::StatusOr<ShapeReport> Describe(HloContext& context,
                                     absl::string_view text,
                                     const MemoryTarget& target) {
  const absl::StatusOr<const Shape*> parsed = ParseShape(text, context);
  if (!parsed.ok()) return parsed.status();
  for (ShapeWalk walk(**parsed); !walk.AtEnd(); walk.Next()) {
    for (const int64_t size : walk.node().dimensions()) {
      if (size >= 0) continue;
      return absl::InvalidArgumentError(
          "an unbounded dimension, `?`, has no size");
    }
  }
  ShapeReport report;
  const Shape& cheapest = WithDefaultLayouts(context, **parsed, target);
  // Only layouts have braces.
  const bool has_layout = text.find('{') != absl::string_view::npos;
  report.shape = has_layout ? *parsed : &cheapest;
  report.size = GetTotalTiledSize(*report.shape, target);
  report.why = ExplainTiledSize(*report.shape, target);
  if (report.shape->IsArray() &&
      GetTiledSize(cheapest, target).bytes < report.size.bytes) {
    report.cheaper = &cheapest;
  }
  return report;
}

std::string HumanBytes(ByteCount bytes) {
  if (bytes.FitsInt64()) return ByteSizeToString(bytes.ToInt64());
  return absl::StrCat(bytes.ToString(), " B");
}

std::string LayoutText(const Shape& shape) {
  return shape.layout() == nullptr ? "" : shape.layout()->ToString();
}

std::string ToText(const ShapeReport& report, const MemoryTarget& target) {
  const Shape& shape = *report.shape;
  std::string text =
      absl::StrCat(shape.ToString(), " on ", target.name, "\n", "  bytes      ",
                   HumanBytes(report.size.bytes), "\n", "  unpadded   ",
                   HumanBytes(report.size.unpadded_bytes));
  if (report.size.unpadded_bytes > ByteCount() &&
      report.size.bytes > report.size.unpadded_bytes) {
    absl::StrAppendFormat(
        &text, ", %.1fx expansion",
        report.size.bytes.ToDouble() / report.size.unpadded_bytes.ToDouble());
  }
  absl::StrAppend(&text, "\n  why        ", report.why, "\n");
  if (report.cheaper != nullptr) {
    absl::StrAppend(&text, "  cheapest   ", LayoutText(*report.cheaper), "  ",
                    HumanBytes(GetTiledSize(*report.cheaper, target).bytes),
                    "\n");
  }
  return text;
}

json::Value JsonBytes(ByteCount bytes) {
  if (bytes.FitsInt64()) return bytes.ToInt64();
  return bytes.ToString();
}

json::Value ToJson(const ShapeReport& report, const MemoryTarget& target) {
  const Shape& shape = *report.shape;
  json::Object object{
      {"shape", shape.ToString(/*with_layout=*/false)},
      {"layout",
       shape.IsArray() ? json::Value(LayoutText(shape)) : json::Value(nullptr)},
      {"chip", target.name},
      {"space", static_cast<int64_t>(shape.memory_space())},
      {"bytes", JsonBytes(report.size.bytes)},
      {"unpadded_bytes", JsonBytes(report.size.unpadded_bytes)},
      {"why", report.why},
      {"cheapest_layout", nullptr},
      {"cheapest_bytes", nullptr},
  };
  if (report.cheaper != nullptr) {
    object["cheapest_layout"] = LayoutText(*report.cheaper);
    object["cheapest_bytes"] =
        JsonBytes(GetTiledSize(*report.cheaper, target).bytes);
  }
  return object;
}

std::string ErrorToJson(absl::string_view shape, const absl::Status& status) {
  const json::Value document = json::Object{
      {"shape", JsonText(shape)},
      {"verdict", JsonText(absl::StatusCodeToString(status.code()))},
      {"message", JsonText(absl::string_view(status.message()))}};
  return llvm::formatv("{0:2}\n", document).str();
}

}  // namespace

ExitCode RunShapeCommand(absl::Span<const std::string> arguments) {
  std::vector<std::string> texts;
  bool as_json = false;
  CommonFlags common;
  CommandLine line("ferry shape", "How big is a shape on a chip?", kExample);
  line.AddArguments("SHAPE", texts, "as in HLO text, with or without layout");
  line.AddFlag("--json", as_json, "print one JSON document");
  line.AddCommonFlags(common, CommandLine::ChipFlags::kMatter);
  line.AddCheck([&texts] {
    return texts.empty()
               ? absl::InvalidArgumentError("which SHAPE? as in 'f32[8,128]'")
               : absl::OkStatus();
  });
  if (const std::optional<ExitCode> code = line.Parse(arguments)) return *code;

  HloContext context;
  std::string text;
  json::Array reports;
  for (const std::string& shape : texts) {
    const absl::StatusOr<ShapeReport> report =
        Describe(context, shape, common.memory_target);
    if (!report.ok()) {
      if (as_json) WriteOrComplain("-", ErrorToJson(shape, report.status()));
      WriteStderr(absl::StrCat(
          "error: `", ToPrintableLine(shape).text,
          "`: ", ToPrintableText(report.status().message()), "\n"));
      return ExitCode::kUnreadable;
    }
    if (as_json) {
      reports.push_back(ToJson(*report, common.memory_target));
    } else {
      text += ToText(*report, common.memory_target);
    }
  }
  if (as_json) {
    json::Value document = reports.size() == 1
                               ? std::move(reports[0])
                               : json::Value(std::move(reports));
    text = llvm::formatv("{0:2}\n", document).str();
  }
  return WriteOrComplain("-", text);
}

}  // namespace ferry
