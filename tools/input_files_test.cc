// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/input_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class InputFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        absl::StrCat(testing::TempDir(), "/input_files_test.", ::getpid());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/sub");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Make(const std::string& name, absl::string_view content) const {
    std::ofstream(absl::StrCat(folder_, "/", name)) << content;
  }
  std::vector<std::string> Paths(const InputList& list) const {
    std::vector<std::string> paths;
    for (const InputFile& file : list.files) {
      paths.push_back(file.path.substr(folder_.size()));
    }
    return paths;
  }

  std::string folder_;
};

TEST_F(InputFilesTest, AFolderStandsForItsHloFilesSorted) {
  Make("b.hlo", "");
  Make("a.hlo.gz", "");
  Make("sub/c.hlo.zst", "");
  Make("module_0001.jit_f.before_optimizations.txt", "// c\nHloModule jit_f");
  Make("module_0001.jit_f.memory-usage-report.txt", "Total bytes used");
  Make("a.py", "");
  const InputList list = ListInputs({folder_});
  EXPECT_THAT(Paths(list),
              ElementsAre("/a.hlo.gz", "/b.hlo",
                          "/module_0001.jit_f.before_optimizations.txt",
                          "/sub/c.hlo.zst"));
  EXPECT_TRUE(list.is_list);
}

TEST_F(InputFilesTest, AFolderWithoutHloIsAnError) {
  const InputList list = ListInputs({folder_});
  ASSERT_EQ(list.files.size(), 1u);
  EXPECT_THAT(std::string(list.files[0].status.message()),
              HasSubstr("holds no HLO"));
}

// Reading a pipe that nobody writes to would take forever.
TEST_F(InputFilesTest, PassesOverPipesAndDevicesInAFolder) {
  ASSERT_EQ(::mkfifo((folder_ + "/x.hlo").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((folder_ + "/y.txt").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder_ + "/zero.hlo");
  EXPECT_THAT(std::string(ListInputs({folder_}).files[0].status.message()),
              HasSubstr("holds no HLO"));
  Make("file", "HloModule m");
  std::filesystem::create_symlink("file", folder_ + "/a.hlo");
  std::filesystem::create_symlink("file", folder_ + "/b.txt");
  std::filesystem::create_symlink("none", folder_ + "/dangling.hlo");
  EXPECT_THAT(Paths(ListInputs({folder_})),
              ElementsAre("/a.hlo", "/b.txt", "/dangling.hlo"));
}

TEST_F(InputFilesTest, ReadsAPipeGivenByName) {
  const std::string pipe = folder_ + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { Make("pipe", "HloModule m"); });
  const auto source = ReadInput(pipe);
  writer.join();
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ((*source)->text(), "HloModule m");
  EXPECT_EQ((*source)->name(), pipe);
}

TEST_F(InputFilesTest, ADeviceWithoutEndIsRefused) {
  const absl::Status status = ReadInput("/dev/zero").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("cannot read `/dev/zero`: it is no file"));
}

TEST_F(InputFilesTest, OneFileIsNoList) {
  EXPECT_FALSE(ListInputs({"a.hlo"}).is_list);
  EXPECT_TRUE(ListInputs({"a.hlo", "a.hlo"}).is_list);
}

TEST_F(InputFilesTest, SaysWhyItCannotRead) {
  EXPECT_EQ(ReadInput(folder_ + "/none").status().code(),
            absl::StatusCode::kNotFound);
  Make("bad.gz", "\x1f\x8b nothing");
  EXPECT_EQ(ReadInput(folder_ + "/bad.gz").status().code(),
            absl::StatusCode::kDataLoss);
}

TEST(InputFormTest, TellsPackedBytesByContent) {
  EXPECT_EQ(InputFormOf(""), InputForm::kPlain);
  EXPECT_EQ(InputFormOf("HloModule m"), InputForm::kPlain);
  EXPECT_EQ(InputFormOf("\x1f\x8b\x08"), InputForm::kGzip);
  EXPECT_EQ(InputFormOf("\x28\xb5\x2f\xfd"), InputForm::kZstd);
}

}  // namespace
}  // namespace ferry
