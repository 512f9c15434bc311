// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/log_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

LogOptions Read(const std::map<std::string, std::string>& environment,
                std::vector<std::string>& warnings, VModule vmodule = {}) {
  return ReadLogOptions(
      std::move(vmodule),
      [&](const char* name) -> const char* {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      warnings);
}

class LogFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = absl::StrCat(testing::TempDir(), "/log_files_test.", ::getpid());
    std::filesystem::remove_all(folder_);
    ::mkdir(folder_.c_str(), 0777);
    options_.folder = absl::StrCat(folder_, "/logs");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // The files' contents, by name.
  std::vector<std::string> Files() const {
    std::map<std::string, std::string> files;
    if (!std::filesystem::exists(options_.folder)) return {};
    for (const auto& entry :
         std::filesystem::directory_iterator(options_.folder)) {
      std::ostringstream content;
      content << std::ifstream(entry.path()).rdbuf();
      files[entry.path()] = content.str();
    }
    std::vector<std::string> contents;
    for (auto& [name, content] : files) contents.push_back(content);
    return contents;
  }

  std::string folder_;
  LogOptions options_;
};

TEST(LogRecordTest, LooksLikeTheCompilersLog) {
  LogRecord record;
  record.file = "host_offloader.cc";
  record.line = 192;
  record.text = "Visiting instruction: {Instr: updated.5, ShapeIndex: {}}";
  std::tm local = {};
  local.tm_year = 125;
  local.tm_mon = 10;
  local.tm_mday = 29;
  local.tm_hour = 22;
  local.tm_min = 35;
  local.tm_sec = 15;
  local.tm_isdst = -1;
  record.time = std::chrono::system_clock::from_time_t(std::mktime(&local)) +
                std::chrono::microseconds(956101);
  record.thread = 4903;
  EXPECT_EQ(FormatLogRecord(record),
            "I1129 22:35:15.956101    4903 host_offloader.cc:192] Visiting "
            "instruction: {Instr: updated.5, ShapeIndex: {}}\n");
}

TEST(LogRecordTest, NamesTheSeverityByItsLetter) {
  LogRecord record;
  for (const auto& [severity, letter] : {std::pair(LogSeverity::kInfo, 'I'),
                                         std::pair(LogSeverity::kWarning, 'W'),
                                         std::pair(LogSeverity::kError, 'E'),
                                         std::pair(LogSeverity::kFatal, 'F')}) {
    record.severity = severity;
    EXPECT_EQ(FormatLogRecord(record)[0], letter);
  }
}

