// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_PASSES_FERRY_H_
#define FERRY_PASSES_FERRY_H_

// The embedding header: one include for compilers that use Ferry as a library.
//
//   ferry::HloContext context;
//   absl::StatusOr<std::unique_ptr<ferry::HloModule>> module =
//       ferry::ParseHloText(text, context);
//   ...
//   ferry::PassContext run;
//   absl::StatusOr<ferry::HostOffloadAnalysis> analysis =
//       ferry::HostOffloadAnalysis::Run(**module, run);
//   for (const ferry::Diagnostic& finding : analysis->diagnostics()) ...
//   absl::Status verdict = ferry::StatusOf(analysis->diagnostics(), run.judge);
//
// Protos are read and written through "ferry/hlo/proto/hlo_proto_reader.h" and
// "ferry/hlo/proto/hlo_proto_writer.h".
//
// The library never prints, exits, or starts a thread; log lines go to the
// LogSink of the PassContext. One HloContext serves many modules and threads;
// a module belongs to one thread at a time. Tested by tests/install.

#include "ferry/hlo/check.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/hlo/log.h"
#include "ferry/hlo/version.h"
#include "ferry/passes/hlo_pass.h"
#include "ferry/passes/host_offload_analysis.h"
#include "ferry/passes/pass_manager.h"
#include "ferry/passes/pass_registry.h"
#include "ferry/passes/pipelines.h"

#endif  // FERRY_PASSES_FERRY_H_
