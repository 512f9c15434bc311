// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/fuzz/hlo_mutator.h"

#include <algorithm>
#include <random>
#include <vector>

#include "absl/strings/ascii.h"

namespace ferry {
namespace {

// All words of the language that are not names of the user's, and values of
// attributes that no table lists.
constexpr absl::string_view kWords[] = {
#define FERRY_HLO_OPCODE(enumerator, name, min, max, traits) name,
#include "ferry/hlo/hlo_opcode.def"
#define FERRY_HLO_ATTRIBUTE(enumerator, name, form) name "=",
#include "ferry/hlo/hlo_attribute.def"
#define FERRY_PRIMITIVE_TYPE(enumerator, name, bits) name "[]",
#include "ferry/hlo/primitive_type.def"
#define FERRY_PRIMITIVE_TYPE(enumerator, name, bits) name "[2,3]{1,0}",
#include "ferry/hlo/primitive_type.def"
    "HloModule",
    "ENTRY",
    "ROOT",
    "FileNames",
    "FunctionNames",
    "FileLocations",
    "StackFrames",
    "{file_name_id=1 function_name_id=1 "
    "line=1 end_line=1 column=1 end_column=2}",
    "parent_frame_id=1",
    "file_location_id=1",
    "stack_frame_id=1",
    "is_scheduled=true",
    "input_output_alias={ {}: (0, {}, may-alias) }",
    "buffer_donor={ (0, {}) }",
    "alias_passthrough_params=true",
    "entry_computation_layout={(f32[2]{0})->f32[2]{0}}",
    "allow_spmd_sharding_propagation_to_parameters={true,false}",
    "allow_spmd_sharding_propagation_to_output=true",
    "replica_count=2",
    "num_partitions=2",
    "origin_recovery_table={",
    "condition=",
    "body=",
    "to_apply=",
    "calls=",
    "true_computation=",
    "false_computation=",
    "branch_computations={",
    "called_computations={",
    "select=",
    "scatter=",
    "execution_thread=\"t\"",
    "control-predecessors={",
    "index=",
    "{replicated}",
    "{manual}",
    "{unknown}",
    "{unreduced}",
    "{maximal device=1}",
    "{devices=[2,2]<=[4]}",
    "{devices=[2]1,0}",
    "{devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}",
    "last_tile_dims={manual, replicated}",
    "shard_as 1",
    "shard_like 1",
    "mesh['a'=2,'b'=4]",
    "{mesh['a'=2], [{'a'}, {?}]}",
    "'a':(1)2",
    "maximal_mesh[device_id=1]",
    "device_ids=([2,2]T(1,0))",
    "[2,4]<=[8]",
    "[2,4]<=[4,2]T(1,0)",
    "{{0,1},{2,3}}",
    "{{0,1}}",
    "S(5)",
    "T(8,128)(2,1)",
    "T(*,2)",
    "L(8)",
    "#(u32)",
    "*(u64)",
    "E(4)",
    "SC(0:1,2)",
    "M(8)",
    "D(D,C+~)",
    "P(f32[2]{0})",
    "<=4",
    "?",
    "(",
    ")",
    "()",
    "{",
    "}",
    "{}",
    "[",
    "]",
    ",",
    ":",
    "=",
    "->",
    "~",
    "+",
    "#",
    "*",
    "<=",
    "...",
    "{...}",
    "/*",
    "*/",
    "//",
    "/*index=5*/",
    "\n",
    "\r\n",
    "\t",
    "\"",
    "'",
    "\\",
    "\"\\n\\x41\\101\\u00e9\"",
    "%",
    "true",
    "false",
    "inf",
    "-inf",
    "nan",
    "-nan",
    "nan(0x7f)",
    "-0",
    "-0.0",
    "1e400",
    "1e-400",
    ".5",
    "1.",
    "0_1x1_0",
    "0_0_2",
    "3x3",
    "b01f_01io->b01f",
    "{size=3x3 stride=2x2 pad=0_1x0_1}",
    "{[0:4:2], [1:2]}",
    "{({\"a\"}, {\"b\" {1}})}",
    "{[synthetic_call]}",
    "-start",
    "-update",
    "-done",
    "async-start",
    "kLoop",
    "kCustom",
    "LT",
    "TOTALORDER",
    "rng_uniform",
    "rng_three_fry",
    "highest",
    "dot_bf16_bf16_f32_x6",
    "IRFFT",
    "ADJOINT",
    "fprop",
    "SCHEDULE_LATEST",
    "API_VERSION_TYPED_FFI",
    "PADDING_SAME",
    "{mode=highest}",
    "{tolerance={atol=1,rtol=0.5,ulps=2}}",
    "{visualizing_index=0,a=1}",
    "{op_type=\"a\" op_name=\"b\" source_line=3}",
    "(1, -2)",
    "_",
    ".1"};

constexpr absl::string_view kNumbers[] = {"0",
                                          "1",
                                          "2",
                                          "3",
                                          "-1",
                                          "4",
                                          "7",
                                          "8",
                                          "10",
                                          "11",
                                          "64",
                                          "127",
                                          "128",
                                          "255",
                                          "256",
                                          "32767",
                                          "65536",
                                          "1000000",
                                          "2147483647",
                                          "2147483648",
                                          "-2147483648",
                                          "-2147483649",
                                          "4294967295",
                                          "4294967296",
                                          "4611686018427387904",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "-9223372036854775808",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "99999999999999999999999",
                                          "3037000500"};

bool IsWordByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         c == '.' || c == '-';
}

// Words, numbers, runs of white space and single other bytes: any text is the
// concatenation of its tokens.
std::vector<absl::string_view> Tokens(absl::string_view text) {
  std::vector<absl::string_view> tokens;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (IsWordByte(text[at])) {
      while (end < text.size() && IsWordByte(text[end])) ++end;
    } else if (text[at] == ' ') {
      while (end < text.size() && text[end] == ' ') ++end;
    }
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

class Mutator {
 public:
  Mutator(absl::string_view text, uint32_t seed)
      : random_(seed), original_(Tokens(text)), tokens_(original_) {}

  std::string Run() {
    for (int64_t changes = 1 + Below(4); changes > 0; --changes) Change();
    std::string text;
    for (const absl::string_view token : tokens_) {
      text.append(token.data(), token.size());
    }
    return text;
  }

 private:
  int64_t Below(int64_t limit) {
    return limit <= 0 ? 0 : static_cast<int64_t>(random_() % limit);
  }
  template <typename List>
  absl::string_view Pick(const List& list) {
    return list[Below(std::size(list))];
  }
  // A place between tokens, and one token: most of the time near another.
  int64_t Place() { return Below(tokens_.size() + 1); }
  int64_t Token() { return Below(tokens_.size()); }
  void Insert(int64_t at, std::vector<absl::string_view> words) {
    tokens_.insert(tokens_.begin() + at, words.begin(), words.end());
  }
  void Erase(int64_t first, int64_t count) {
    const int64_t limit = std::min<int64_t>(first + count, tokens_.size());
    tokens_.erase(tokens_.begin() + first, tokens_.begin() + limit);
  }

  // The tokens of one line of the input, with its end.
  std::vector<absl::string_view> SomeLine() {
    if (original_.empty()) return {};
    const auto begin = original_.begin();
    auto first = begin + Below(original_.size());
    while (first != begin && first[-1] != "\n") --first;
    auto last = std::find(first, original_.end(), "\n");
    if (last != original_.end()) ++last;
    return {first, last};
  }
  int64_t LineStart() {
    int64_t at = Place();
    while (at > 0 && tokens_[at - 1] != "\n") --at;
    return at;
  }

  // A token of the same kind as `token`, of the input or of the language.
  absl::string_view Alike(absl::string_view token) {
    const auto kind = [](absl::string_view word) {
      if (absl::ascii_isdigit(static_cast<unsigned char>(word[0]))) return 0;
      return IsWordByte(word[0]) ? 1 : 2;
    };
    if (kind(token) == 0 && Below(2) == 0) return Pick(kNumbers);
    for (int tries = 0; tries < 20 && !original_.empty(); ++tries) {
      const absl::string_view other = original_[Below(original_.size())];
      if (kind(other) == kind(token) && other != token) return other;
    }
    return Pick(kWords);
  }

  void Change() {
    if (tokens_.empty()) return Insert(0, {Pick(kWords)});
    switch (Below(11)) {
      case 0:
        return Erase(Token(), 1);
      case 1:
        return Erase(Token(), 1 + Below(12));
      case 2:
        return Insert(Place(), {Pick(kWords)});
      case 3:
        return Insert(Place(), {" ", Pick(kWords), " "});
      case 4:
      case 5: {
        const int64_t at = Token();
        tokens_[at] = Alike(tokens_[at]);
        return;
      }
      case 6:
        tokens_[Token()] = Pick(kWords);
        return;
      case 7:
        return Insert(LineStart(), SomeLine());
      case 8: {
        const int64_t at = LineStart();
        const auto end = std::find(tokens_.begin() + at, tokens_.end(), "\n");
        return Erase(at, end - tokens_.begin() - at + 1);
      }
      case 9:
        std::swap(tokens_[Token()], tokens_[Token()]);
        return;
      case 10:
        return Repeat();
    }
  }

  // A few tokens many times: deep nesting, long lists.
  void Repeat() {
    const int64_t at = Token();
    const int64_t count = std::min<int64_t>(1 + Below(4), tokens_.size() - at);
    const std::vector<absl::string_view> some(tokens_.begin() + at,
                                              tokens_.begin() + at + count);
    std::vector<absl::string_view> all;
    for (int64_t times = 1 + Below(40); times > 0; --times) {
      all.insert(all.end(), some.begin(), some.end());
    }
    Insert(at, all);
  }

  std::mt19937 random_;
  std::vector<absl::string_view> original_;
  std::vector<absl::string_view> tokens_;
};

}  // namespace

std::string MutateHlo(absl::string_view text, uint32_t seed) {
  return Mutator(text, seed).Run();
}

}  // namespace ferry
