// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/text_reader.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace ferry {
namespace {

class TextReaderTest : public ::testing::Test {
 protected:
  // What the reader says of `text`; empty if it read it.
  template <typename Read>
  std::string ErrorOf(absl::string_view text, Read read) {
    const auto source = SourceText::FromString(std::string(text), "a.hlo");
    std::vector<Diagnostic> diagnostics;
    ParseErrors errors(*source, /*max_errors=*/5, diagnostics);
    HloLexer lexer(source->text());
    const bool ok = read(TextReader{lexer, errors});
    EXPECT_EQ(ok, diagnostics.empty());
    return ok ? "" : diagnostics[0].message;
  }
};

TEST_F(TextReaderTest, ExpectsPunctuation) {
  const auto read = [](TextReader reader) {
    return reader.Expect(')', "here");
  };
  EXPECT_EQ(ErrorOf(" )", read), "");
  EXPECT_EQ(ErrorOf("x", read), "expected `)` here, but saw `x`");
}

TEST_F(TextReaderTest, NumbersHave64Bits) {
  int64_t value = 0;
  const auto read = [&](TextReader reader) {
    return reader.ReadNumber("the size", value);
  };
  EXPECT_EQ(ErrorOf("-9223372036854775808", read), "");
  EXPECT_EQ(value, INT64_MIN);
  EXPECT_EQ(ErrorOf("18446744073709551616", read),
            "the size does not fit in 64 bits");
  EXPECT_EQ(ErrorOf("x", read), "expected the size, but saw `x`");
}

TEST_F(TextReaderTest, BoolsAreWords) {
  const auto read = [](TextReader reader) { return reader.ReadBool(); };
  EXPECT_EQ(ErrorOf("true", read), "");
  EXPECT_EQ(ErrorOf("false", read), "");
  EXPECT_EQ(ErrorOf("truely", read),
            "expected `true` or `false`, but saw `truely`");
}

TEST_F(TextReaderTest, QuotedTextKeepsItsQuotes) {
  absl::string_view text;
  std::string read_text;
  const auto read = [&](TextReader reader) {
    const bool ok = reader.ReadQuoted("a name", text);
    read_text = std::string(text);
    return ok;
  };
  EXPECT_EQ(ErrorOf(R"("a\n")", read), "");
  EXPECT_EQ(read_text, R"("a\n")");
  EXPECT_EQ(ErrorOf(R"("\q")", read),
            R"(a name has an unknown escape: Unknown escape sequence: \q)");
  EXPECT_EQ(ErrorOf("a", read), "expected a name, but saw `a`");
}

}  // namespace
}  // namespace ferry
