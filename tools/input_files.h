// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_INPUT_FILES_H_
#define FERRY_TOOLS_INPUT_FILES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/source_text.h"

namespace ferry {

// One input of a run, before it is read.
struct InputFile {
  std::string path;  // "-" is standard input
  // Why there is nothing to read, if so.
  absl::Status status;
};

struct InputList {
  std::vector<InputFile> files;
  // Several arguments, or a folder: answers come as a list, even if short.
  bool is_list = false;
};

// The files that the arguments stand for, in their order. A folder stands for
// the HLO files in it and below, sorted by path: *.hlo, *.hlo.pb, *.hlo.pbtxt,
// each with .gz or .zst behind it too, and those *.txt that begin as HLO does (the compiler's dumps; its reports
// have the same ending). Pipes and devices in a folder are passed over. A
// folder without any HLO is one entry with a status.
InputList ListInputs(absl::Span<const std::string> arguments);

// Reads the file, unpacked if it is gzip or zstd (told by its first bytes).
// The SourceText's codes; ResourceExhausted for a packed file of more than kMaxUnpackedBytes, or a pipe or device that gives
// more than kMaxStreamBytes; DataLoss for a damaged packed file.
//
// Tested by input_files_test.cc.
inline constexpr size_t kMaxUnpackedBytes = size_t{1} << 30;
inline constexpr size_t kMaxStreamBytes = size_t{1} << 30;
absl::StatusOr<std::shared_ptr<const SourceText>> ReadInput(
    const std::string& path);

// How the bytes are packed, by their content.
enum class InputForm { kPlain, kGzip, kZstd };
InputForm InputFormOf(absl::string_view bytes);

}  // namespace ferry

#endif  // FERRY_TOOLS_INPUT_FILES_H_
