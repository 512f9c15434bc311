// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/command_line.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What a command line with all kinds of flags reads.
struct Read {
  std::optional<ExitCode> code;
  std::string error;
  CommonFlags common;
  std::vector<std::string> files;
  std::string fix;
  std::string output = "default";
  bool json = false;
};

Read Parse(std::vector<std::string> arguments) {
  Read read;
  CommandLine line("ferry check", "Checks.", "Example: none.");
  line.AddArguments("FILE", read.files, "files");
  line.AddFlag("--json", read.json, "json");
  line.AddChoice("--fix", read.fix, {"return_on_host", "bring_back"}, "fix");
  line.AddText("-o", read.output, "output");
  line.AddCommonFlags(read.common);
  testing::internal::CaptureStderr();
  read.code = line.Parse(arguments);
  read.error = testing::internal::GetCapturedStderr();
  return read;
}

TEST(CommandLineTest, ReadsFlagsAndFiles) {
  const Read read = Parse({"a.hlo", "--json", "--fix=bring_back", "--threads=3",
                           "--match-compiler", "b.hlo", "-"});
  EXPECT_EQ(read.code, std::nullopt);
  EXPECT_THAT(read.files, ElementsAre("a.hlo", "b.hlo", "-"));
  EXPECT_TRUE(read.json);
  EXPECT_EQ(read.fix, "bring_back");
  EXPECT_EQ(read.common.threads, 3);
  EXPECT_EQ(read.common.judge, Judge::kCompiler);
  EXPECT_TRUE(read.common.allow_unknown);
}

TEST(CommandLineTest, FlagsGivenSeveralTimesAddUp) {
  const Read read = Parse(
      {"--xla-flags=xla_disable_automatic_host_compute_offload=true",
       "--xla-flags",
       "--xla_allow_h2h_copy_when_automatic_host_compute_offload_disabled=true",
       "a.hlo", "--vmodule=a=1", "--vmodule", "b=2", "b.hlo"});
  EXPECT_EQ(read.code, std::nullopt) << read.error;
  EXPECT_TRUE(read.common.xla_flags.disable_automatic_host_compute_offload);
  EXPECT_TRUE(read.common.xla_flags.allow_host_to_host_copy);
  EXPECT_EQ(read.common.vmodule.LevelOf("a"), 1);
  EXPECT_EQ(read.common.vmodule.LevelOf("b"), 2);
  EXPECT_THAT(read.files, ElementsAre("a.hlo", "b.hlo"));
}

TEST(CommandLineTest, SwitchesOff) {
  EXPECT_FALSE(Parse({"--allow-unknown=false"}).common.allow_unknown);
  EXPECT_THAT(Parse({"--no-allow-unknown"}).error,
              HasSubstr("write `--allow-unknown=false`"));
  EXPECT_THAT(Parse({"--json=maybe"}).error,
              HasSubstr("--json takes true or false, not `maybe`"));
}

TEST(CommandLineTest, StandardInputIsReadOnce) {
  EXPECT_EQ(Parse({"-", "a.hlo"}).code, std::nullopt);
  const Read read = Parse({"-", "a.hlo", "-"});
  EXPECT_EQ(read.code, ExitCode::kUsage);
  EXPECT_THAT(read.error, HasSubstr("read only once"));
}

TEST(CommandLineTest, SuggestsTheNearestFlag) {
  const Read read = Parse({"--jsno=x", "a.hlo"});
  EXPECT_EQ(read.code, ExitCode::kUsage);
  EXPECT_THAT(read.error, HasSubstr("there is no flag `--jsno`; did you mean "
                                    "`--json`?\nusage: ferry check"));
}

TEST(CommandLineTest, RefusesBadValues) {
  EXPECT_THAT(Parse({"--fix=undo"}).error,
              HasSubstr("--fix must be one of return_on_host, bring_back"));
  EXPECT_THAT(Parse({"--chip=v9"}).error, HasSubstr("there is no chip `v9`"));
  EXPECT_THAT(Parse({"--chip=none.json"}).error,
              HasSubstr("--chip: cannot read `none.json`"));
  EXPECT_THAT(Parse({"--hbm-limit=lots"}).error, HasSubstr("no size in bytes"));
  EXPECT_THAT(Parse({"--hbm-limit=110%"}).error, HasSubstr("no share"));
  EXPECT_THAT(Parse({"--threads=-1"}).error, HasSubstr("not below 0"));
  EXPECT_THAT(Parse({"--color=blue"}).error,
              HasSubstr("auto, always or never"));
  EXPECT_THAT(Parse({"--threads=many"}).error,
              HasSubstr("--threads: `many` is no whole number"));
  EXPECT_EQ(Parse({"--hbm-limit=90%", "--host-limit=15.75GiB"}).code,
            std::nullopt);
}

TEST(CommandLineTest, AnEmptyValueTakesNothingFromBehindIt) {
  for (const char* flag : {"--fix", "--threads", "--chip", "--hbm-limit",
                           "--color", "--json", "-o"}) {
    const Read read = Parse({absl::StrCat(flag, "="), "a.hlo"});
    EXPECT_EQ(read.code, ExitCode::kUsage) << flag;
    EXPECT_THAT(read.error,
                HasSubstr(absl::StrCat(flag, ": the value is empty")));
  }
  EXPECT_EQ(Parse({"-o", "", "a.hlo"}).code, ExitCode::kUsage);
  EXPECT_EQ(Parse({"a.hlo", "--fix="}).code, ExitCode::kUsage);
}

TEST(CommandLineTest, EmptyXlaFlagsAndVmoduleAreNothing) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--xla-flags=", "--vmodule=", "a.hlo"},
        std::vector<std::string>{"--xla-flags", "", "a.hlo", "--vmodule", ""},
        std::vector<std::string>{"a.hlo", "--vmodule=", "--xla-flags="}}) {
    const Read read = Parse(arguments);
    EXPECT_EQ(read.code, std::nullopt) << read.error;
    EXPECT_EQ(read.error, "");
    EXPECT_THAT(read.files, ElementsAre("a.hlo"));
  }
}

TEST(CommandLineTest, AShortFlagMayHaveAnEqualsSign) {
  EXPECT_EQ(Parse({"-o=x.hlo"}).output, "x.hlo");
  EXPECT_EQ(Parse({"-ox.hlo"}).output, "x.hlo");
  EXPECT_EQ(Parse({"-o", "=x.hlo"}).output, "=x.hlo");
  EXPECT_EQ(Parse({"-o=--json"}).output, "--json");
  // A value is left as it is, and so is what stands behind `--`.
  EXPECT_EQ(Parse({"-o", "--json="}).output, "--json=");
  EXPECT_THAT(Parse({"--", "-o=x.hlo", "--json="}).files,
              ElementsAre("-o=x.hlo", "--json="));
}

TEST(CommandLineTest, ACommandReadsBackFromAShell) {
  EXPECT_EQ(
      ShellCommand("ferry-opt", {"--passes=a{b=1}", "x.hlo", "it's"}, "x.hlo"),
      "ferry-opt '--passes=a{b=1}' %s 'it'\\''s'");
}

}  // namespace
}  // namespace ferry
