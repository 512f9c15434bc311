// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_DIAGNOSTIC_RENDERER_H_
#define FERRY_HLO_DIAGNOSTIC_RENDERER_H_

#include <functional>
#include <string>

#include "absl/types/span.h"
#include "ferry/hlo/diagnostic.h"

namespace ferry {

struct DiagnosticRenderOptions {
  // Whose severities to print.
  Judge judge = Judge::kDocumented;
  // ANSI colours; the caller knows whether a terminal reads.
  bool colour = false;
  // What the user gives the tool so that it makes a fix itself, such as
  // "--fix=bring_back"; "" if the tool cannot. Not set: it makes none.
  std::function<std::string(const DiagnosticFix&)> how_to_fix;
  // Longer source lines are shortened around the column.
  int max_line_bytes = 160;
};

// One finding, for people; ends with a line end:
//
//   step.hlo:9:8: error: E1200: Tensor which is moved to host (starting ...
//       9 |   ROOT out = (f32[8]{0}) tuple(saved)
//         |        ^~~
//         = model.py:41 in loss, jit(step)/tuple
//     output {0} of the program
//     moved to host by `move` at step.hlo:5:3 (model.py:38 in loss)
//     the way of the value:
//       1. move     custom-call  f32[8]{0}  main:5  model.py:38 in loss
//       2. out {0}  tuple        f32[8]{0}  main:9  model.py:41 in loss
//   step.hlo:2:1: note: the entry layout puts the output into device memory
//     fix: return it on host  [--fix=return_on_host]
//     fix: bring it back, before `out`  [--fix=bring_back]
//
// Control characters and broken UTF-8 of the input never reach the terminal.
// Tested by diagnostic_renderer_test.cc.
std::string RenderDiagnostic(const Diagnostic& diagnostic,
                             const DiagnosticRenderOptions& options = {});

// Several findings of one module. Of a path that begins like that of the
// finding above, the shared part is not repeated:
//
//     the way of the value:
//       2. ... as above, to out {0}
//       3. sum      add          f32[8]{0}  main:11  model.py:42 in loss
std::string RenderDiagnostics(absl::Span<const Diagnostic> diagnostics,
                              const DiagnosticRenderOptions& options = {});

// "model.py:41 in loss, jit(step)/tuple", as far as it is known; may be empty.
std::string UserSourceToString(const UserSource& source);
// The same for one line of a table: the line says more than the operation's
// name, which stands only where no line is known. Without control characters.
std::string UserSourceToCell(const UserSource& source);

}  // namespace ferry

#endif  // FERRY_HLO_DIAGNOSTIC_RENDERER_H_
