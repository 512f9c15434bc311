// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/origin_recovery_table.h"

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_print_options.h"
#include "ferry/hlo/hlo_printer.h"

namespace ferry {
namespace {

std::string ToText(const OriginRecoveryTable::Array& array) {
  const auto& [name, index] = array;
  return absl::StrCat("{\"", name, "\"",
                      index.empty() ? "" : " " + ShapeIndexToString(index),
                      "}");
}

}  // namespace

std::string OriginRecoveryTable::ToString() const {
  std::string text = "{\n";
  for (const auto& [old_array, recovery] : entries) {
    absl::StrAppend(&text, "  ", ToText(old_array), " : ",
                    ToText(recovery.new_array));
    if (!recovery.module_text.empty()) {
      absl::StrAppend(&text, ",\n  \"\n", recovery.module_text, "\n  \"");
    }
    text += '\n';
  }
  return text + "}";
}

std::string RecoveryModuleText(const HloModule& module) {
  HloPrintOptions options = HloPrintOptions::Default();
  options.indent = 2;
  return HloToString(module, options);
}

}  // namespace ferry
