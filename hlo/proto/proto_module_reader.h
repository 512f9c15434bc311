// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_MODULE_READER_H_
#define FERRY_HLO_PROTO_PROTO_MODULE_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/carried_proto.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/post_order.h"
#include "ferry/hlo/proto/proto_errors.h"
#include "ferry/hlo/proto/proto_instruction_reader.h"

namespace ferry {

namespace proto {
class HloModuleConfigProto;
class HloModuleProto;
}  // namespace proto

// Reads a serialized HloModuleProto into an empty module whose source holds its
// bytes: names stay where they are.
//
// A proto lists callees before callers and operands before users; the order
// that it means is another one. XLA goes by ids, or by the schedule, and prints
// a module without schedule in post-order from there. So instructions are made
// in the order of the list and then put in that of their ids; where that has a
// user above its operand, as in modules that passes have changed, in the
// post-order that XLA prints. Tested by hlo_proto_reader_test.cc.
class ProtoModuleReader {
 public:
  // How deep modules nest in recovery tables.
  static constexpr int kMaxDepth = 8;

  // All must outlive this.
  ProtoModuleReader(HloModule& module, ProtoErrors& errors,
                    CarriedProto& carried, bool allow_unknown, int depth = 0);
  ~ProtoModuleReader();

  // Whether there were no errors.
  bool Read(absl::string_view bytes);
  // What the module's config says, from a message of its own.
  void UseConfig(const proto::HloModuleConfigProto& config);

 private:
  // What stands in a computation besides its instructions.
  struct Computation {
    absl::string_view name;
    int64_t id = 0;
    int64_t root_id = 0;
    std::vector<absl::string_view> instructions;
    HloComputation* made = nullptr;
    // In the order of the list, with their ids; null after errors.
    std::vector<std::pair<int64_t, HloInstruction*>> ids;
    bool has_errors = false;
    bool has_plain_ids = false;  // in the order that they mean
  };

  bool Scan(absl::string_view bytes);
  void FindKeptTexts();
  bool ScanComputation(absl::string_view bytes, Computation& computation);
  bool ReadComputation(Computation& computation);
  bool ReadRoot(const Computation& computation, const ProtoInstructionIds& ids);
  bool CheckParameters(const HloComputation& computation);
  bool OrderInstructions(Computation& computation, InstructionPostOrder& walk);
  bool OrderBySchedule(Computation& computation,
                       absl::Span<const int64_t> sequence);
  void OrderComputations();
  bool ReadEntry();
  void KeepIds();

  bool ReadHeader();
  bool ReadEntryLayout();
  bool ReadAliases();
  bool ReadDonors();
  void ReadStackFrames();
  bool ReadRecoveryTable();
  bool ReadRecoveryModule(const proto::HloModuleProto& proto,
                          std::string& text);
  bool AddMetadataFields(HloInstruction& instruction,
                         absl::Span<const std::string* const> fields);
  bool AddAttribute(HloInstruction& instruction, absl::string_view attribute);
  bool BadExtension(absl::string_view text);
  bool ReadExtension();
  void AddHeader(absl::string_view name, absl::string_view text);

  HloModule& module_;
  ProtoErrors& errors_;
  CarriedProto& carried_;
  const bool allow_unknown_;
  const int depth_;
  ProtoInstructionReader instructions_;

  ShapeRules rules_ = ShapeRules::kProto;
  absl::string_view name_;
  std::vector<absl::string_view> computation_bytes_;
  std::unique_ptr<proto::HloModuleProto> rest_;
  std::vector<Computation> computations_;
  ProtoComputationIds computation_ids_;
  absl::flat_hash_set<absl::string_view> computation_names_;
  // Indices into the schedule, by computation id.
  absl::flat_hash_map<int64_t, int> sequences_;
  // Of instructions with attributes of a newer text, by computation and id.
  absl::flat_hash_map<int64_t, HloInstruction*> by_full_id_;
};

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_MODULE_READER_H_
