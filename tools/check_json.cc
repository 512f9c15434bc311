// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/check_json.h"

#include <cstdint>
#include <optional>

#include "ferry/hlo/version.h"
#include "ferry/tools/json_diagnostics.h"
#include "ferry/tools/json_text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {
namespace {

using llvm::json::OStream;
using llvm::json::Value;

class Writer {
 public:
  explicit Writer(OStream& json) : json_(json) {}

  void Result(const CheckResult& result) {
    json_.object([&] {
      json_.attributeObject("tool", [&] {
        json_.attribute("name", "ferry");
        json_.attribute("version", kFerryVersion);
      });
      Text("file", result.file);
      TextOrNull("module", result.module.value_or(""));
      TextOrNull("stage", result.stage.value_or(""));
      Text("verdict", absl::StatusCodeToString(result.verdict.code()));
      TextOrNull("error_id", result.ErrorId());
      TextOrNull("message", result.verdict.message());
      WriteDiagnostics(result.diagnostics, result.judge, json_);
      json_.attributeArray("transfers", [&] {
        for (const auto& transfer : result.transfers) Transfer(transfer);
      });
      json_.attributeArray("host_compute", [&] {
        for (const auto& computation : result.host_compute) {
          HostCompute(computation);
        }
      });
      if (!result.fixes_made.empty()) {
        json_.attributeArray("fixes_made", [&] {
          for (const std::string& fix : result.fixes_made) {
            json_.value(JsonText(fix));
          }
        });
      }
    });
  }

 private:
  void Text(llvm::StringRef key, absl::string_view text) {
    json_.attribute(key, JsonText(text));
  }
  void TextOrNull(llvm::StringRef key, absl::string_view text) {
    json_.attribute(key, JsonTextOrNull(text));
  }

  void Transfer(const CheckResult::Transfer& transfer) {
    json_.object([&] {
      Text("direction",
           transfer.direction == HostTransfer::Direction::kDeviceToHost
               ? "device_to_host"
               : "host_to_device");
      Text("instruction", transfer.instruction);
      json_.attribute("bytes", JsonNumberOrNull(transfer.bytes));
      json_.attribute("padded_bytes", JsonNumberOrNull(transfer.padded_bytes));
      json_.attribute("trip_count", JsonNumberOrNull(transfer.trip_count));
      WriteSource(transfer.source, json_);
    });
  }

  void HostCompute(const CheckResult::HostCompute& computation) {
    json_.object([&] {
      Text("instruction", computation.instruction);
      Text("why", computation.why);
      WriteSource(computation.source, json_);
    });
  }

  OStream& json_;
};

}  // namespace

std::string CheckResultsToJson(absl::Span<const CheckResult> results,
                               bool is_list) {
  std::string text;
  llvm::raw_string_ostream out(text);
  constexpr unsigned kIndent = 1;
  OStream json(out, kIndent);
  Writer writer(json);
  if (is_list) {
    json.array([&] {
      for (const CheckResult& result : results) writer.Result(result);
    });
  } else {
    for (const CheckResult& result : results) writer.Result(result);
  }
  json.flush();
  out << '\n';
  out.flush();
  return text;
}

}  // namespace ferry
