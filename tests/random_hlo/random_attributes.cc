// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/random_hlo/random_attributes.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/tests/random_hlo/type_set.h"

namespace ferry {
namespace {

// One or two parts along each of `rank` dimensions, and sometimes a last one of
// devices that hold the same or are left to the program.
std::string TiledSharding(RandomSource& random, int64_t rank) {
  std::vector<int64_t> grid;
  int64_t tiles = 1;
  for (int64_t i = 0; i < rank; ++i) {
    grid.push_back(random.Chance(50) ? 2 : 1);
    tiles *= grid.back();
  }
  if (tiles == 1) {
    grid[0] = 2;
    tiles = 2;
  }
  const int64_t last = random.Chance(40) ? 2 : 1;
  if (last > 1) grid.push_back(last);
  std::string text = absl::StrCat("devices=[", absl::StrJoin(grid, ","), "]");
  if (random.Chance(60)) {
    absl::StrAppend(&text, "<=[", tiles * last, "]");
  } else {
    // The devices of one tile in ascending order, as XLA sorts them.
    std::vector<int64_t> ids;
    for (int64_t tile = tiles - 1; tile >= 0; --tile) {
      for (int64_t i = 0; i < last; ++i) ids.push_back(tile * last + i);
    }
    absl::StrAppend(&text, absl::StrJoin(ids, ","));
  }
  if (last > 1) {
    absl::StrAppend(&text, random.Chance(40) ? " last_tile_dims={manual}"
                                             : " last_tile_dim_replicate");
  }
  return text;
}

std::string NamedSharding(RandomSource& random, int64_t rank) {
  std::string text = "mesh['a'=2,'b'=4]";
  if (random.Chance(20)) {
    return absl::StrCat(text, ", ",
                        random.Chance(50) ? "replicated" : "manual");
  }
  absl::StrAppend(&text, ", [");
  for (int64_t i = 0; i < rank; ++i) {
    if (i > 0) absl::StrAppend(&text, ", ");
    absl::StrAppend(&text, i == 0 ? "{'a'}" : i == 1 ? "{?}" : "{}");
  }
  absl::StrAppend(&text, "]");
  if (random.Chance(30)) {
    absl::StrAppend(&text, random.Chance(50) ? ", replicated={'b'}"
                                             : ", unreduced={'b':(1)2}");
  }
  return text;
}

std::string LeafSharding(RandomSource& random, const Shape& shape,
                         bool metadata) {
  const int64_t rank = shape.dimensions().size();
  std::string text;
  switch (random.Below(rank > 0 ? 9 : 5)) {
    case 0:
      return "{manual}";
    case 1:
      return "{unknown}";
    case 2:
      text = absl::StrCat("maximal device=", random.Below(4));
      break;
    case 3:
    case 4:
      text = "replicated";
      break;
    case 5:
      return absl::StrCat("{", NamedSharding(random, rank), "}");
    default:
      text = TiledSharding(random, rank);
  }
  if (random.Chance(10)) {
    absl::StrAppend(&text, random.Chance(50) ? " shard_as " : " shard_like ",
                    1 + random.Below(3));
  }
  if (metadata && random.Chance(10)) {
    absl::StrAppend(&text, " metadata={op_name=\"s\"}");
  }
  return absl::StrCat("{", text, "}");
}

// Elements of one array, `{ { 1, 2 }, { 3, 4 } }`, from dimension `at` on.
void AppendArray(RandomSource& random, PrimitiveType type,
                 absl::Span<const int64_t> dimensions, size_t at,
                 const std::string& comment, std::string& text) {
  const int64_t size = dimensions[at];
  const bool is_innermost = at + 1 == dimensions.size();
  const bool is_spaced = dimensions.size() > 1 && (!is_innermost || size > 1);
  absl::StrAppend(&text, "{", is_spaced ? " " : "", comment);
  for (int64_t i = 0; i < size; ++i) {
    if (i > 0) absl::StrAppend(&text, ", ");
    if (is_innermost) {
      absl::StrAppend(&text, type == PrimitiveType::kPred
                                 ? (random.Chance(50) ? "1" : "0")
                                 : RandomScalar(random, type));
      continue;
    }
    const bool is_marked = dimensions.size() > 3 && at + 2 < dimensions.size();
    AppendArray(random, type, dimensions, at + 1,
                is_marked ? absl::StrCat("/*i", at, "=", i, "*/ ") : "", text);
  }
  // An empty one has both spaces; a comment already ends in one.
  const bool has_space = size == 0 && !comment.empty();
  absl::StrAppend(&text, is_spaced && !has_space ? " }" : "}");
}

std::string RandomIndex(RandomSource& random) {
  return random.Chance(50) ? "" : absl::StrCat(" {", random.Below(3), "}");
}

void AppendOrigin(RandomSource& random, const Shape& shape, std::string& text) {
  if (!shape.IsTuple()) {
    absl::StrAppend(&text, "{");
    if (random.Chance(80)) {
      absl::StrAppend(&text, "\"v", random.Below(100), "\"",
                      RandomIndex(random));
    }
    absl::StrAppend(&text, "}");
    return;
  }
  absl::StrAppend(&text, "(");
  bool first = true;
  for (const Shape* element : shape.tuple_shapes()) {
    if (!first) absl::StrAppend(&text, ", ");
    first = false;
    AppendOrigin(random, *element, text);
  }
  absl::StrAppend(&text, ")");
}

}  // namespace

std::string IntegersText(absl::Span<const int64_t> numbers) {
  return absl::StrCat("{", absl::StrJoin(numbers, ","), "}");
}

std::string RandomSharding(RandomSource& random, const Shape& shape,
                           bool metadata) {
  if (!shape.IsTuple()) return LeafSharding(random, shape, metadata);
  std::string text = "{";
  int64_t leaf = 0;
  for (int32_t node = 0; node < shape.node_count(); ++node) {
    const Shape& at = shape.NodeAt(node);
    if (at.IsTuple()) continue;
    if (leaf > 0) absl::StrAppend(&text, ", ");
    if (leaf > 0 && leaf % 5 == 0) {
      absl::StrAppend(&text, "/*index=", leaf, "*/");
    }
    absl::StrAppend(&text, LeafSharding(random, at, metadata));
    ++leaf;
  }
  if (leaf == 0) absl::StrAppend(&text, "{replicated}");
  return absl::StrCat(text, "}");
}

std::string RandomReplicaGroups(RandomSource& random, int64_t groups,
                                int64_t size) {
  const int64_t devices = groups * size;
  switch (random.Below(4)) {
    case 0:
      return absl::StrCat("[", groups, ",", size, "]<=[", devices, "]");
    case 1:
      if (groups < 2 || size < 2) break;
      return absl::StrCat("[", groups, ",", size, "]<=[", size, ",", groups,
                          "]T(1,0)");
    case 2:
      if (groups < 2 || size < 2) break;
      return absl::StrCat("mesh['x'=", groups, ",'y'=", size, "] {'y'}");
  }
  std::vector<std::string> all;
  for (int64_t group = 0; group < groups; ++group) {
    std::vector<int64_t> ids;
    for (int64_t i = 0; i < size; ++i) ids.push_back(i * groups + group);
    all.push_back(IntegersText(ids));
  }
  return absl::StrCat("{", absl::StrJoin(all, ","), "}");
}

std::string RandomMetadata(RandomSource& random, int32_t stack_frame_id) {
  std::vector<std::string> parts;
  if (random.Chance(40)) parts.push_back("op_type=\"add\"");
  parts.push_back(absl::StrCat("op_name=", RandomString(random)));
  if (random.Chance(40)) {
    parts.push_back("source_file=\"model.py\"");
    parts.push_back(absl::StrCat("source_line=", 1 + random.Below(500)));
    if (random.Chance(50)) {
      for (const char* name :
           {"source_end_line", "source_column", "source_end_column"}) {
        parts.push_back(absl::StrCat(name, "=", 1 + random.Below(90)));
      }
    }
  }
  if (random.Chance(10)) parts.push_back("profile_type={1}");
  if (random.Chance(10)) parts.push_back("deduplicated_name=\"first\"");
  if (random.Chance(20)) parts.push_back("scheduling_name=\"at.1\"");
  if (stack_frame_id > 0) {
    parts.push_back(absl::StrCat("stack_frame_id=", stack_frame_id));
  }
  return absl::StrCat("{", absl::StrJoin(parts, " "), "}");
}

std::string RandomBackendConfig(RandomSource& random) {
  if (random.Chance(30)) return RandomString(random);
  return absl::StrCat("{\"window\":{\"bounds\":[\"", random.Below(9),
                      "\"],\"text\":\"} \\\" {\"},\"n\":1.5}");
}

std::string RandomFrontendAttributes(RandomSource& random) {
  std::vector<std::string> parts;
  if (random.Chance(50)) parts.push_back("_a.b-c=\"1\"");
  if (random.Chance(50)) {
    parts.push_back(absl::StrCat("key=", RandomString(random)));
  }
  if (random.Chance(50)) {
    parts.push_back("xla.sdy.meshes={mesh = #sdy.mesh<[\"data\"=1]>}");
  }
  if (parts.empty()) parts.push_back("z={}");
  return absl::StrCat("{", absl::StrJoin(parts, ","), "}");
}

std::string RandomStatistics(RandomSource& random) {
  return absl::StrCat("{visualizing_index=", random.Below(2),
                      ",stat-1=", random.Below(100),
                      ",stat-2=", random.Below(100), "}");
}

std::string RandomOrigin(RandomSource& random, const Shape& shape) {
  std::string text = "{";
  AppendOrigin(random, shape, text);
  return absl::StrCat(text, "}");
}

std::string RandomResultAccuracy(RandomSource& random) {
  if (random.Chance(50)) return "{mode=highest}";
  return absl::StrCat("{tolerance={atol=0.5,rtol=0.25,ulps=", random.Below(9),
                      "}}");
}

std::string RandomString(RandomSource& random) {
  static constexpr absl::string_view kStrings[] = {
      R"("jit(step)/dot_general")",
      R"("a")",
      R"("tab\tline\nquote\"back\\")",
      R"("\303\251\342\202\254")",
      R"("it\'s {")",
      R"("x y, z=1")"};
  return std::string(random.Pick(kStrings));
}

