// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/input_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/proto/hlo_form.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/tools/unpack.h"
#include "llvm/Support/FileSystem.h"

namespace ferry {
namespace {

// --- Folders

// Of a dump's text files only some are HLO.
bool FileIsHloText(const std::string& path) {
  constexpr size_t kEnough = 4096;
  llvm::Expected<llvm::sys::fs::file_t> file =
      llvm::sys::fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  char bytes[kEnough];
  llvm::Expected<size_t> count = llvm::sys::fs::readNativeFile(
      *file, llvm::MutableArrayRef<char>(bytes, kEnough));
  llvm::sys::fs::closeFile(*file);
  if (!count) {
    llvm::consumeError(count.takeError());
    return false;
  }
  return absl::StartsWith(SkipBlankHlo(absl::string_view(bytes, *count)),
                          "HloModule");
}

// Folders, devices and pipes, behind links too. What cannot be looked at is
// none of them: reading it will say why.
bool IsNoFile(const std::string& path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) &&
         !llvm::sys::fs::is_regular_file(status);
}

bool StandsForHlo(const std::string& path) {
  absl::string_view name = path;
  if (!absl::ConsumeSuffix(&name, ".gz")) absl::ConsumeSuffix(&name, ".zst");
  for (absl::string_view ending : {".hlo", ".hlo.pb", ".hlo.pbtxt"}) {
    if (absl::EndsWith(name, ending)) return true;
  }
  return absl::EndsWith(path, ".txt") && FileIsHloText(path);
}

void ListFolder(const std::string& folder, std::vector<InputFile>& files) {
  std::vector<std::string> found;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator
           entry(folder, error, /*follow_symlinks=*/false),
       end;
       !error && entry != end; entry.increment(error)) {
    const std::string& path = entry->path();
    if (!IsNoFile(path) && StandsForHlo(path)) {
      found.push_back(path);
    }
  }
  if (error) {
    files.push_back({folder, absl::UnavailableError(absl::StrCat(
                                 "cannot list the folder `", folder,
                                 "`: ", error.message()))});
    return;
  }
  if (found.empty()) {
    files.push_back(
        {folder,
         absl::NotFoundError(absl::StrCat(
             "the folder `", folder,
             "` holds no HLO; looked for *.hlo, *.hlo.pb and *.hlo.pbtxt, also "
             "with .gz or .zst, and for *.txt that begin with HloModule"))});
    return;
  }
  std::sort(found.begin(), found.end());
  for (std::string& path : found) {
    files.push_back({std::move(path), absl::OkStatus()});
  }
}

// --- Pipes and devices

// Nothing tells how long they are, and /dev/zero has no end.
absl::StatusOr<std::shared_ptr<const SourceText>> ReadStream(
    int file, const std::string& name) {
  const std::string cannot = absl::StrCat("cannot read `", name, "`: ");
  std::string text;
  try {
    constexpr size_t kStep = size_t{1} << 16;
    while (true) {
      const size_t size = text.size();
      text.resize(size + kStep);
      const ssize_t count = ::read(file, &text[size], kStep);
      if (count < 0 && errno != EINTR) {
        return absl::UnavailableError(
            absl::StrCat(cannot, std::strerror(errno)));
      }
      text.resize(size + std::max<ssize_t>(count, 0));
      if (count == 0) return SourceText::FromString(std::move(text), name);
      if (text.size() > kMaxStreamBytes) {
        return absl::ResourceExhaustedError(
            absl::StrCat(cannot, "it is no file, and more than ",
                         kMaxStreamBytes, " bytes come from it"));
      }
    }
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat(
        cannot, "it is no file, and what comes from it fills the memory"));
  }
}

// Files are mapped, whatever their size.
absl::StatusOr<std::shared_ptr<const SourceText>> ReadAny(
    const std::string& path) {
  const bool is_stdin = path == "-";
  struct stat status;
  const int failed =
      is_stdin ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  if (failed != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) {
    return SourceText::FromFile(path);
  }
  if (is_stdin) return ReadStream(STDIN_FILENO, "<stdin>");
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return SourceText::FromFile(path);  // says why
  absl::StatusOr<std::shared_ptr<const SourceText>> source =
      ReadStream(file, path);
  ::close(file);
  return source;
}

}  // namespace

InputList ListInputs(absl::Span<const std::string> arguments) {
  InputList inputs;
  inputs.is_list = arguments.size() > 1;
  for (const std::string& argument : arguments) {
    if (argument != "-" && llvm::sys::fs::is_directory(argument)) {
      inputs.is_list = true;
      ListFolder(argument, inputs.files);
    } else {
      inputs.files.push_back({argument, absl::OkStatus()});
    }
  }
  return inputs;
}

InputForm InputFormOf(absl::string_view bytes) {
  if (absl::StartsWith(bytes, "\x1f\x8b")) return InputForm::kGzip;
  if (absl::StartsWith(bytes, "\x28\xb5\x2f\xfd")) return InputForm::kZstd;
  return InputForm::kPlain;
}

absl::StatusOr<std::shared_ptr<const SourceText>> ReadInput(
    const std::string& path) {
  FERRY_ASSIGN_OR_RETURN(std::shared_ptr<const SourceText> source,
                         ReadAny(path));
  const InputForm form = InputFormOf(source->text());
  if (form == InputForm::kPlain) return source;
  absl::StatusOr<std::string> text =
      form == InputForm::kGzip ? UnpackGzip(source->text(), kMaxUnpackedBytes)
                               : UnpackZstd(source->text(), kMaxUnpackedBytes);
  if (!text.ok()) {
    return absl::Status(text.status().code(),
                        absl::StrCat("cannot read `", source->name(),
                                     "`: ", text.status().message()));
  }
  return SourceText::FromString(*std::move(text), std::string(source->name()));
}

}  // namespace ferry
