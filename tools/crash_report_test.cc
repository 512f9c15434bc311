// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/crash_report.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <new>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/check.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr int kInternalError = 70;

void ThrowBadAlloc() { throw std::bad_alloc(); }

// Death tests run in a process of their own, which may crash as it likes.
class CrashReportTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = absl::StrCat(testing::TempDir(), "/crash_report_test.", ::getpid());
    std::remove(path_.c_str());
  }
  void TearDown() override { std::remove(path_.c_str()); }

  template <typename Action>
  void CrashIn(Action action) {
    InstallCrashHandlers();
    SetCrashCommand("ferry check %s");
    SetCrashFile(path_);
    const CrashInput input(*source_);
    action();
  }
  std::string Reproducer() const {
    std::ostringstream content;
    content << std::ifstream(path_).rdbuf();
    return content.str();
  }

  std::string path_;
  std::shared_ptr<const SourceText> source_ =
      SourceText::FromString("HloModule m\n", "m.hlo");
};

TEST_F(CrashReportTest, AFailedCheckLeavesAReproducer) {
  EXPECT_EXIT(CrashIn([] { FERRY_CHECK(1 + 1 == 3); }),
              testing::ExitedWithCode(kInternalError),
              "crash_report_test.cc:[0-9]+: bug in ferry: 1 . 1 == 3\n"
              "while working on m.hlo .12 bytes, 1 lines.\n"
              "to reproduce: .*\nplease send this file");
  EXPECT_EQ(Reproducer(), "// RUN: ferry check %s\nHloModule m\n");
}

TEST_F(CrashReportTest, ASignalIsABugToo) {
  EXPECT_EXIT(CrashIn([] { std::raise(SIGSEGV); }),
              testing::ExitedWithCode(kInternalError),
              "bug in ferry: Segmentation fault\nwhile working on m.hlo");
}

TEST_F(CrashReportTest, SoIsAnExceptionThatNobodyCaught) {
  EXPECT_EXIT(CrashIn([]() noexcept { ThrowBadAlloc(); }),
              testing::ExitedWithCode(kInternalError),
              "bug in ferry: out of memory\nwhile working on m.hlo");
}

TEST_F(CrashReportTest, AnInterruptSaysSoAndIsNoBug) {
  EXPECT_EXIT(
      {
        std::signal(SIGINT, SIG_DFL);
        CrashIn([] { std::raise(SIGINT); });
      },
      testing::KilledBySignal(SIGINT), "^\nferry: interrupted\n$");
}

}  // namespace
}  // namespace ferry
