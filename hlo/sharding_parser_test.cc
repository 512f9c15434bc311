// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/hlo/sharding_parser.h"

#include <gtest/gtest.h>

namespace ferry {
namespace {

// The canonical form of a text, or the first error.
std::string Read(absl::string_view text) {
  HloLexer lexer(text);
  const auto source = SourceText::FromString(std::string(text), "x");
  std::vector<Diagnostic> diagnostics;
  ParseErrors errors(*source, 1, diagnostics);
  ShardingParser parser({lexer, errors}, [&](std::string& metadata) {
    metadata = std::string(lexer.ScanBraces());
    return true;
  });
  HloSharding sharding;
  if (!parser.Parse(sharding)) return diagnostics.at(0).message;
  return lexer.AtEnd() ? sharding.ToString() : "not read to its end";
}

TEST(ShardingParserTest, KeepsCanonicalTexts) {
  for (absl::string_view text :
       {"{replicated}",
        "{manual}",
        "{unknown}",
        "{unreduced}",
        "{maximal device=3}",
        "{maximal device=-1}",
        "{}",
        "{devices=[2,2]0,1,2,3}",
        "{devices=[2,2]3,1,1,-1}",
        "{devices=[2,4]<=[8]}",
        "{devices=[4,2]<=[2,4]T(1,0)}",
        "{devices=[4,2]<=[9]}",
        "{devices=[1,1]<=[1]}",
        "{devices=[-4,-2]<=[8]}",
        "{devices=[0,2]<=[0]}",
        "{devices=[2,1,2]<=[4] last_tile_dim_replicate}",
        "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
        "{devices=[2,1]<=[2] shard_as -1 metadata={op_name=\"x\"}}",
        "{manual shard_like 3 metadata={{op_name=\"x\"}, {}}}",
        "{{replicated}, {manual}}",
        "{{replicated}, {manual}, {manual}, {manual}, {manual}, "
        "/*index=5*/{mesh['a'=2], [{'a'}]}}"}) {
    EXPECT_EQ(Read(text), text);
  }
}

TEST(ShardingParserTest, KeepsNamedTexts) {
  for (absl::string_view text :
       {"{mesh['a'=2,'b'=4], [{'a'}, {'b', ?}, {?}, {}]}",
        "{mesh['a'=2,'b'=4], replicated}", "{mesh['a'=2,'b'=4], manual}",
        "{mesh['a'=2,'b'=4], unreduced, metadata={{op_name=\"x\"}}}",
        "{mesh['a'=2,'b'=4], [], replicated={'a'}}",
        "{mesh['a'=2,'b'=4,'c'=8,'d'=2], [{'b'}], replicated={'a'}, "
        "unreduced={'c':(4)2}, manual={'d'}, metadata={{}, {}}}",
        "{mesh['a'=2,'b'=8], [{'b':(1)2}, {'b':(2)2}, {'b':(4)2}]}",
        "{mesh['a'=2,'b'=2], device_ids=(0,2,1,3), [{'a', 'b'}]}",
        "{mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)), replicated}",
        "{mesh['a'=4], device_ids=([4,4]T(1,0)), replicated}",
        "{mesh[], replicated}", "{mesh[''=2], [{''}]}",
        "{maximal_mesh[device_id=5]}",
        "{maximal_mesh[device_id=-5], metadata={{op_name=\"x\"}}}"}) {
    EXPECT_EQ(Read(text), text);
  }
}

TEST(ShardingParserTest, ItemsComeInAnyOrderAndRepeat) {
  EXPECT_EQ(Read("{device=3 maximal}"), "{maximal device=3}");
  EXPECT_EQ(Read("{ shard_as 1 replicated /*c*/ }"), "{replicated shard_as 1}");
  EXPECT_EQ(Read("{manual replicated}"), "{replicated}");
  EXPECT_EQ(Read("{unknown manual}"), "{manual}");
  EXPECT_EQ(Read("{unreduced maximal device=1}"), "{maximal device=1}");
  EXPECT_EQ(Read("{maximal devices=[1]5}"), "{maximal device=5}");
  EXPECT_EQ(Read("{replicated devices=[2,1]<=[2]}"), "{replicated}");
  EXPECT_EQ(Read("{manual devices=[2,1]<=[2] last_tile_dim_replicate}"),
            "{manual}");
  EXPECT_EQ(Read("{replicated shard_like 1 shard_as 2}"),
            "{replicated shard_as 2}");
  EXPECT_EQ(Read("{replicated shard_as 1 shard_like 2}"),
            "{replicated shard_as 2}");
  EXPECT_EQ(Read("{metadata={a} metadata={{b},{c}} manual}"),
            "{manual metadata={{a}, {b}, {c}}}");
}

TEST(ShardingParserTest, ShortensIotas) {
  EXPECT_EQ(Read("{devices=[4,2]<=[2,2,2]T(2,0,1)}"),
            "{devices=[4,2]<=[4,2]T(1,0)}");
  EXPECT_EQ(Read("{devices=[ 2,2 ] <= [2,2] T ( 0 , 1 )}"),
            "{devices=[2,2]<=[4]}");
  EXPECT_EQ(Read("{mesh['a'=8], device_ids=([2,2,2]T(2,0,1)), replicated}"),
            "{mesh['a'=8], device_ids=([4,2]T(1,0)), replicated}");
  EXPECT_EQ(Read("{mesh['a'=8], device_ids=([8]), replicated}"),
            "{mesh['a'=8], replicated}");
}

TEST(ShardingParserTest, NormalizesNamedShardings) {
  EXPECT_EQ(Read("{mesh[\"a\"=2,\"b\"=4] []}"),
            "{mesh['a'=2,'b'=4], replicated}");
  EXPECT_EQ(Read("{mesh['a'=2],,[ ], unreduced={'a'}}"),
            "{mesh['a'=2], unreduced}");
  EXPECT_EQ(Read("{mesh['a'=2,'b'=4], [{'a'},{}], manual={'b'}, "
                 "metadata={x}, replicated={}}"),
            "{mesh['a'=2,'b'=4], [{'a'}, {}], manual={'b'}, metadata={{x}}}");
  EXPECT_EQ(Read("{mesh['a'=2,'b'=4], [{'1'}]}"),
            "{mesh['a'=2,'b'=4], [{'b'}]}");
  EXPECT_EQ(Read("{mesh['\\x41'=2], [{'A'}]}"), "{mesh['A'=2], [{'A'}]}");
}

// XLA's array of tiles starts out as zeros.
TEST(ShardingParserTest, TilesWithoutADeviceHaveTheFirst) {
  EXPECT_EQ(Read("{devices=[2,2]7,1}"), "{devices=[2,2]7,1,0,0}");
  EXPECT_EQ(Read("{devices=[1000,1000,1000]7,1}"),
            "the tile grid has 1000000000 tiles, but 2 devices are listed");
  EXPECT_EQ(Read("{devices=[-2]0,1}"),
            "the tile grid has -2 tiles, but 2 devices are listed");
}

TEST(ShardingParserTest, DevicesWithoutATileFallAway) {
  EXPECT_EQ(Read("{devices=[2]0,1,2}"), "{devices=[2]0,1}");
  EXPECT_EQ(Read("{devices=[2,2]3,2,1,0,4 last_tile_dim_replicate}"),
            "{devices=[2,2]2,3,0,1 last_tile_dim_replicate}");
}

TEST(ShardingParserTest, RefusesInTheWordsOfXla) {
  EXPECT_EQ(Read("{maximal}"),
            "maximal shardings should have exactly one device assigned");
  EXPECT_EQ(Read("{device=3}"),
            "non-maximal shardings must have a tile assignment list including "
            "dimensions");
  EXPECT_EQ(Read("{{}}"),
            "non-maximal shardings must have a tile assignment list including "
            "dimensions");
  EXPECT_EQ(Read("{devices=[1,1]0}"),
            "non-maximal shardings must have more than one device assigned");
  EXPECT_EQ(Read("{replicated device=1}"),
            "replicated shardings should not have any devices assigned");
  EXPECT_EQ(Read("{devices=[4,2]<=[2,4]T(1)}"),
            "iota_transpose_perm should have the same rank as "
            "iota_reshape_dims : expected 2, saw 1.");
  EXPECT_EQ(Read("{devices=[4,2]<=[2,4]T(2,0)}"),
            "Out of range iota minor_to_major value 2, expecting value in "
            "range [0, 2)");
  EXPECT_EQ(Read("{mesh[], manual}"),
            "Manual sharding requires non-empty mesh.");
  EXPECT_EQ(Read("{mesh['a'=2,'b'=4], device_ids=(0,2), [{'a'}]}"),
            "Expected 8 device_ids based on mesh axes, but got 2");
  EXPECT_EQ(Read("{mesh['d'=8], [{'d':(1)1}]}"), "sub-axis size must be > 1");
  EXPECT_EQ(Read("{mesh['d'=8], [{'d':(0)2}]}"),
            "sub-axis pre-size must be >= 1");
  EXPECT_EQ(Read("{mesh['d'=8], [{'x'}]}"), "mesh axis `x` does not exist");
}

TEST(ShardingParserTest, RefusesWhatIsNoSharding) {
  for (absl::string_view text :
       {"",
        "replicated",
        "{",
        "{,}",
        "{replicated",
        "{replicated, manual}",
        "{{replicated},}",
        "{{replicated} {replicated}}",
        "{{{replicated}}}",
        "{devices=[]0,1}",
        "{devices=[2,1]0 1}",
        "{devices=[2,1]0,1,}",
        "{devices=[4,2]<=[8]T(0)}",
        "{devices=[4,2]<=[2,4]}",
        "{devices=[2,1]<=[2] device=1}",
        "{devices=[2,1,2]<=[4] last_tile_dims={unknown}}",
        "{devices=[2,1,2]<=[4] last_tile_dims={manual} "
        "last_tile_dim_replicate}",
        "{devices=[0,1,2]<=[0] last_tile_dim_replicate}",
        "{mesh['a'=2]}",
        "{mesh['a'=2], unknown}",
        "{mesh['a'=2], [{a}]}",
        "{mesh[a=2], []}",
        "{mesh['a'=2], [{?, 'a'}]}",
        "{mesh['a'=2], [{'a' ?}]}",
        "{mesh['a'=2], replicated={'a'}}",
        "{mesh['a'=2], replicated, manual={}}",
        "{mesh['a'=2], [],}",
        "{mesh['a'=2], [], replicated={?}}",
        "{mesh['a'=2], shard_as 1}",
        "{mesh[], device_ids=(5), replicated}",
        "{mesh[],,replicated}",
        "{mesh['a'=2] device_ids=([2]), replicated}",
        "{mesh['a'=2,'a'=2], replicated}",
        "{mesh['a'=2], device_ids=(), replicated}",
        "{maximal_mesh[5]}",
        "{maximal_mesh[device_id=5], []}",
        "{maximal_mesh[device_id=5] metadata={}}"}) {
    const std::string read = Read(text);
    EXPECT_NE(read[0], '{') << text << " is read as " << read;
  }
}

// 2^60 devices in a few bytes must cost no more than a few bytes.
TEST(ShardingParserTest, ClaimedDevicesCostNothing) {
  const std::string text =
      "{devices=[1073741824,1073741824]<=[1073741824,"
      "1073741824]T(1,0)}";
  EXPECT_EQ(Read(text), text);
  EXPECT_EQ(Read("{devices=[1073741824,1073741824,1]<=[1152921504606846976] "
                 "last_tile_dim_replicate}"),
            "{devices=[1073741824,1073741824]<=[1152921504606846976]}");
  EXPECT_NE(Read("{devices=[2,1,3,288230376151711744]<=[3,576460752303423488]"
                 "T(1,0) last_tile_dims={replicated, manual}}")[0],
            '{');
}

TEST(ShardingParserTest, ReadsCanonicalTexts) {
  EXPECT_EQ(ReadSharding("{maximal device=3}")->device, 3);
  EXPECT_EQ(ReadSharding("{{manual}, {manual}}")->elements.size(), 2u);
  EXPECT_FALSE(ReadSharding("{manual} x").has_value());
}

TEST(ShardingParserTest, DropsMetadata) {
  EXPECT_EQ(ShardingWithoutMetadata(
                "{{manual metadata={op_name=\"} }\"}}, {mesh['a'=2], "
                "replicated, metadata={{op_name=\"x\"}}}}"),
            "{{manual}, {mesh['a'=2], replicated}}");
}

}  // namespace
}  // namespace ferry
