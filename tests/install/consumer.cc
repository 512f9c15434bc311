// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// A compiler that embeds Ferry: reads a module, asks where its offloaded
// tensors go, and prints what is wrong. Succeeds if Ferry finds the E1200 that
// is there.

#include <cstdio>

#include "ferry/passes/ferry.h"

constexpr char kModule[] = R"(
HloModule step, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

ENTRY main {
  x = f32[8]{0} parameter(0)
  h = f32[8]{0} custom-call(x), custom_call_target="MoveToHost"
  ROOT out = f32[8]{0} bitcast(h)
}
)";

int main() {
  ferry::HloContext context;
  const auto module = ferry::ParseHloText(kModule, context);
  if (!module.ok()) return 2;
  const ferry::PassContext run;
  const auto analysis = ferry::HostOffloadAnalysis::Run(**module, run);
  if (!analysis.ok()) return 2;
  for (const ferry::Diagnostic& finding : analysis->diagnostics()) {
    std::printf("%s: %s\n", ferry::DiagnosticName(finding.code).data(),
                finding.message.c_str());
  }
  const auto verdict = ferry::StatusOf(analysis->diagnostics(), run.judge);
  return verdict.GetPayload(ferry::kDiagnosticCodePayload) == "E1200" ? 0 : 1;
}
