// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        absl::StrCat(testing::TempDir(), "/output_file_test.", ::getpid());
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    path_ = folder_ + "/out";
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string Content(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
  }
  int FileCount() const {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_)) {
      ++count;
    }
    return count;
  }

  std::string folder_;
  std::string path_;
};

TEST_F(OutputFileTest, WritesAndReplaces) {
  ASSERT_TRUE(WriteOutput(path_, "one").ok());
  EXPECT_EQ(Content(path_), "one");
  ASSERT_TRUE(WriteOutput(path_, "").ok());
  EXPECT_EQ(Content(path_), "");
  EXPECT_EQ(FileCount(), 1);
}

TEST_F(OutputFileTest, KeepsPermissions) {
  ASSERT_TRUE(WriteOutput(path_, "one").ok());
  ASSERT_EQ(::chmod(path_.c_str(), 0640), 0);
  ASSERT_TRUE(WriteOutput(path_, "two").ok());
  struct stat status;
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(OutputFileTest, ALinkStaysALink) {
  ASSERT_TRUE(WriteOutput(path_, "one").ok());
  const std::string link = folder_ + "/link";
  fs::create_symlink(path_, link);
  ASSERT_TRUE(WriteOutput(link, "two").ok());
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(Content(path_), "two");
}

TEST_F(OutputFileTest, SaysWhyItCannotWrite) {
  EXPECT_EQ(WriteOutput(folder_ + "/none/out", "x").message(),
            absl::StrCat("cannot write `", folder_,
                         "/none/out`: No such file or directory"));
  EXPECT_EQ(WriteOutput(folder_, "x").message(),
            absl::StrCat("cannot write `", folder_, "`: Is a directory"));
  EXPECT_EQ(WriteOutput("/dev/full", "x").message(),
            "cannot write `/dev/full`: No space left on device");
  EXPECT_EQ(FileCount(), 0);
}

}  // namespace
}  // namespace ferry