std::string RandomScalar(RandomSource& random, PrimitiveType type) {
  const TypeSet set = TypeSetOf(type);
  if (set == kPredType) return random.Chance(50) ? "true" : "false";
  if (set == kComplexTypes) {
    const PrimitiveType part =
        type == PrimitiveType::kC64 ? PrimitiveType::kF32 : PrimitiveType::kF64;
    const std::string real = RandomScalar(random, part);
    const std::string imaginary = RandomScalar(random, part);
    // A part that is no number spoils the other.
    if (real == "nan" || imaginary == "nan") return "(nan, nan)";
    return absl::StrCat("(", real, ", ", imaginary, ")");
  }
  if (set == kSignedTypes || set == kUnsignedTypes) {
    const int64_t bits = BitWidth(type);
    const bool is_signed = set == kSignedTypes;
    const uint64_t largest = (UINT64_MAX >> (64 - bits)) >> is_signed;
    if (is_signed && random.Chance(20)) {
      return absl::StrCat(-static_cast<int64_t>(largest) - 1);
    }
    if (random.Chance(20)) return absl::StrCat(largest);
    return absl::StrCat(random.Below(
        1 + static_cast<int64_t>(std::min<uint64_t>(largest, 99))));
  }
  // Without zero or sign.
  if (type == PrimitiveType::kF8E8M0FNU) return random.Chance(50) ? "1" : "2";
  static constexpr absl::string_view kEverywhere[] = {"0",   "1",   "2", "-1",
                                                      "0.5", "1.5", "-2"};
  if (BitWidth(type) < 16 || random.Chance(50)) {
    return std::string(random.Pick(kEverywhere));
  }
  static constexpr absl::string_view kHalf[] = {"0.25", "-96", "7.5",  "inf",
                                                "-inf", "nan", "0.125"};
  static constexpr absl::string_view kSingle[] = {
      "999.875", "1e+20", "0.1", "3.14159", "1e-05", "inf", "nan", "-123.25"};
  return std::string(BitWidth(type) == 16 ? random.Pick(kHalf)
                                          : random.Pick(kSingle));
}

std::string RandomLiteral(RandomSource& random, const Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<std::string> elements;
    for (const Shape* element : shape.tuple_shapes()) {
      elements.push_back(RandomLiteral(random, *element));
    }
    return absl::StrCat("( ", absl::StrJoin(elements, ", "), " )");
  }
  if (shape.dimensions().empty()) {
    return RandomScalar(random, shape.element_type());
  }
  std::string text;
  AppendArray(random, shape.element_type(), shape.dimensions(), 0, "", text);
  return text;
}

}  // namespace ferry
