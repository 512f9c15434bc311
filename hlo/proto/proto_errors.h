// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_PROTO_PROTO_ERRORS_H_
#define FERRY_HLO_PROTO_PROTO_ERRORS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/diagnostic.h"

namespace ferry {

// Where the errors of reading a proto go. A proto has no lines: a finding says
// which computation, instruction and field it is about.
//
//   a.pb: error: F1008: `add.1` of `main`: operand_ids: no instruction above
//   it has the id 7
//
// Functions of the reader return whether they succeeded; one that fails has
// added an error, as with ParseErrors. Tested by hlo_proto_reader_test.cc.
class ProtoErrors {
 public:
  // `diagnostics` must outlive this.
  ProtoErrors(absl::string_view file, int max_errors,
              std::vector<Diagnostic>& diagnostics)
      : file_(file), max_errors_(max_errors), diagnostics_(diagnostics) {}

  // What errors are about from now on; empty: the module.
  void SetComputation(absl::string_view name) {
    computation_ = std::string(name);
    instruction_.clear();
  }
  void SetInstruction(absl::string_view name) {
    instruction_ = std::string(name);
  }

  // Adds an error about `field`, or without one if it is empty. Returns false.
  bool Add(DiagnosticCode code, absl::string_view field,
           absl::string_view message);
  bool BadValue(absl::string_view field, absl::string_view message) {
    return Add(DiagnosticCode::kBadValue, field, message);
  }
  bool Add(absl::string_view field, const absl::Status& status);
  // A note (F1010) about something that is carried through; once for each name.
  void AddKeptUnknown(absl::string_view what, absl::string_view name);

  int count() const { return count_; }
  bool full() const { return count_ >= max_errors_; }

 private:
  DiagnosticPlace Place() const;

  const std::string file_;
  const int max_errors_;
  std::vector<Diagnostic>& diagnostics_;
  std::string computation_;
  std::string instruction_;
  absl::flat_hash_set<std::string> kept_unknown_;
  int count_ = 0;
};

}  // namespace ferry

#endif  // FERRY_HLO_PROTO_PROTO_ERRORS_H_
