// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_LOG_FILES_H_
#define FERRY_TOOLS_LOG_FILES_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ferry/hlo/log.h"
#include "ferry/tools/vmodule.h"

namespace ferry {

// Where log lines end up, with the names and meanings of the TPU runtime:
//
//   TPU_LOG_DIR            folder of log files, default /tmp/tpu_logs. Its last
//                          part is made if missing. `disabled`: no files
//   TPU_MIN_LOG_LEVEL      lowest severity that goes to files: 0 INFO (the
//                          default), 1 WARNING, 2 ERROR, 3 FATAL
//   TPU_STDERR_LOG_LEVEL   lowest severity that goes to stderr as well, default
//                          3; 0 when somebody asks for more lines by --v,
//                          --vmodule or one of the next two
//   TPU_MAX_LOG_SIZE_MB    a new file begins at about this size, default 1024
//   TPU_VMODULE, TF_CPP_VMODULE   as --vmodule, behind it
struct LogOptions {
  VModule vmodule;
  std::string folder = "/tmp/tpu_logs";
  LogSeverity file_severity = LogSeverity::kInfo;
  LogSeverity stderr_severity = LogSeverity::kFatal;
  int64_t max_file_bytes = int64_t{1024} << 20;
  // First part of the names of files.
  std::string program = "ferry";
};

// From the environment, behind the patterns of the command line. A value that
// is none keeps the default and adds a line to `warnings`.
using EnvironmentLookup = std::function<const char*(const char*)>;
LogOptions ReadLogOptions(VModule vmodule, const EnvironmentLookup& environment,
                          std::vector<std::string>& warnings);

class LogFiles;

// The log of one run of `program`, by its flags and the environment; says on
// stderr what it could not make sense of.
LogFiles OpenLog(absl::string_view program, VModule vmodule);

// One line, with all that its prefix says.
struct LogRecord {
  LogSeverity severity = LogSeverity::kInfo;
  std::string file;  // "host_offloader.cc"
  int line = 0;
  std::string text;
  std::chrono::system_clock::time_point time;
  size_t thread = 0;
};

// Writes lines to stderr and to files, in the format of the compiler's log:
//
//   I1129 22:35:15.956101    4903 host_offloader.cc:192] Visiting ...
//
// Nothing is opened before the first line. When a file cannot be written, one
// message goes to stderr and the run goes on without files. Thread-safe.
// Tested by log_files_test.cc and tests/tools/log.test.
class LogFiles final : public LogSink {
 public:
  explicit LogFiles(LogOptions options);
  ~LogFiles() override;

  bool IsOn(absl::string_view site, int level) const override;
  void Write(const LogEntry& entry) override;
  void Write(const LogRecord& record);

 private:
  class Files;

  LogOptions options_;
  std::mutex mutex_;
  std::unique_ptr<Files> files_;  // null before the first line
};

// Keeps the lines of one input until it is that input's turn, so that inputs
// worked on at the same time do not mix. For one thread at a time.
class LogBuffer final : public LogSink {
 public:
  explicit LogBuffer(const LogFiles& target) : target_(target) {}

  bool IsOn(absl::string_view site, int level) const override {
    return target_.IsOn(site, level);
  }
  void Write(const LogEntry& entry) override;
  void FlushTo(LogFiles& target);

 private:
  const LogFiles& target_;
  std::vector<LogRecord> records_;
};

// "I1129 22:35:15.956101    4903 host_offloader.cc:192] text" and a line end;
// the time is local.
std::string FormatLogRecord(const LogRecord& record);

}  // namespace ferry

#endif  // FERRY_TOOLS_LOG_FILES_H_
