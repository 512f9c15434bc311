// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PRINTED_STACK_FRAMES_H_
#define FERRY_HLO_PRINTED_STACK_FRAMES_H_

#include "absl/types/span.h"
#include "ferry/hlo/async_sugar.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/stack_frame_tables.h"

namespace ferry {

// The tables of stack frames that a reader of the module's print makes: frames
// are numbered in the order in which it finishes the computations and comes to
// use them. Printed with these, a file that is read and printed stays the same.
//
// `order` is the order in which computations are printed; `sugar` says which
// of them are printed as part of their async-start. The module must outlive the
// result. Linear.
// Tested by hlo_printer_test.cc and tests/hlo/print*.hlo.
StackFrameTables NumberStackFramesAsPrinted(
    const HloModule& module, absl::Span<HloComputation* const> order,
    AsyncSugar& sugar);

}  // namespace ferry

#endif  // FERRY_HLO_PRINTED_STACK_FRAMES_H_
