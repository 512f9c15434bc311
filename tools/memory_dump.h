// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_MEMORY_DUMP_H_
#define FERRY_TOOLS_MEMORY_DUMP_H_

#include <set>
#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

// One dump of a module, as a file of --dump-to.
struct MemoryDump {
  std::string suffix;  // ".live-range.txt"
  std::string bytes;
};

// Gives each module of a run the name that its dumps have before the suffix:
// the module's own, with what a file name should not have as `_`, and with a
// number if an earlier module has that name already.
//
//   "jit_step" -> "jit_step", the second time "jit_step.2"
//   "../x y"   -> "_.._x_y"
//
// File systems that ignore case are taken into account.
// Tested by memory_dump_test.cc.
class MemoryDumpNames {
 public:
  std::string NameFor(absl::string_view module_name);

 private:
  std::set<std::string> used_;  // in lower case
};

}  // namespace ferry

#endif  // FERRY_TOOLS_MEMORY_DUMP_H_
