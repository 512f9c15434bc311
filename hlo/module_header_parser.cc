// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/module_header_parser.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/module_header_attributes.h"
#include "ferry/hlo/stack_frame_parser.h"

namespace ferry {
namespace {

bool IsKnown(absl::string_view name) {
  return std::find(std::begin(kModuleHeaderAttributes),
                   std::end(kModuleHeaderAttributes),
                   name) != std::end(kModuleHeaderAttributes);
}

// With dimensions in the order of their numbers; tiles and memory spaces stay.
const Shape& WithDescendingLayouts(const Shape& shape, HloContext& context) {
  return context.MapLeaves(
      shape, [&](int32_t, const Shape& leaf) -> const Shape& {
        if (leaf.layout() == nullptr) return leaf;
        LayoutFields fields = leaf.layout()->fields();
        std::iota(fields.minor_to_major.rbegin(), fields.minor_to_major.rend(),
                  0);
        return context.WithLayout(leaf, &context.GetLayout(fields));
      });
}

}  // namespace

bool ModuleHeaderParser::Parse() {
  if (!lexer_.ConsumeWord("HloModule")) {
    return reader_.errors.Expected(lexer_, "`HloModule`");
  }
  const absl::string_view name = lexer_.ScanName();
  if (name.empty()) {
    return reader_.errors.Expected(lexer_, "the name of the module");
  }
  module_.set_name(name);
  while (lexer_.Consume(',')) {
    if (!ParseAttribute()) return false;
  }
  StackFrames frames;
  if (!ParseStackFrames(reader_, frames)) return false;
  module_.set_stack_frames(std::move(frames));
  return true;
}

bool ModuleHeaderParser::ParseAttribute() {
  const uint64_t offset = lexer_.TokenOffset();
  const absl::string_view name = lexer_.ScanAttributeName();
  if (name.empty()) {
    return reader_.errors.Expected(lexer_, "the name of an attribute and `=`");
  }
  if (!seen_.insert(name).second) {
    return reader_.errors.Add(DiagnosticCode::kDuplicateName, offset,
                              {"attribute", std::string(name)});
  }
  if (!IsKnown(name)) {
    if (!allow_unknown_) {
      reader_.errors.Add(DiagnosticCode::kUnexpectedAttribute, offset,
                         {"HloModule", std::string(name)});
      reader_.errors.Suggest(name, kModuleHeaderAttributes);
      return false;
    }
    reader_.errors.AddKeptUnknown("module attribute", name, offset,
                                  kModuleHeaderAttributes);
  }
  std::string text;
  if (!ParseValue(name, offset, text)) {
    reader_.errors.AddNote(absl::StrCat("in the attribute `", name, "`"),
                           offset);
    return false;
  }
  if (!text.empty()) module_.AddHeaderAttribute(name, module_.SaveText(text));
  return true;
}

// `text` stays empty where the value has a field of its own, and where it is
// what a module without the attribute has.
bool ModuleHeaderParser::ParseValue(absl::string_view name, uint64_t offset,
                                    std::string& text) {
  if (name == "is_scheduled") {
    bool is_scheduled = false;
    if (!ParseBool(is_scheduled)) return false;
    module_.set_is_scheduled(is_scheduled);
    return true;
  }
  if (name == "input_output_alias") return ParseAliases();
  if (name == "buffer_donor") return ParseDonors(text);
  if (name == "entry_computation_layout") return ParseEntryLayout();
  if (name == "alias_passthrough_params") {
    bool value = false;
    if (!ParseBool(value)) return false;
    if (value) text = "true";
    has_descending_entry_layout_ |= value;
    return true;
  }
  if (name == "replica_count" || name == "num_partitions") {
    int64_t value = 1;
    if (!reader_.ReadNumber("an integer", value)) return false;
    if (value != 1) text = absl::StrCat(value);
    has_descending_entry_layout_ |= value != 1;
    return true;
  }
  absl::string_view canonical;
  if (name == "frontend_attributes") {
    if (!attributes_.ParseFrontendAttributes(canonical)) return false;
    text = std::string(canonical);
    return true;
  }
  if (name == "origin_recovery_table") return ParseRecoveryTable(text);
  if (IsKnown(name)) return ParseBools(text);
  if (!attributes_.ParseUnknown(offset, canonical)) return false;
  // It stands behind `name=`.
  text = std::string(canonical.substr(canonical.find('=') + 1));
  return true;
}

bool ModuleHeaderParser::ParseBool(bool& value) {
  value = lexer_.Peek() == 't';
  return reader_.ReadBool();
}

// true, {true,false}
bool ModuleHeaderParser::ParseBools(std::string& text) {
  bool value = false;
  text = "{";
  if (lexer_.Consume('{')) {
    while (!lexer_.Consume('}')) {
      if (text != "{") {
        if (!reader_.Expect(',', "between booleans")) return false;
        text += ',';
      }
      if (!ParseBool(value)) return false;
      text += value ? "true" : "false";
    }
  } else {
    if (!ParseBool(value)) return false;
    text += value ? "true" : "false";
  }
  text += '}';
  has_descending_entry_layout_ |= text != "{}";
  if (text == "{}" || text == "{false}") text.clear();
  return true;
}

// { {0}: (1, {}, must-alias), ... }
bool ModuleHeaderParser::ParseAliases() {
  std::vector<InputOutputAlias> aliases;
  alias_offset_ = lexer_.TokenOffset();
  if (!reader_.Expect('{', "to start aliases")) return false;
  while (!lexer_.Consume('}')) {
    InputOutputAlias& alias = aliases.emplace_back();
    if (!attributes_.ParseShapeIndex(alias.output_index) ||
        !reader_.Expect(':', "behind the output index") ||
        !reader_.Expect('(', "in front of the parameter") ||
        !reader_.ReadNumber("a parameter number", alias.parameter_number) ||
        !reader_.Expect(',', "behind the parameter number") ||
        !attributes_.ParseShapeIndex(alias.parameter_index)) {
      return false;
    }
    if (lexer_.Consume(',')) {
      alias.must_alias = lexer_.ConsumeWord("must-alias");
      if (!alias.must_alias && !lexer_.ConsumeWord("may-alias")) {
        return reader_.errors.Expected(lexer_, "`may-alias` or `must-alias`");
      }
    }
    if (!reader_.Expect(')', "at the end of an alias")) return false;
    // One may stand behind the last one.
    if (!lexer_.Consume(',') && lexer_.Peek() != '}') {
      return reader_.errors.Expected(lexer_, "`,` or `}` behind an alias");
    }
  }
  // XLA keeps them by output; the first of two for one output counts.
  std::stable_sort(aliases.begin(), aliases.end(),
                   [](const InputOutputAlias& a, const InputOutputAlias& b) {
                     return a.output_index < b.output_index;
                   });
  aliases.erase(
      std::unique(aliases.begin(), aliases.end(),
                  [](const InputOutputAlias& a, const InputOutputAlias& b) {
                    return a.output_index == b.output_index;
                  }),
      aliases.end());
  module_.set_input_output_aliases(std::move(aliases));
  return true;
}

// { (0, {}), (1, {0}) }, kept sorted and each once.
bool ModuleHeaderParser::ParseDonors(std::string& text) {
  std::set<std::pair<int64_t, ShapeIndex>> donors;
  if (!reader_.Expect('{', "to start donors")) return false;
  while (!lexer_.Consume('}')) {
    std::pair<int64_t, ShapeIndex> donor;
    if (!reader_.Expect('(', "in front of a donor: (parameter, index)")) {
      return false;
    }
    const uint64_t offset = lexer_.TokenOffset();
    if (!reader_.ReadNumber("a parameter number", donor.first) ||
        !reader_.Expect(',', "behind the parameter number") ||
        !attributes_.ParseShapeIndex(donor.second) ||
        !reader_.Expect(')', "behind a donor")) {
      return false;
    }
    if (donor.first < 0) {
      return reader_.BadValue(offset, "parameter number must be >= 0");
    }
    donors.insert(std::move(donor));
    if (!lexer_.Consume(',') && lexer_.Peek() != '}') {
      return reader_.errors.Expected(lexer_, "`,` or `}` behind a donor");
    }
  }
  for (const auto& [number, index] : donors) {
    absl::StrAppend(&text, text.empty() ? "{ (" : ", (", number, ", ",
                    ShapeIndexToString(index), ")");
  }
  if (!text.empty()) text += " }";
  return true;
}

// { {"a" {1}} : {"b"}, "a module"  {"c"} : {"d"} }
bool ModuleHeaderParser::ParseRecoveryTable(std::string& text) {
  OriginRecoveryTable table;
  if (!reader_.Expect('{', "to start a recovery table")) return false;
  while (!lexer_.Consume('}')) {
    OriginRecoveryTable::Array old_array;
    OriginRecoveryTable::Recovery recovery;
    if (!ParseOriginalArray(old_array) ||
        !reader_.Expect(':', "between an old value and a new one") ||
        !ParseOriginalArray(recovery.new_array)) {
      return false;
    }
    if (lexer_.Consume(',') && !ParseRecoveryModule(recovery.module_text)) {
      return false;
    }
    table.entries.emplace(std::move(old_array), std::move(recovery));
  }
  if (!table.entries.empty()) text = table.ToString();
  return true;
}

// {"name" {1}}, {"name"}, {}
bool ModuleHeaderParser::ParseOriginalArray(OriginRecoveryTable::Array& array) {
  if (!reader_.Expect('{', "to start an original value")) return false;
  if (lexer_.Consume('}')) return true;
  absl::string_view name;
  if (!reader_.ReadQuoted("a quoted instruction name", name)) return false;
  array.first = ReadString(name);
  if (lexer_.Peek() == '{' && !attributes_.ParseShapeIndex(array.second)) {
    return false;
  }
  return reader_.Expect('}', "at the end of an original value");
}

bool ModuleHeaderParser::ParseRecoveryModule(std::string& text) {
  const uint64_t offset = lexer_.TokenOffset();
  absl::string_view quoted;
  if (!reader_.ReadQuoted("a module in quotes", quoted)) return false;
  absl::StatusOr<std::string> printed = print_module_(ReadString(quoted));
  if (!printed.ok()) {
    return reader_.BadValue(
        offset, absl::StrCat("the module of a recovery table cannot be read: ",
                             absl::string_view(printed.status().message())));
  }
  text = *std::move(printed);
  return true;
}

// {(shape, ...)->shape}
bool ModuleHeaderParser::ParseEntryLayout() {
  EntryLayout layout;
  if (!reader_.Expect('{', "to start the entry layout") ||
      !reader_.Expect('(', "in front of the parameters")) {
    return false;
  }
  // A comma may stand behind the last one.
  while (lexer_.Peek() != ')') {
    layout.parameters.push_back(shapes_.Parse());
    if (layout.parameters.back() == nullptr) return false;
    if (!lexer_.Consume(',')) break;
  }
  if (!reader_.Expect(')', "behind the parameters")) return false;
  if (!lexer_.Consume("->")) return reader_.errors.Expected(lexer_, "`->`");
  layout.result = shapes_.Parse();
  if (layout.result == nullptr) return false;
  module_.set_entry_layout(std::move(layout));
  return reader_.Expect('}', "at the end of the entry layout");
}

bool ModuleHeaderParser::Finish() {
  if (module_.entry_layout().result == nullptr) {
    const auto layout_of = [&](const HloInstruction& instruction) {
      const Shape& shape = instruction.shape();
      return has_descending_entry_layout_
                 ? &WithDescendingLayouts(shape, module_.context())
                 : &shape;
    };
    EntryLayout layout;
    for (const HloInstruction* parameter : module_.entry().parameters()) {
      layout.parameters.push_back(layout_of(*parameter));
    }
    layout.result = layout_of(module_.entry().root());
    module_.set_entry_layout(std::move(layout));
  }
  return std::all_of(
      module_.input_output_aliases().begin(),
      module_.input_output_aliases().end(),
      [&](const InputOutputAlias& alias) { return CheckAlias(alias); });
}

// Parameters that are not there are for the verifier.
bool ModuleHeaderParser::CheckAlias(const InputOutputAlias& alias) {
  const Shape& result = module_.entry().root().shape();
  if (!result.OrdinalOf(alias.output_index).has_value()) {
    return reader_.BadValue(
        alias_offset_,
        absl::StrCat("alias at ", ShapeIndexToString(alias.output_index),
                     " which is an invalid index for shape ",
                     result.ToString(/*with_layout=*/false)));
  }
  return alias.parameter_number >= 0 ||
         reader_.BadValue(alias_offset_, absl::StrCat("alias with parameter ",
                                                      alias.parameter_number));
}

}  // namespace ferry
