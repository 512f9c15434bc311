// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/sarif.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ferry/hlo/version.h"
#include "ferry/tools/json_text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {
namespace {

using llvm::json::OStream;

// A path as a URI reference: relative paths stay relative.
std::string PathToUri(absl::string_view path) {
  constexpr absl::string_view kPlain = "-._~/";
  std::string uri = absl::StartsWith(path, "/") ? "file://" : "";
  for (const char c : path) {
    if (absl::ascii_isalnum(c) || absl::StrContains(kPlain, c)) {
      uri += c;
    } else {
      absl::StrAppendFormat(&uri, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

class Writer {
 public:
  explicit Writer(OStream& json) : json_(json) {}

  void Log(absl::Span<const CheckResult> results) {
    json_.object([&] {
      json_.attribute("$schema",
                      "https://json.schemastore.org/sarif-2.1.0.json");
      json_.attribute("version", "2.1.0");
      json_.attributeArray("runs", [&] {
        json_.object([&] {
          Tool();
          json_.attributeArray("results", [&] {
            for (const CheckResult& result : results) {
              for (const Diagnostic& finding : result.diagnostics) {
                Finding(finding, result.judge);
              }
            }
          });
        });
      });
    });
  }

 private:
  void Message(absl::string_view text) {
    json_.attributeObject("message",
                          [&] { json_.attribute("text", JsonText(text)); });
  }

  void Tool() {
    json_.attributeObject("tool", [&] {
      json_.attributeObject("driver", [&] {
        json_.attribute("name", "ferry");
        json_.attribute("semanticVersion", kFerryVersion);
        json_.attributeArray("rules", [&] {
          for (DiagnosticCode code : AllDiagnosticCodes()) Rule(code);
        });
      });
    });
  }

  void Rule(DiagnosticCode code) {
    json_.object([&] {
      json_.attribute("id", JsonText(DiagnosticId(code)));
      json_.attribute("name", JsonText(DiagnosticName(code)));
      json_.attributeObject("shortDescription", [&] {
        json_.attribute("text", JsonText(DiagnosticText(code)));
      });
      if (code == DiagnosticCode::kOffloadOutputLocationMismatch) {
        json_.attribute("helpUri", "https://openxla.org/xla/errors/error_1200");
      }
      json_.attributeObject("defaultConfiguration", [&] {
        json_.attribute("level", JsonText(SeverityName(SeverityOf(code))));
      });
    });
  }

  void Finding(const Diagnostic& finding, Judge judge) {
    json_.object([&] {
      json_.attribute("ruleId", JsonText(DiagnosticId(finding.code)));
      // Rules stand in the order of the codes.
      json_.attribute("ruleIndex", static_cast<int64_t>(finding.code));
      // SARIF's words are ours.
      json_.attribute("level",
                      JsonText(SeverityName(SeverityOf(finding.code, judge))));
      Message(finding.message);
      json_.attributeArray("locations",
                           [&] { Location(finding.place, "", 0); });
      RelatedLocations(finding);
      CodeFlow(finding);
    });
  }

  // A place in the module; `message` and `id` are left out if empty and 0.
  void Location(const DiagnosticPlace& place, absl::string_view message,
                int64_t id) {
    json_.object([&] {
      if (id > 0) json_.attribute("id", id);
      if (!message.empty()) Message(message);
      Physical(place.file, place.line, place.column);
      Logical(place.computation, place.instruction);
    });
  }

  void Physical(absl::string_view file, int64_t line, int64_t column) {
    if (file.empty()) return;
    json_.attributeObject("physicalLocation", [&] {
      json_.attributeObject("artifactLocation", [&] {
        json_.attribute("uri", JsonText(PathToUri(file)));
      });
      if (line <= 0) return;
      json_.attributeObject("region", [&] {
        json_.attribute("startLine", line);
        if (column > 0) json_.attribute("startColumn", column);
      });
    });
  }

  void Logical(absl::string_view computation, absl::string_view instruction) {
    if (instruction.empty()) return;
    json_.attributeArray("logicalLocations", [&] {
      json_.object([&] {
        json_.attribute("name", JsonText(instruction));
        json_.attribute("fullyQualifiedName",
                        JsonText(absl::StrCat(computation, "/", instruction)));
      });
    });
  }

  // The user's own line, the annotation, and notes with a place.
  void RelatedLocations(const Diagnostic& finding) {
    json_.attributeArray("relatedLocations", [&] {
      int64_t id = 0;
      const UserSource& user = finding.place.user_source;
      if (!user.file.empty()) {
        json_.object([&] {
          json_.attribute("id", ++id);
          Message("the program's own line");
          Physical(user.file, user.line, 0);
        });
      }
      if (finding.annotation.has_value()) {
        Location(*finding.annotation, "moved to host here", ++id);
      }
      for (const DiagnosticNote& note : finding.notes) {
        if (note.place.has_value()) Location(*note.place, note.message, ++id);
      }
    });
  }

  void CodeFlow(const Diagnostic& finding) {
    if (finding.path.empty()) return;
    json_.attributeArray("codeFlows", [&] {
      json_.object([&] {
        json_.attributeArray("threadFlows", [&] {
          json_.object([&] {
            json_.attributeArray("locations", [&] {
              for (const DiagnosticHop& hop : finding.path) {
                Hop(hop, finding.place.file);
              }
            });
          });
        });
      });
    });
  }

  void Hop(const DiagnosticHop& hop, absl::string_view file) {
    std::string index;
    if (!hop.shape_index.empty()) index = ShapeIndexToString(hop.shape_index);
    json_.object([&] {
      json_.attributeObject("location", [&] {
        Message(absl::StrCat(hop.instruction, index, ": ", hop.opcode, " ",
                             hop.shape));
        Physical(file, hop.line, 0);
        Logical(hop.computation, hop.instruction);
      });
    });
  }

  OStream& json_;
};

}  // namespace

std::string CheckResultsToSarif(absl::Span<const CheckResult> results) {
  std::string text;
  llvm::raw_string_ostream out(text);
  constexpr unsigned kIndent = 1;
  OStream json(out, kIndent);
  Writer(json).Log(results);
  json.flush();
  out << '\n';
  out.flush();
  return text;
}

}  // namespace ferry
