// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/module_header_printer.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/module_header_attributes.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/stack_frame_parser.h"

namespace ferry {
namespace {

// The place in the list; what the list does not know comes behind.
int64_t Rank(absl::string_view name) {
  return std::find(std::begin(kModuleHeaderAttributes),
                   std::end(kModuleHeaderAttributes), name) -
         std::begin(kModuleHeaderAttributes);
}

void PrintAliases(const HloModule& module, std::string& out) {
  if (module.input_output_aliases().empty()) return;
  out += ", input_output_alias={ ";
  absl::string_view separator;
  for (const InputOutputAlias& alias : module.input_output_aliases()) {
    absl::StrAppend(&out, separator, ShapeIndexToString(alias.output_index),
                    ": (", alias.parameter_number, ", ",
                    ShapeIndexToString(alias.parameter_index), ", ",
                    alias.must_alias ? "must-alias" : "may-alias", ")");
    separator = ", ";
  }
  out += " }";
}

void PrintEntryLayout(const HloModule& module, std::string& out) {
  const EntryLayout& layout = module.entry_layout();
  if (layout.result == nullptr) return;
  out += ", entry_computation_layout={(";
  for (size_t i = 0; i < layout.parameters.size(); ++i) {
    if (i > 0) out += ", ";
    if (i > 0 && i % 5 == 0) absl::StrAppend(&out, "/*index=", i, "*/");
    out += layout.parameters[i]->ToString();
  }
  absl::StrAppend(&out, ")->", layout.result->ToString(), "}");
}

}  // namespace

void PrintModuleHeader(const HloModule& module, const StackFrames& frames,
                       const HloPrintOptions& options, std::string& out) {
  out.append(2 * options.indent, ' ');
  out += "HloModule ";
  if (options.module_and_computation_names)
    absl::StrAppend(&out, module.name());
  if (module.is_scheduled()) out += ", is_scheduled=true";
  PrintAliases(module, out);
  auto attributes = std::vector(module.header_attributes().begin(),
                                module.header_attributes().end());
  std::stable_sort(attributes.begin(), attributes.end(),
                   [](const auto& a, const auto& b) {
                     return Rank(a.first) < Rank(b.first);
                   });
  const auto layout_rank = Rank("entry_computation_layout");
  auto behind = std::find_if(
      attributes.begin(), attributes.end(),
      [&](const auto& one) { return Rank(one.first) > layout_rank; });
  for (auto one = attributes.begin(); one != behind; ++one) {
    absl::StrAppend(&out, ", ", one->first, "=", one->second);
  }
  PrintEntryLayout(module, out);
  for (auto one = behind; one != attributes.end(); ++one) {
    absl::StrAppend(&out, ", ", one->first, "=", one->second);
    if (one->first == "origin_recovery_table") out += '\n';
  }
  out += '\n';
  if (options.metadata) PrintStackFrames(frames, out);
  out += '\n';
}

}  // namespace ferry