TEST(LogOptionsTest, HasTheRuntimesDefaults) {
  std::vector<std::string> warnings;
  const LogOptions options = Read({}, warnings);
  EXPECT_EQ(options.folder, "/tmp/tpu_logs");
  EXPECT_EQ(options.file_severity, LogSeverity::kInfo);
  EXPECT_EQ(options.stderr_severity, LogSeverity::kFatal);
  EXPECT_EQ(options.max_file_bytes, int64_t{1} << 30);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(LogOptionsTest, ReadsTheEnvironment) {
  std::vector<std::string> warnings;
  const LogOptions options = Read({{"TPU_LOG_DIR", "/logs"},
                                   {"TPU_MIN_LOG_LEVEL", "1"},
                                   {"TPU_STDERR_LOG_LEVEL", "2"},
                                   {"TPU_MAX_LOG_SIZE_MB", "3"},
                                   {"TPU_VMODULE", "a=1"},
                                   {"TF_CPP_VMODULE", "a=2,b=2"}},
                                  warnings);
  EXPECT_EQ(options.folder, "/logs");
  EXPECT_EQ(options.file_severity, LogSeverity::kWarning);
  EXPECT_EQ(options.stderr_severity, LogSeverity::kError);
  EXPECT_EQ(options.max_file_bytes, 3 << 20);
  EXPECT_EQ(options.vmodule.LevelOf("a"), 1);
  EXPECT_EQ(options.vmodule.LevelOf("b"), 2);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(LogOptionsTest, WhoAsksForLinesSeesThem) {
  std::vector<std::string> warnings;
  EXPECT_EQ(Read({{"TPU_VMODULE", "a=1"}}, warnings).stderr_severity,
            LogSeverity::kInfo);
  EXPECT_EQ(
      Read({{"TPU_VMODULE", "a=1"}, {"TPU_STDERR_LOG_LEVEL", "3"}}, warnings)
          .stderr_severity,
      LogSeverity::kFatal);
}

TEST(LogOptionsTest, BadValuesKeepTheDefaultAndWarn) {
  std::vector<std::string> warnings;
  const LogOptions options = Read({{"TPU_MIN_LOG_LEVEL", "INFO"},
                                   {"TPU_STDERR_LOG_LEVEL", "4"},
                                   {"TPU_MAX_LOG_SIZE_MB", "0"},
                                   {"TPU_VMODULE", "oops"}},
                                  warnings);
  EXPECT_EQ(options.file_severity, LogSeverity::kInfo);
  EXPECT_EQ(options.stderr_severity, LogSeverity::kFatal);
  EXPECT_EQ(options.max_file_bytes, int64_t{1} << 30);
  EXPECT_THAT(
      warnings,
      ElementsAre("TPU_VMODULE: `oops` is no PATTERN=LEVEL",
                  HasSubstr("TPU_MIN_LOG_LEVEL is `INFO`, not a whole number"),
                  HasSubstr("TPU_STDERR_LOG_LEVEL is `4`"),
                  HasSubstr("TPU_MAX_LOG_SIZE_MB is `0`")));
}

TEST_F(LogFilesTest, NothingIsOpenedBeforeTheFirstLine) {
  {
    LogFiles log(options_);
  }
  EXPECT_FALSE(std::filesystem::exists(options_.folder));
}

TEST_F(LogFilesTest, MakesTheLastPartOfTheFolder) {
  LogFiles log(options_);
  log.Write(LogEntry{LogSeverity::kInfo, "host_offloader", 7, "hello"});
  EXPECT_THAT(
      Files(),
      ElementsAre(MatchesRegex("I.* +[0-9]+ host_offloader.cc:7\\] hello\n")));
}

TEST_F(LogFilesTest, MakesNoOtherPartAndComplainsOnce) {
  options_.folder = absl::StrCat(folder_, "/missing/logs");
  LogFiles log(options_);
  testing::internal::CaptureStderr();
  log.Write(LogEntry{LogSeverity::kInfo, "a", 1, "hello"});
  log.Write(LogEntry{LogSeverity::kInfo, "a", 1, "hello"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            absl::StrCat("ferry: cannot write log files in `", options_.folder,
                         "`, going on without: No such file or directory\n"));
  EXPECT_FALSE(std::filesystem::exists(absl::StrCat(folder_, "/missing")));
}

TEST_F(LogFilesTest, KeepsLowSeveritiesOutOfFiles) {
  options_.file_severity = LogSeverity::kWarning;
  LogFiles log(options_);
  log.Write(LogEntry{LogSeverity::kInfo, "a", 1, "quiet"});
  log.Write(LogEntry{LogSeverity::kWarning, "a", 1, "loud"});
  EXPECT_THAT(Files(), ElementsAre(HasSubstr("loud")));
}

TEST_F(LogFilesTest, CopiesToStderrFromItsSeverityOn) {
  options_.stderr_severity = LogSeverity::kError;
  LogFiles log(options_);
  testing::internal::CaptureStderr();
  log.Write(LogEntry{LogSeverity::kWarning, "a", 1, "quiet"});
  log.Write(LogEntry{LogSeverity::kError, "a", 1, "loud"});
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              MatchesRegex("E.*a.cc:1\\] loud\n"));
}

TEST_F(LogFilesTest, BeginsANewFileAtTheLimit) {
  options_.max_file_bytes = 100;
  LogFiles log(options_);
  const std::string text(50, 'x');
  for (int i = 0; i < 3; ++i) {
    log.Write(LogEntry{LogSeverity::kInfo, "a", 1, text});
  }
  EXPECT_EQ(Files().size(), 3u);
}

TEST_F(LogFilesTest, ABufferKeepsItsLinesTogether) {
  LogFiles log(options_);
  LogBuffer one(log);
  LogBuffer two(log);
  one.Write(LogEntry{LogSeverity::kInfo, "a", 1, "one"});
  two.Write(LogEntry{LogSeverity::kInfo, "a", 1, "two"});
  one.Write(LogEntry{LogSeverity::kInfo, "a", 1, "one again"});
  one.FlushTo(log);
  two.FlushTo(log);
  EXPECT_THAT(
      Files(),
      ElementsAre(MatchesRegex("[^\n]*one\n[^\n]*one again\n[^\n]*two\n")));
}

}  // namespace
}  // namespace ferry
