// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/log_files.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/tools/output_file.h"
#include "spdlog/details/file_helper.h"
#include "spdlog/details/log_msg.h"
#include "spdlog/details/os.h"
#include "spdlog/pattern_formatter.h"

namespace ferry {
namespace {

// --- The environment

// A whole number from `low` to `high`, else `fallback` and a warning.
int64_t ReadNumber(const char* name, int64_t low, int64_t high,
                   int64_t fallback, const EnvironmentLookup& environment,
                   std::vector<std::string>& warnings) {
  const char* text = environment(name);
  if (text == nullptr || *text == '\0') return fallback;
  int64_t value = 0;
  if (absl::SimpleAtoi(text, &value) && value >= low && value <= high) {
    return value;
  }
  warnings.push_back(absl::StrCat(name, " is `", text,
                                  "`, not a whole number from ", low, " to ",
                                  high, "; using ", fallback));
  return fallback;
}

LogSeverity ReadSeverity(const char* name, LogSeverity fallback,
                         const EnvironmentLookup& environment,
                         std::vector<std::string>& warnings) {
  return static_cast<LogSeverity>(
      ReadNumber(name, static_cast<int64_t>(LogSeverity::kInfo),
                 static_cast<int64_t>(LogSeverity::kFatal),
                 static_cast<int64_t>(fallback), environment, warnings));
}

// --- The format

spdlog::level::level_enum SpdlogLevel(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::kInfo:
      return spdlog::level::info;
    case LogSeverity::kWarning:
      return spdlog::level::warn;
    case LogSeverity::kError:
      return spdlog::level::err;
    case LogSeverity::kFatal:
      return spdlog::level::critical;
  }
  return spdlog::level::info;
}

// spdlog's own letter of the highest level is C.
class SeverityLetter final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    constexpr char kLetters[] = {'I', 'I', 'I', 'W', 'E', 'F', 'F'};
    out.push_back(kLetters[message.level]);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override {
    return spdlog::details::make_unique<SeverityLetter>();
  }
};

std::unique_ptr<spdlog::pattern_formatter> MakeFormatter() {
  auto formatter = spdlog::details::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<SeverityLetter>('*').set_pattern(
      "%*%m%d %H:%M:%S.%f %7t %s:%#] %v");
  return formatter;
}

void Format(const LogRecord& record, spdlog::pattern_formatter& formatter,
            spdlog::memory_buf_t& out) {
  const spdlog::source_loc place(record.file.c_str(), record.line, "");
  spdlog::details::log_msg message(
      record.time, place, spdlog::string_view_t(), SpdlogLevel(record.severity),
      spdlog::string_view_t(record.text.data(), record.text.size()));
  message.thread_id = record.thread;
  formatter.format(message, out);
}

LogRecord RecordOf(const LogEntry& entry) {
  LogRecord record;
  record.severity = entry.severity;
  record.file = absl::StrCat(entry.site, ".cc");
  record.line = entry.line;
  record.text = std::string(entry.text);
  record.time = std::chrono::system_clock::now();
  record.thread = spdlog::details::os::thread_id();
  return record;
}

// "ferry.HOST.USER.log.INFO.20261129-223515.4903"
std::string FileStem(const std::string& program,
                     std::chrono::system_clock::time_point time) {
  char host[256] = "localhost";
  ::gethostname(host, sizeof(host) - 1);
  const passwd* user = ::getpwuid(::getuid());
  const std::tm local = spdlog::details::os::localtime(
      std::chrono::system_clock::to_time_t(time));
  char when[32];
  std::strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &local);
  return absl::StrCat(program, ".", host, ".",
                      user == nullptr ? "nobody" : user->pw_name, ".log.INFO.",
                      when, ".", ::getpid());
}

}  // namespace

LogOptions ReadLogOptions(VModule vmodule, const EnvironmentLookup& environment,
                          std::vector<std::string>& warnings) {
  LogOptions options;
  options.vmodule = std::move(vmodule);
  for (const char* name : {"TPU_VMODULE", "TF_CPP_VMODULE"}) {
    const char* text = environment(name);
    if (text == nullptr) continue;
    const absl::Status status = options.vmodule.Add(text);
    if (!status.ok()) {
      warnings.push_back(absl::StrCat(name, ": ", status.message()));
    }
  }
  const char* folder = environment("TPU_LOG_DIR");
  if (folder != nullptr && *folder != '\0') options.folder = folder;
  if (options.folder == "disabled") options.folder.clear();
  options.file_severity = ReadSeverity(
      "TPU_MIN_LOG_LEVEL", options.file_severity, environment, warnings);
  options.stderr_severity = ReadSeverity(
      "TPU_STDERR_LOG_LEVEL",
      options.vmodule.IsVerbose() ? LogSeverity::kInfo : LogSeverity::kFatal,
      environment, warnings);
  constexpr int64_t kMostMegabytes = int64_t{1} << 40;
  options.max_file_bytes =
      ReadNumber("TPU_MAX_LOG_SIZE_MB", 1, kMostMegabytes,
                 options.max_file_bytes >> 20, environment, warnings)
      << 20;
  return options;
}

