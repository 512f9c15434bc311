// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_OPEN_FRAMES_H_
#define FERRY_HLO_OPEN_FRAMES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/computation_parser.h"
#include "ferry/hlo/instruction_builder.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {

// The two kinds of frames of ComputationParser, for its own sources only.
// Tested by hlo_parser_test.cc.

// A computation whose `}` has not come yet.
struct ComputationParser::OpenComputation {
  absl::string_view name;
  uint64_t offset = 0;
  HloComputation* computation = nullptr;
  bool is_entry = false;
  bool has_errors = false;
  bool has_root = false;
  HloInstruction* root = nullptr;
  HloInstruction* last = nullptr;
  const Shape* declared_result = nullptr;
  uint64_t result_offset = 0;
  // Names whose definition failed: using them is no error of its own.
  absl::flat_hash_set<absl::string_view> failed;

  // Keeps the memory of the tables.
  void Reset() {
    name = {};
    offset = result_offset = 0;
    computation = nullptr;
    is_entry = has_errors = has_root = false;
    root = last = nullptr;
    declared_result = nullptr;
    failed.clear();
  }
};

// An instruction that is being read, and how far it has come.
struct ComputationParser::OpenInstruction {
  enum class Phase : uint8_t { kOperands, kAttributes, kCallees };

  InstructionDraft draft;
  Phase phase = Phase::kOperands;
  bool has_operand = false;  // a comma must come before the next one
  absl::string_view role;    // whose computations are being read
  bool is_list = false;      // {a, b}, not a alone
  int callees_read = 0;      // of that role

  // False if the attribute was seen before. Few attributes are searched in
  // order; a million of them go into a table.
  bool MarkSeen(absl::string_view name) {
    constexpr size_t kFew = 16;
    if (seen.size() < kFew) {
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) return false;
      seen.push_back(name);
      return true;
    }
    if (many_seen.empty()) many_seen.insert(seen.begin(), seen.end());
    return many_seen.insert(name).second;
  }

  llvm::SmallVector<absl::string_view, 8> seen;
  absl::flat_hash_set<absl::string_view> many_seen;
};

}  // namespace ferry

#endif  // FERRY_HLO_OPEN_FRAMES_H_
