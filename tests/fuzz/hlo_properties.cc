// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/fuzz/hlo_properties.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/check.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/hlo/source_text.h"

namespace ferry {
namespace {

HloParseResult Read(absl::string_view text, HloContext& context,
                    bool allow_unknown = true) {
  HloParseResult result =
      ParseHlo(SourceText::FromString(std::string(text), "fuzz.hlo"), context,
               {.allow_unknown = allow_unknown});
  FERRY_CHECK((result.module == nullptr) == HasError(result.diagnostics));
  return result;
}

[[noreturn]] void Fail(absl::string_view what, absl::string_view first,
                       absl::string_view second) {
  CheckFailed(
      __FILE__, __LINE__,
      absl::StrCat(what, "\n--- first:\n", first, "\n--- second:\n", second));
}

}  // namespace

void CheckReadsAnything(absl::string_view text) {
  HloContext context;
  const HloParseResult result = Read(text, context);
  RenderDiagnostics(result.diagnostics);
  if (!result.diagnostics.empty()) {
    RenderDiagnostics(Read(text, context, false).diagnostics);
  }
  if (result.module == nullptr) return;
  RenderDiagnostics(VerifyHlo(*result.module));
  HloToString(*result.module);
  HloToString(*result.module, {.large_constants = false});
  HloToString(*result.module, {.async_sugar = false});
}

void CheckPrintReadsBack(absl::string_view text) {
  HloContext context;
  const HloParseResult given = Read(text, context);
  if (given.module == nullptr) return;
  // What the verifier refuses (cyclic calls, say) has no order to print in.
  if (HasError(VerifyHlo(*given.module))) return;
  const std::string first = HloToString(*given.module);
  const HloParseResult again = Read(first, context);
  if (again.module == nullptr) {
    Fail("a print does not read", first, RenderDiagnostics(again.diagnostics));
  }
  const std::string second = HloToString(*again.module);
  if (second != first) Fail("a print changes on reading", first, second);
}

}  // namespace ferry
