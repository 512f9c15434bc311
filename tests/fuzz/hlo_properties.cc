// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/fuzz/hlo_properties.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/hlo/printed_instruction_count.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"
#include "ferry/hlo/source_text.h"

namespace ferry {
namespace {

HloParseResult Read(absl::string_view text, HloContext& context,
                    bool allow_unknown = true) {
  return ParseHlo(SourceText::FromString(std::string(text), "fuzz.hlo"),
                  context, {.allow_unknown = allow_unknown});
}

absl::Status CheckResult(const HloParseResult& result) {
  const std::string shown = RenderDiagnostics(result.diagnostics);
  if ((result.module == nullptr) == HasError(result.diagnostics)) {
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat(
      result.module == nullptr ? "no module, but no error" : "module and error",
      "\n", shown));
}

absl::Status Broken(absl::string_view what, absl::string_view first,
                    absl::string_view second) {
  return absl::InternalError(
      absl::StrCat(what, "\n--- first:\n", first, "\n--- second:\n", second));
}

}  // namespace

absl::Status CheckReadsAnything(absl::string_view text) {
  HloContext context;
  const HloParseResult result = Read(text, context);
  absl::Status status = CheckResult(result);
  if (status.ok() && !result.diagnostics.empty()) {
    status = CheckResult(Read(text, context, /*allow_unknown=*/false));
  }
  if (!status.ok() || result.module == nullptr) return status;
  RenderDiagnostics(VerifyHlo(*result.module));
  for (const HloPrintOptions& options :
       {HloPrintOptions::Full(), HloPrintOptions::Default(),
        HloPrintOptions::Dump(), HloPrintOptions::ShortParsable(),
        HloPrintOptions::Canonical(), HloPrintOptions::Fingerprint()}) {
    // Bodies written out in place may be more than anybody can print.
    constexpr uint64_t kMostPrinted = 20'000;
    if (options.canonical &&
        PrintedInstructionCount(*result.module, options) > kMostPrinted) {
      continue;
    }
    HloToString(*result.module, options);
  }
  return absl::OkStatus();
}

absl::Status CheckPrintReadsBack(absl::string_view text) {
  HloContext context;
  const HloParseResult given = Read(text, context);
  if (given.module == nullptr || HasError(VerifyHlo(*given.module))) {
    return absl::OkStatus();
  }
  const std::string first = HloToString(*given.module);
  const HloParseResult again = Read(first, context);
  if (again.module == nullptr) {
    return Broken("a print does not read", first,
                  RenderDiagnostics(again.diagnostics));
  }
  // The first may still lose what no text can say: the sign of -0, say.
  const std::string second = HloToString(*again.module);
  const HloParseResult last = Read(second, context);
  if (last.module == nullptr) {
    return Broken("a second print does not read", second,
                  RenderDiagnostics(last.diagnostics));
  }
  const std::string third = HloToString(*last.module);
  if (third != second) {
    return Broken("a print changes on reading", second, third);
  }
  return absl::OkStatus();
}

absl::Status CheckReadsAnyProto(absl::string_view bytes) {
  HloContext context;
  const HloParseResult given =
      ReadHlo(SourceText::FromString(std::string(bytes), "fuzz.pb"), context);
  const absl::Status status = CheckResult(given);
  if (!status.ok() || given.module == nullptr) return status;
  RenderDiagnostics(VerifyHlo(*given.module));
  HloToString(*given.module);
  absl::StatusOr<std::string> proto = HloToProto(*given.module);
  if (!proto.ok()) return absl::OkStatus();
  return CheckResult(ReadHloProto(
      SourceText::FromString(*std::move(proto), "again.pb"), context));
}

absl::Status CheckProtoKeepsAll(absl::string_view bytes) {
  HloContext context;
  const HloParseResult given =
      ReadHlo(SourceText::FromString(std::string(bytes), "fuzz.pb"), context);
  const absl::Status status = CheckResult(given);
  if (!status.ok() || given.module == nullptr ||
      HasError(VerifyHlo(*given.module))) {
    return status;
  }
  const std::string first = HloToString(*given.module);
  absl::StatusOr<std::string> proto = HloToProto(*given.module);
  // Too deep or too large for protobuf.
  if (absl::IsResourceExhausted(proto.status())) return absl::OkStatus();
  if (!proto.ok()) {
    return Broken("no proto of a module", first, proto.status().ToString());
  }
  const HloParseResult again = ReadHloProto(
      SourceText::FromString(*std::move(proto), "again.pb"), context);
  if (again.module == nullptr) {
    return Broken("a proto does not read", first,
                  RenderDiagnostics(again.diagnostics));
  }
  const std::string second = HloToString(*again.module);
  if (second != first) {
    return Broken("a proto does not keep all", first, second);
  }
  return absl::OkStatus();
}

void ExpectHolds(const absl::Status& status) {
  if (status.ok()) return;
  const std::string message(status.message());
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

}  // namespace ferry
