// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_SOURCE_TEXT_H_
#define FERRY_HLO_SOURCE_TEXT_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace llvm {
class MemoryBuffer;
}  // namespace llvm

namespace ferry {

// The bytes that a module was read from, with the name to show for them. Names
// and attributes of the module are views into it. Immutable.
// Tested by source_text_test.cc.
class SourceText {
 public:
  // Maps the file ("-" reads standard input). NotFound, PermissionDenied or
  // FailedPrecondition (a folder), with a message for people.
  static absl::StatusOr<std::shared_ptr<const SourceText>> FromFile(
      const std::string& path);
  static std::shared_ptr<const SourceText> FromString(std::string text,
                                                      std::string name);
  ~SourceText();

  absl::string_view name() const { return name_; }
  absl::string_view text() const { return text_; }

  // Counted from 1; columns are bytes. The line table is built on first use.
  struct Place {
    int64_t line = 0;
    int64_t column = 0;
  };
  Place PlaceOf(uint64_t offset) const;
  // The bytes of a line, without its end.
  absl::string_view Line(int64_t line) const;

 private:
  SourceText();
  const std::vector<uint64_t>& line_starts() const;

  std::string name_;
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  absl::string_view text_;
  mutable std::once_flag line_starts_once_;
  mutable std::vector<uint64_t> line_starts_;
};

}  // namespace ferry

#endif  // FERRY_HLO_SOURCE_TEXT_H_
