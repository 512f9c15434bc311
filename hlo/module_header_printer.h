// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_MODULE_HEADER_PRINTER_H_
#define FERRY_HLO_MODULE_HEADER_PRINTER_H_

#include <string>

#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_print_options.h"
#include "ferry/hlo/stack_frames.h"

namespace ferry {

// Appends what stands in front of the first computation: name, attributes and
// stack-frame tables (`frames`), and the blank line behind them.
// Tested by hlo_printer_test.cc.
void PrintModuleHeader(const HloModule& module, const StackFrames& frames,
                       const HloPrintOptions& options, std::string& out);

}  // namespace ferry

#endif  // FERRY_HLO_MODULE_HEADER_PRINTER_H_
