// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/source_text.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/string_ref.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ferry {
namespace {

// What went wrong, in the words of people and with the status of the header.
absl::Status CannotRead(absl::string_view path, std::error_code error) {
  const std::string cannot = absl::StrCat("cannot read `", path, "`: ");
  if (error == std::errc::no_such_file_or_directory) {
    return absl::NotFoundError(absl::StrCat(cannot, "there is no such file"));
  }
  if (error == std::errc::not_a_directory) {
    return absl::NotFoundError(
        absl::StrCat(cannot, "a part of the path is a file, not a folder"));
  }
  if (error == std::errc::permission_denied ||
      error == std::errc::operation_not_permitted) {
    return absl::PermissionDeniedError(
        absl::StrCat(cannot, "no permission to read it"));
  }
  if (error == std::errc::is_a_directory) {
    return absl::FailedPreconditionError(
        absl::StrCat(cannot, "it is a folder"));
  }
  if (error == std::errc::not_enough_memory ||
      error == std::errc::too_many_files_open ||
      error == std::errc::too_many_files_open_in_system) {
    return absl::ResourceExhaustedError(absl::StrCat(cannot, error.message()));
  }
  return absl::UnavailableError(absl::StrCat(cannot, error.message()));
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> Open(
    const std::string& path) {
  if (path == "-") return llvm::MemoryBuffer::getSTDIN();
  // Opening a folder succeeds on some systems, and reading it then fails with
  // an error that names no folder.
  if (llvm::sys::fs::is_directory(path)) {
    return std::make_error_code(std::errc::is_a_directory);
  }
  // Nothing here needs a zero behind the text, so that large files are mapped
  // and not copied, whatever their size.
  return llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
}

}  // namespace

SourceText::SourceText() = default;
SourceText::~SourceText() = default;

absl::StatusOr<std::shared_ptr<const SourceText>> SourceText::FromFile(
    const std::string& path) {
  auto buffer = Open(path);
  if (!buffer) return CannotRead(path, buffer.getError());
  std::shared_ptr<SourceText> source(new SourceText());
  source->name_ = path == "-" ? "<stdin>" : path;
  source->buffer_ = std::move(*buffer);
  source->text_ = ToStringView(source->buffer_->getBuffer());
  return source;
}

std::shared_ptr<const SourceText> SourceText::FromString(std::string text,
                                                         std::string name) {
  std::shared_ptr<SourceText> source(new SourceText());
  source->name_ = std::move(name);
  source->buffer_ = llvm::MemoryBuffer::getMemBufferCopy(text);
  source->text_ = ToStringView(source->buffer_->getBuffer());
  return source;
}

const std::vector<uint64_t>& SourceText::line_starts() const {
  std::call_once(line_starts_once_, [this] {
    line_starts_.push_back(0);
    for (size_t end = text_.find('\n'); end != absl::string_view::npos;
         end = text_.find('\n', end + 1)) {
      line_starts_.push_back(end + 1);
    }
  });
  return line_starts_;
}

SourceText::Place SourceText::PlaceOf(uint64_t offset) const {
  const std::vector<uint64_t>& starts = line_starts();
  offset = std::min<uint64_t>(offset, text_.size());
  const auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  const int64_t line = after - starts.begin();
  return {line, static_cast<int64_t>(offset - starts[line - 1]) + 1};
}

absl::string_view SourceText::Line(int64_t line) const {
  const std::vector<uint64_t>& starts = line_starts();
  if (line < 1 || line > static_cast<int64_t>(starts.size())) return "";
  absl::string_view text = text_.substr(starts[line - 1]);
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

}  // namespace ferry
