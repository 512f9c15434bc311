// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/crash_report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/check.h"
#include "ferry/tools/exit_code.h"

// A handler may run inside a broken allocator, so it allocates nothing: texts
// are kept ready in static buffers and written piece by piece.

namespace ferry {
namespace {

constexpr size_t kMaxText = 4096;
std::array<char, kMaxText> crash_command;
std::array<char, kMaxText> crash_file;
std::array<char, kMaxText> crash_folder;

thread_local const SourceText* crash_input = nullptr;

void SetText(std::array<char, kMaxText>& target, absl::string_view text) {
  text = text.substr(0, target.size() - 1);
  *std::copy(text.begin(), text.end(), target.begin()) = '\0';
}

// A piece of a message or file, without allocation.
class Piece {
 public:
  explicit Piece(int file) : file_(file) {}
  Piece& operator<<(absl::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written <= 0) break;
      text.remove_prefix(written);
    }
    return *this;
  }
  Piece& operator<<(uint64_t number) {
    std::array<char, 20> digits;
    size_t at = digits.size();
    do {
      digits[--at] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    return *this << absl::string_view(&digits[at], digits.size() - at);
  }
  // Text of others, for a terminal: plain ASCII, `?` for the rest.
  void Harmless(absl::string_view text) {
    for (char c : text.substr(0, kMaxText)) {
      *this << (absl::ascii_isprint(c) ? absl::string_view(&c, 1) : "?");
    }
  }

 private:
  int file_;
};

// What a reproducer consists of.
std::array<absl::string_view, 4> ReproducerParts(absl::string_view command,
                                                 absl::string_view text) {
  return {"// RUN: ", command, "\n", text};
}

// The open file, or -1; its path stands in crash_file then.
int OpenCrashFile() {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_CLOEXEC;
  if (crash_file[0] != '\0') {
    return ::open(crash_file.data(), kFlags | O_TRUNC, 0666);
  }
  // FOLDER/ferry-crash-PID.hlo, written by hand.
  std::array<char, 24> digits;
  size_t at = digits.size();
  digits[--at] = '\0';
  for (auto pid = static_cast<uint64_t>(::getpid()); pid != 0; pid /= 10) {
    digits[--at] = static_cast<char>('0' + pid % 10);
  }
  char* end = crash_file.data();
  const std::array<const char*, 4> parts = {
      crash_folder.data(), "/ferry-crash-", &digits[at], ".hlo"};
  for (const char* part : parts) {
    const size_t size = std::strlen(part);
    if (end + size >= crash_file.data() + crash_file.size()) return -1;
    end = std::copy(part, part + size, end);
  }
  *end = '\0';
  // Whoever put a file of this name there did not do it for us.
  return ::open(crash_file.data(), kFlags | O_EXCL, 0600);
}

void WriteCrashFile() {
  const absl::string_view text = crash_input->text();
  Piece err(STDERR_FILENO);
  err << "while working on ";
  err.Harmless(crash_input->name());
  err << " (" << uint64_t{text.size()} << " bytes, "
      << static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'))
      << " lines)\n";
  const int file = OpenCrashFile();
  if (file < 0) {
    err << "no file to reproduce it could be written\n";
    return;
  }
  Piece out(file);
  for (absl::string_view part : ReproducerParts(crash_command.data(), text)) {
    out << part;
  }
  ::close(file);
  err << "to reproduce: ";
  err.Harmless(crash_file.data());
  err << "\nplease send this file to the developers of ferry\n";
}

[[noreturn]] void EndWithReport() {
  // One thread reports; another that fails meanwhile, or this one again while
  // it reports, must not.
  static std::atomic<bool> is_reporting = false;
  if (is_reporting.exchange(true)) {
    ::_exit(static_cast<int>(ExitCode::kInternalError));
  }
  if (crash_input != nullptr) WriteCrashFile();
  ::_exit(static_cast<int>(ExitCode::kInternalError));
}

void OnCheckFailure(absl::string_view file, int line, absl::string_view what) {
  Piece(STDERR_FILENO) << file << ":" << static_cast<uint64_t>(line)
                       << ": bug in ferry: " << what << "\n";
  EndWithReport();
}

void OnSignal(int signal) {
  Piece(STDERR_FILENO) << "bug in ferry: " << ::strsignal(signal) << "\n";
  EndWithReport();
}

void OnTerminate() {
  const char* what = "an exception that nobody caught";
  try {
    if (std::current_exception() != nullptr)
      std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    what = "out of memory";
  } catch (...) {
  }
  Piece(STDERR_FILENO) << "bug in ferry: " << what << "\n";
  EndWithReport();
}

// Ends as the signal does, so that a shell sees what happened.
void OnInterrupt(int signal) {
  Piece(STDERR_FILENO) << "\nferry: interrupted\n";
  ::raise(signal);
}

// A signal handler needs a stack of its own when the stack is what ran out.
void UseOwnSignalStack() {
  constexpr size_t kBytes = 64 << 10;
  thread_local std::array<char, kBytes> bytes;
  stack_t stack = {};
  stack.ss_sp = bytes.data();
  stack.ss_size = bytes.size();
  ::sigaltstack(&stack, nullptr);
}

}  // namespace

void InstallCrashHandlers() {
  const char* folder = std::getenv("TMPDIR");
  SetText(crash_folder, folder != nullptr && *folder != '\0' ? folder : "/tmp");
  SetCheckFailureHandler(OnCheckFailure);
  std::set_terminate(OnTerminate);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    ::sigaction(signal, &action, nullptr);
  }
  // Ctrl-C, unless whoever started the program wants it ignored.
  struct sigaction interrupt = {};
  ::sigaction(SIGINT, nullptr, &interrupt);
  if (interrupt.sa_handler != SIG_IGN) {
    interrupt = {};
    interrupt.sa_handler = OnInterrupt;
    interrupt.sa_flags = SA_RESETHAND;
    ::sigaction(SIGINT, &interrupt, nullptr);
  }
  // A reader that went away is an error of write(), not a reason to die.
  ::signal(SIGPIPE, SIG_IGN);
  // Nor is a file that grew as large as `ulimit -f` lets it.
  ::signal(SIGXFSZ, SIG_IGN);
}

void SetCrashCommand(absl::string_view command) {
  SetText(crash_command, command);
}

void SetCrashFile(absl::string_view path) { SetText(crash_file, path); }

CrashInput::CrashInput(const SourceText& source) {
  UseOwnSignalStack();
  crash_input = &source;
}

CrashInput::~CrashInput() { crash_input = nullptr; }

std::string MakeReproducer(absl::string_view command, absl::string_view text) {
  return absl::StrJoin(ReproducerParts(command, text), "");
}

}  // namespace ferry
