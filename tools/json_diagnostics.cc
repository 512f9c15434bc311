// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/json_diagnostics.h"

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/tools/json_text.h"
#include "llvm/Support/JSON.h"

namespace ferry {
namespace {

using llvm::json::OStream;
using llvm::json::Value;

// Lines count from 1; 0 is unknown.
Value LineOrNull(int64_t line) {
  return line > 0 ? Value(line) : Value(nullptr);
}

class Writer {
 public:
  explicit Writer(OStream& json) : json_(json) {}

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

 private:
  void Text(llvm::StringRef key, absl::string_view text) {
    json_.attribute(key, JsonText(text));
  }
  void TextOrNull(llvm::StringRef key, absl::string_view text) {
    json_.attribute(key, JsonTextOrNull(text));
  }

  OStream& json_;
};

}  // namespace

void WriteDiagnostics(absl::Span<const Diagnostic> diagnostics, Judge judge,
                      OStream& json) {
  Writer writer(json);
  json.attributeArray("diagnostics", [&] {
    for (const Diagnostic& diagnostic : diagnostics) {
      writer.Finding(diagnostic, judge);
    }
  });
}

void WriteSource(const UserSource& source, OStream& json) {
  Writer(json).Source(source);
}

}  // namespace ferry
