// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_MODULE_WRITER_H_
#define FERRY_HLO_PROTO_PROTO_MODULE_WRITER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/proto/proto_ids.h"
#include "ferry/hlo/proto/proto_instruction_writer.h"

namespace ferry {

namespace proto {
class HloModuleConfigProto;
class HloModuleProto;
class ProgramShapeProto;
}  // namespace proto

// Writes a module as a serialized HloModuleProto: the inverse of
// ProtoModuleReader, with computations and instructions in the order in which
// XLA lists them. Tested by hlo_proto_roundtrip_test.cc.
class ProtoModuleWriter {
 public:
  // `with_config`: whether what text says and only a config has goes into our
  // own field; else it is for the caller to take from config().
  ProtoModuleWriter(const HloModule& module, bool with_config);
  ~ProtoModuleWriter();

  absl::Status Append(std::string& out);
  // What the header's attributes say of the config; without fields if trivial.
  const proto::HloModuleConfigProto& config() const { return *config_; }

 private:
  absl::Status AppendComputations(std::string& out);
  absl::Status AppendComputation(const HloComputation& computation,
                                 std::string& out);
  absl::Status SetHeader();
  absl::Status SetHeaderAttribute(absl::string_view name,
                                  absl::string_view value);
  absl::Status SetEntryLayout();
  void SetSchedule();
  void SetAliases();
  void SetStackFrames();
  absl::Status SetRecoveryTable(absl::string_view text);
  void SetUnknownAttributes();
  bool NeedsTextRules() const;

  const HloModule& module_;
  const CarriedProto* carried_;
  const bool with_config_;
  ProtoIds ids_;
  ProtoInstructionWriter instructions_;
  std::unique_ptr<proto::HloModuleProto> rest_;
  std::unique_ptr<proto::HloModuleConfigProto> config_;
};

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_MODULE_WRITER_H_
