// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/check_json.h"

#include <cstdint>
#include <optional>

#include "ferry/hlo/version.h"
#include "ferry/tools/json_text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {
namespace {

using llvm::json::OStream;
using llvm::json::Value;

Value NumberOrNull(std::optional<int64_t> number) {
  return number.has_value() ? Value(*number) : Value(nullptr);
}

// Lines count from 1; 0 is unknown.
Value LineOrNull(int64_t line) {
  return line > 0 ? Value(line) : Value(nullptr);
}

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
      json_.attributeArray("diagnostics", [&] {
        for (const Diagnostic& diagnostic : result.diagnostics) {
          Finding(diagnostic, result.judge);
        }
      });
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

  void Source(const UserSource& source) {
    if (source.empty()) {
      json_.attribute("source", nullptr);
      return;
    }
    json_.attributeObject("source", [&] {
      TextOrNull("op_name", source.op_name);
      TextOrNull("file", source.file);
      json_.attribute("line", LineOrNull(source.line));
      TextOrNull("function", source.function);
    });
  }

  void Index(llvm::StringRef key, const ShapeIndex& index) {
    json_.attributeArray(key, [&] {
      for (int64_t element : index) json_.value(element);
    });
  }

  void Finding(const Diagnostic& diagnostic, Judge judge) {
    const DiagnosticPlace& place = diagnostic.place;
    json_.object([&] {
      Text("code", DiagnosticId(diagnostic.code));
      Text("severity", SeverityName(SeverityOf(diagnostic.code, judge)));
      Text("message", diagnostic.message);
      TextOrNull("file", place.file);
      json_.attribute("line", LineOrNull(place.line));
      json_.attribute("column", LineOrNull(place.column));
      TextOrNull("computation", place.computation);
      TextOrNull("instruction", place.instruction);
      Source(place.user_source);
      if (diagnostic.output_index.has_value()) {
        Index("output_index", *diagnostic.output_index);
      } else {
        json_.attribute("output_index", nullptr);
      }
      Annotation(diagnostic.annotation);
      json_.attributeArray("path", [&] {
        for (const DiagnosticHop& hop : diagnostic.path) Hop(hop);
      });
      json_.attributeArray("notes", [&] {
        for (const DiagnosticNote& note : diagnostic.notes) {
          json_.value(JsonText(note.message));
        }
      });
      json_.attributeArray("fixes", [&] {
        for (const DiagnosticFix& fix : diagnostic.fixes) Fix(fix);
      });
    });
  }

  void Annotation(const std::optional<DiagnosticPlace>& annotation) {
    if (!annotation.has_value()) {
      json_.attribute("annotation", nullptr);
      return;
    }
    json_.attributeObject("annotation", [&] {
      TextOrNull("instruction", annotation->instruction);
      json_.attribute("line", LineOrNull(annotation->line));
      Source(annotation->user_source);
    });
  }

  void Hop(const DiagnosticHop& hop) {
    json_.object([&] {
      Text("instruction", hop.instruction);
      Index("shape_index", hop.shape_index);
      Text("opcode", hop.opcode);
      Text("shape", hop.shape);
      Text("computation", hop.computation);
      json_.attribute("line", LineOrNull(hop.line));
      Source(hop.user_source);
    });
  }

  void Fix(const DiagnosticFix& fix) {
    json_.object([&] {
      Text("title", fix.title);
      Text("kind", fix.kind);
      if (!fix.before.empty()) Text("before", fix.before);
    });
  }

  void Transfer(const CheckResult::Transfer& transfer) {
    json_.object([&] {
      Text("direction",
           transfer.direction == HostTransfer::Direction::kDeviceToHost
               ? "device_to_host"
               : "host_to_device");
      Text("instruction", transfer.instruction);
      json_.attribute("bytes", NumberOrNull(transfer.bytes));
      // Not built yet: the size as tiled on the chip.
      json_.attribute("padded_bytes", nullptr);
      json_.attribute("trip_count", NumberOrNull(transfer.trip_count));
      Source(transfer.source);
    });
  }

  void HostCompute(const CheckResult::HostCompute& computation) {
    json_.object([&] {
      Text("instruction", computation.instruction);
      Text("why", computation.why);
      Source(computation.source);
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
