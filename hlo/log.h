// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LOG_H_
#define FERRY_HLO_LOG_H_

#include <string>

#include "absl/strings/string_view.h"

namespace ferry {

// Where log lines go. The library only writes to a sink; files, rotation and
// severities on stderr are the tools' business (tools/log_files.h).
//
// A site names itself as the compiler does ("host_offloader"), whatever our
// file is called, so that `--vmodule=host_offloader=1` means the same here.
//
// Tested by tools/log_files_test.cc and tests/tools/log.test.
enum class LogSeverity { kInfo, kWarning, kError, kFatal };

struct LogEntry {
  LogSeverity severity = LogSeverity::kInfo;
  absl::string_view site;  // "host_offloader", without ".cc"
  int line = 0;            // of the C++ source that logs
  absl::string_view text;  // one line, without line end
};

class LogSink {
 public:
  virtual ~LogSink() = default;
  // Whether lines of `level` (1..5) of `site` are wanted; 0 always is.
  virtual bool IsOn(absl::string_view site, int level) const = 0;
  virtual void Write(const LogEntry& entry) = 0;
};

// Lines of one site. Cheap to copy; a null sink drops everything.
class Logger {
 public:
  Logger(LogSink* sink, absl::string_view site) : sink_(sink), site_(site) {}

  bool IsOn(int level) const {
    return sink_ != nullptr && sink_->IsOn(site_, level);
  }
  void Write(LogSeverity severity, int line, absl::string_view text) const {
    if (sink_ != nullptr) sink_->Write({severity, site_, line, text});
  }

 private:
  LogSink* sink_;
  absl::string_view site_;
};

}  // namespace ferry

// Evaluates `text` only if level `n` is on for the logger's site.
#define FERRY_VLOG(logger, n, text)                                  \
  do {                                                               \
    if ((logger).IsOn(n)) {                                          \
      (logger).Write(::ferry::LogSeverity::kInfo, __LINE__, (text)); \
    }                                                                \
  } while (false)

#define FERRY_LOG_WARNING(logger, text) \
  (logger).Write(::ferry::LogSeverity::kWarning, __LINE__, (text))

#endif  // FERRY_HLO_LOG_H_
