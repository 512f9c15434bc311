// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/integer_list.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/value_reader.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

template <typename List>
std::string Canonical(absl::string_view text) {
  List list;
  const absl::Status status = ReadWhole(text, list);
  if (!status.ok()) return std::string(status.message());
  std::string out;
  list.AppendTo(out);
  return out;
}

TEST(IntegerListTest, IsPrintedWithoutWhiteSpace) {
  EXPECT_EQ(Canonical<IntegerList>("{ 0 , /*c*/ 01 }"), "{0,1}");
  EXPECT_EQ(Canonical<IntegerList>("{18446744073709551615}"), "{-1}");
  EXPECT_EQ(Canonical<IntegerLists>("{{0, 1},{}}"), "{{0,1},{}}");
  EXPECT_EQ(Canonical<BoolList>("{true, false}"), "{true,false}");
}

TEST(IntegerListTest, CommasStandBetweenNumbers) {
  EXPECT_EQ(Canonical<IntegerList>("{0,}"), "expected an integer, but saw `}`");
  EXPECT_EQ(Canonical<IntegerList>("{0 1}"),
            "expected `,` or `}` in a list of integers, but saw `1`");
  EXPECT_EQ(Canonical<IntegerLists>("{0}"),
            "expected `{` to start a list of integers, but saw `0`");
}

}  // namespace
}  // namespace ferry
