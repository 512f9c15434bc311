// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ORIGIN_RECOVERY_TABLE_H_
#define FERRY_HLO_ORIGIN_RECOVERY_TABLE_H_

#include <map>
#include <string>
#include <utility>

#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/shape_index.h"

namespace ferry {

// How to compute an original value that is gone from one that is still there:
// the header's `origin_recovery_table`.
//
//   {                         old value : new value
//     {"a" {1}} : {"b"},      with a module that computes one from the other
//     "
//       HloModule recovery, ...
//     "
//     {"c"} : {"d" {0,1}}     or without: they are the same
//   }
//
// XLA sorts entries by their old value and keeps the first of equal ones.
// Tested by hlo_parser_test.cc.
struct OriginRecoveryTable {
  // An instruction of the program before optimisation, and an element of it.
  using Array = std::pair<std::string, ShapeIndex>;
  struct Recovery {
    Array new_array;
    std::string module_text;  // as RecoveryModuleText gives it; may be empty
  };
  std::map<Array, Recovery> entries;

  // As printed. Names and modules stand as they are, without escapes, so some
  // tables cannot be read again.
  std::string ToString() const;
};

// The module of an entry as the table prints it: the default print, indented.
std::string RecoveryModuleText(const HloModule& module);

}  // namespace ferry

#endif  // FERRY_HLO_ORIGIN_RECOVERY_TABLE_H_
