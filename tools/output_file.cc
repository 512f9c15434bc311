// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/tools/pack.h"

namespace ferry {
namespace {

// Whether all of it went out; else errno says why not. A reader that closes
// its end of a pipe, such as `head`, has what it wants.
bool WriteAll(int file, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EPIPE;
    bytes.remove_prefix(written);
  }
  return true;
}

absl::Status CannotWrite(absl::string_view what, int error) {
  return absl::UnavailableError(
      absl::StrCat("cannot write ", what, ": ", std::strerror(error)));
}

// Files keep their permissions when they are replaced.
mode_t ModeFor(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 0777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

absl::Status WriteInPlace(const std::string& path, absl::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const std::string what = absl::StrCat("`", path, "`");
  if (file < 0) return CannotWrite(what, errno);
  const bool written = WriteAll(file, bytes);
  const int error = errno;
  const bool closed = ::close(file) == 0;
  if (!written) return CannotWrite(what, error);
  if (!closed) return CannotWrite(what, errno);
  return absl::OkStatus();
}

// A link stays one: what it points to is replaced.
std::string ResolveLinks(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

absl::Status ReplaceFile(const std::string& path, absl::string_view bytes) {
  const std::string what = absl::StrCat("`", path, "`");
  const std::string target = ResolveLinks(path);
  const std::string pattern = absl::StrCat(target, ".XXXXXX");
  std::vector<char> name(pattern.begin(), pattern.end());
  name.push_back('\0');
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) return CannotWrite(what, errno);
  bool done = WriteAll(file, bytes) && ::fchmod(file, ModeFor(target)) == 0;
  int error = errno;
  if (::close(file) != 0 && done) {
    done = false;
    error = errno;
  }
  if (done && ::rename(name.data(), target.c_str()) != 0) {
    done = false;
    error = errno;
  }
  if (done) return absl::OkStatus();
  ::unlink(name.data());
  return CannotWrite(what, error);
}

}  // namespace

absl::Status WriteOutput(const std::string& path, absl::string_view bytes) {
  if (path.empty() || path == "-") {
    if (WriteAll(STDOUT_FILENO, bytes)) return absl::OkStatus();
    return CannotWrite("to standard output", errno);
  }
  std::string packed;
  if (const Packing packing = PackingOf(path); packing != Packing::kNone) {
    absl::StatusOr<std::string> made = Pack(bytes, packing);
    if (!made.ok()) {
      return absl::UnavailableError(
          absl::StrCat("cannot write `", path, "`: ", made.status().message()));
    }
    packed = *std::move(made);
    bytes = packed;
  }
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      return CannotWrite(absl::StrCat("`", path, "`"), EISDIR);
    }
    if (!S_ISREG(status.st_mode)) return WriteInPlace(path, bytes);
  }
  return ReplaceFile(path, bytes);
}

ExitCode WriteOrComplain(const std::string& path, absl::string_view bytes) {
  const absl::Status status = WriteOutput(path, bytes);
  if (status.ok()) return ExitCode::kOk;
  Complain(DiagnosticCode::kCannotWriteFile, status.message());
  return ExitCode::kFindings;
}

void WriteStderr(absl::string_view text) { WriteAll(STDERR_FILENO, text); }

void Complain(DiagnosticCode code, absl::string_view message) {
  WriteStderr(absl::StrCat("error: ", DiagnosticId(code), ": ",
                           ToPrintableText(message), "\n"));
}

}  // namespace ferry
