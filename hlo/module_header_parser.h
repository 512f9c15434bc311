// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_MODULE_HEADER_PARSER_H_
#define FERRY_HLO_MODULE_HEADER_PARSER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/attribute_parser.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/origin_recovery_table.h"
#include "ferry/hlo/shape_parser.h"
#include "ferry/hlo/text_reader.h"

namespace ferry {

// Reads what stands in front of the first computation:
//
//   HloModule name, is_scheduled=true, input_output_alias={...}, ...
//
//   FileNames
//   1 "model.py"
//   ...
//
// Attributes are kept as XLA prints them, those with default values not at all.
// What refers to the entry's shapes can only be checked once they are known:
// Finish does that. Tested by hlo_parser_test.cc.
class ModuleHeaderParser {
 public:
  // Reads a module inside of the header and prints it as RecoveryModuleText.
  using PrintModule =
      std::function<absl::StatusOr<std::string>(std::string text)>;

  // References must outlive this.
  ModuleHeaderParser(HloModule& module, TextReader reader, ShapeParser& shapes,
                     AttributeParser& attributes, bool allow_unknown,
                     PrintModule print_module)
      : module_(module),
        reader_(reader),
        lexer_(reader.lexer),
        shapes_(shapes),
        attributes_(attributes),
        allow_unknown_(allow_unknown),
        print_module_(std::move(print_module)) {}

  // From `HloModule` to the end of the stack-frame tables.
  bool Parse();
  // When the computations are read: fills in a missing entry layout, checks
  // that aliases exist.
  bool Finish();
  // The entry layout that Finish fills in has dimensions in the order of their
  // numbers. XLA has it so for single instructions and, of modules, for those
  // whose header has replica_count, num_partitions, alias_passthrough_params
  // or allow_spmd_sharding_propagation_to_...; else it is that of the entry.
  void set_has_descending_entry_layout() {
    has_descending_entry_layout_ = true;
  }

 private:
  bool ParseAttribute();
  bool ParseValue(absl::string_view name, uint64_t offset, std::string& text);
  bool ParseBool(bool& value);
  bool ParseBools(std::string& text);
  bool ParseAliases();
  bool ParseDonors(std::string& text);
  bool ParseEntryLayout();
  bool ParseRecoveryTable(std::string& text);
  bool ParseOriginalArray(OriginRecoveryTable::Array& array);
  bool ParseRecoveryModule(std::string& text);
  bool CheckAlias(const InputOutputAlias& alias);

  HloModule& module_;
  TextReader reader_;
  HloLexer& lexer_;
  ShapeParser& shapes_;
  AttributeParser& attributes_;
  const bool allow_unknown_;
  PrintModule print_module_;
  absl::flat_hash_set<absl::string_view> seen_;
  uint64_t alias_offset_ = 0;
  bool has_descending_entry_layout_ = false;
};

}  // namespace ferry

#endif  // FERRY_HLO_MODULE_HEADER_PARSER_H_