LogFiles OpenLog(absl::string_view program, VModule vmodule) {
  std::vector<std::string> warnings;
  LogOptions options = ReadLogOptions(
      std::move(vmodule), [](const char* name) { return std::getenv(name); },
      warnings);
  options.program = std::string(program);
  for (const std::string& warning : warnings) {
    WriteStderr(
        absl::StrCat(program, ": warning: ", ToPrintableText(warning), "\n"));
  }
  return LogFiles(std::move(options));
}

// What the first line needs: the formatter, and the open file unless files are
// off.
class LogFiles::Files {
 public:
  Files(const LogOptions& options, std::chrono::system_clock::time_point time)
      : options_(options), formatter_(MakeFormatter()) {
    if (options_.folder.empty()) return;
    stem_ =
        absl::StrCat(options_.folder, "/", FileStem(options_.program, time));
    is_on_ = MakeFolder();
  }

  void Write(const LogRecord& record) {
    const bool to_stderr = record.severity >= options_.stderr_severity;
    const bool to_file = is_on_ && record.severity >= options_.file_severity;
    if (!to_stderr && !to_file) return;
    spdlog::memory_buf_t line;
    Format(record, *formatter_, line);
    if (to_stderr) {
      WriteStderr(ToPrintableText(absl::string_view(line.data(), line.size())));
    }
    if (to_file) WriteToFile(line);
  }

 private:
  bool MakeFolder() {
    // The last part only: a wrong path must not leave a tree of folders.
    if (::mkdir(options_.folder.c_str(), 0777) == 0 || errno == EEXIST) {
      return true;
    }
    Complain(std::strerror(errno));
    return false;
  }

  void WriteToFile(const spdlog::memory_buf_t& line) {
    // spdlog reports by exceptions; none leaves this function.
    try {
      const auto size = static_cast<int64_t>(line.size());
      if (bytes_ < 0 ||
          (bytes_ > 0 && bytes_ + size > options_.max_file_bytes)) {
        OpenNext();
      }
      file_.write(line);
      file_.flush();
      bytes_ += size;
    } catch (const spdlog::spdlog_ex& error) {
      Complain(error.what());
    }
  }

  void OpenNext() {
    std::string name = stem_;
    if (file_count_ > 0) absl::StrAppend(&name, ".", file_count_);
    ++file_count_;
    // Its own retries would make a wrong folder cost 50 ms.
    if (::access(options_.folder.c_str(), W_OK | X_OK) != 0) {
      throw spdlog::spdlog_ex(std::strerror(errno));
    }
    file_.open(name);
    bytes_ = 0;
  }

  void Complain(absl::string_view reason) {
    is_on_ = false;
    WriteStderr(absl::StrCat(options_.program, ": cannot write log files in `",
                             ToPrintableLine(options_.folder).text,
                             "`, going on without: ", reason, "\n"));
  }

  const LogOptions& options_;
  std::unique_ptr<spdlog::pattern_formatter> formatter_;
  std::string stem_;
  bool is_on_ = false;
  spdlog::details::file_helper file_;
  int64_t bytes_ = -1;  // of the open file; negative if none is open
  int file_count_ = 0;
};

LogFiles::LogFiles(LogOptions options) : options_(std::move(options)) {}
LogFiles::~LogFiles() = default;

bool LogFiles::IsOn(absl::string_view site, int level) const {
  return level <= options_.vmodule.LevelOf(site);
}

void LogFiles::Write(const LogEntry& entry) { Write(RecordOf(entry)); }

void LogFiles::Write(const LogRecord& record) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (files_ == nullptr)
    files_ = std::make_unique<Files>(options_, record.time);
  files_->Write(record);
}

void LogBuffer::Write(const LogEntry& entry) {
  records_.push_back(RecordOf(entry));
}

void LogBuffer::FlushTo(LogFiles& target) {
  for (const LogRecord& record : records_) target.Write(record);
  records_.clear();
}

std::string FormatLogRecord(const LogRecord& record) {
  spdlog::memory_buf_t line;
  Format(record, *MakeFormatter(), line);
  return std::string(line.data(), line.size());
}

}  // namespace ferry
