// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/proto/hlo_proto_text.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/hlo_form.h"

namespace ferry {
namespace {

using google::protobuf::Message;
using google::protobuf::TextFormat;

// As protobuf reads the binary form.
constexpr int kMaxDepth = 100;

// What one attempt to read the text says.
class Findings : public google::protobuf::io::ErrorCollector {
 public:
  struct Finding {
    int line;
    int column;
    std::string message;
  };
  void AddError(int line, int column, const std::string& message) override {
    errors.push_back({line, column, message});
  }
  void AddWarning(int line, int column, const std::string& message) override {
    warnings.push_back({line, column, message});
  }
  std::vector<Finding> errors;
  std::vector<Finding> warnings;
};

DiagnosticPlace PlaceOf(const SourceText& source, int line, int column) {
  DiagnosticPlace place;
  place.file = std::string(source.name());
  if (line < 0) return place;
  place.line = line + 1;
  place.column = column + 1;
  const absl::string_view text = source.Line(place.line);
  if (text.size() <= DiagnosticPlace::kMaxSourceLine) {
    place.source_line = std::string(text);
  }
  return place;
}

bool Parse(absl::string_view text, bool allow_unknown, Message& message,
           Findings& findings) {
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&findings);
  parser.SetRecursionLimit(kMaxDepth);
  parser.AllowUnknownField(allow_unknown);
  google::protobuf::io::ArrayInputStream stream(text.data(),
                                                static_cast<int>(text.size()));
  return parser.Parse(&stream, &message);
}

// By the name of the first field, and by those behind it.
std::unique_ptr<Message> MessageFor(absl::string_view text) {
  const absl::string_view start = SkipBlankHlo(text);
  if (absl::StartsWith(start, "hlo_module") ||
      absl::StartsWith(start, "config") ||
      absl::StartsWith(start, "buffer_assignment")) {
    // Fields of the outer message stand at the start of a line, by any writer.
    if (absl::StrContains(text, "\npartitions") ||
        absl::StrContains(text, "\nversion")) {
      return std::make_unique<proto::HloUnoptimizedSnapshot>();
    }
    if (absl::StrContains(text, "\nconfig") ||
        absl::StartsWith(start, "config")) {
      return std::make_unique<proto::HloModuleProtoWithConfig>();
    }
    return std::make_unique<proto::HloProto>();
  }
  if (absl::StartsWith(start, "hlo")) {
    return std::make_unique<proto::HloSnapshot>();
  }
  return std::make_unique<proto::HloModuleProto>();
}

// Fields without a name in the schema would not be read again.
TextFormat::Printer MakePrinter() {
  TextFormat::Printer printer;
  printer.SetHideUnknownFields(true);
  return printer;
}

std::unique_ptr<Message> MessageFor(CarriedProto::Container container) {
  switch (container) {
    case CarriedProto::Container::kModule:
      return std::make_unique<proto::HloModuleProto>();
    case CarriedProto::Container::kHloProto:
      return std::make_unique<proto::HloProto>();
    case CarriedProto::Container::kWithConfig:
      return std::make_unique<proto::HloModuleProtoWithConfig>();
    case CarriedProto::Container::kSnapshot:
      return std::make_unique<proto::HloSnapshot>();
    case CarriedProto::Container::kUnoptimizedSnapshot:
      return std::make_unique<proto::HloUnoptimizedSnapshot>();
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<const SourceText> TextProtoToBinary(
    const SourceText& source, const HloParserOptions& options,
    std::vector<Diagnostic>& diagnostics) {
  const absl::string_view text = source.text();
  if (text.size() > std::numeric_limits<int>::max()) {
    diagnostics.push_back(MakeDiagnostic(
        DiagnosticCode::kTooLarge, PlaceOf(source, -1, 0),
        {"protobuf reads no text of 2 GiB or more; use the binary form"}));
    return nullptr;
  }
  const google::protobuf::LogSilencer quiet;
  const std::unique_ptr<Message> message = MessageFor(text);
  Findings findings;
  if (!Parse(text, options.allow_unknown, *message, findings)) {
    for (const Findings::Finding& error : findings.errors) {
      diagnostics.push_back(MakeDiagnostic(
          DiagnosticCode::kSyntaxError,
          PlaceOf(source, error.line, error.column), {error.message}));
      if (static_cast<int>(diagnostics.size()) >= options.max_errors) break;
    }
    return nullptr;
  }
  constexpr size_t kMostNotes = 20;
  for (size_t i = 0; i < findings.warnings.size() && i < kMostNotes; ++i) {
    const Findings::Finding& warning = findings.warnings[i];
    diagnostics.push_back(MakeDiagnostic(
        DiagnosticCode::kLeftOut, PlaceOf(source, warning.line, warning.column),
        {warning.message}));
  }
  return SourceText::FromString(message->SerializeAsString(),
                                std::string(source.name()));
}

absl::StatusOr<std::string> BinaryProtoToText(absl::string_view bytes) {
  const google::protobuf::LogSilencer quiet;
  const std::unique_ptr<Message> message = MessageFor(ContainerOf(bytes));
  std::string text;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !MakePrinter().PrintToString(*message, &text)) {
    return absl::InvalidArgumentError(
        "the module is too large, or nests too deep, for a text proto");
  }
  return text;
}

}  // namespace ferry
