// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Bad input ends in errors: in time and memory that grow with its size, and
// without deep recursion. Each kind is read in a process of its own, so that
// memory can be measured and a crash costs one answer.

#include "ferry/tests/fuzz/bad_input.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "ferry/tests/fuzz/hlo_properties.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsMeasured = false;
#else
constexpr bool kIsMeasured = true;
#endif

struct Use {
  int status = 0;
  double seconds = 0;  // of processor time
  int64_t peak_bytes = 0;
};

// What reading, verifying and printing of `make(bytes)` takes.
Use Measure(std::string (*make)(int64_t), int64_t bytes) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = make(bytes);
    const bool holds = CheckReadsAnything(text).ok();
    _exit(holds ? 0 : 1);
  }
  Use use;
  rusage usage;
  wait4(child, &use.status, 0, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * time.tv_usec;
  };
  use.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  use.peak_bytes = usage.ru_maxrss * int64_t{1024};
  return use;
}

class BadInputTest : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, TakesTimeAndMemoryByItsSize) {
  constexpr int64_t kBytes = 2 << 20;
  const Use none = Measure([](int64_t) { return std::string(); }, 0);
  const Use use = Measure(GetParam().make, kBytes);
  EXPECT_EQ(use.status, 0);
  if (!kIsMeasured) return;
  // Room for a slow machine; what is quadratic takes minutes. Densest is a
  // million empty tuples, one in another.
  EXPECT_LT(use.seconds, 8);
  EXPECT_LT(use.peak_bytes - none.peak_bytes, 200 * kBytes);
}

INSTANTIATE_TEST_SUITE_P(Kinds, BadInputTest, testing::ValuesIn(BadInputs()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

std::string ReadFile(const std::string& path) {
  std::stringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_FALSE(bytes.str().empty()) << path;
  return bytes.str();
}

// Every `step`-th beginning of the file reads, if only to an error.
void CheckBeginnings(const std::string& path, size_t step) {
  const std::string text = ReadFile(path);
  for (size_t size = 0; size < text.size(); size += step) {
    ASSERT_EQ(CheckReadsAnything(absl::string_view(text).substr(0, size)),
              absl::OkStatus())
        << path << ", " << size;
  }
}

TEST(CutOffInputTest, EveryBeginningOfAModuleReads) {
  CheckBeginnings("tests/hlo/print.hlo", 1);
}

TEST(CutOffInputTest, SoDoBeginningsOfADump) {
  CheckBeginnings("examples/train_step.hlo", 211);
}

}  // namespace
}  // namespace ferry
