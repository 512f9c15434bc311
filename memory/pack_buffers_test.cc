// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/pack_buffers.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "ferry/memory/greedy_packer.h"
#include "ferry/memory/packing_verifier.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::HasSubstr;

Packing Pack(const PackingProblem& problem,
             const PackingOptions& options = {}) {
  const absl::StatusOr<Packing> packing = PackBuffers(problem, options);
  EXPECT_TRUE(packing.ok()) << packing.status();
  if (!packing.ok()) return Packing();
  EXPECT_TRUE(VerifyPacking(problem, *packing).ok())
      << VerifyPacking(problem, *packing);
  return *packing;
}

// The lowest height of all packings, by trying every offset of every buffer.
class BruteForce {
 public:
  explicit BruteForce(const PackingProblem& problem) : problem_(problem) {}

  int64_t LeastHeight() {
    for (int64_t height = 0;; ++height) {
      offsets_.clear();
      if (Fits(height)) return height;
    }
  }

 private:
  bool Fits(int64_t height) {
    const size_t i = offsets_.size();
    if (i == problem_.buffers.size()) return true;
    const PackingBuffer& buffer = problem_.buffers[i];
    const int64_t size = buffer.Bounds().size_bytes;
    for (int64_t at = 0; at + size <= height; at += buffer.alignment_bytes) {
      if (buffer.fixed_offset_bytes.value_or(at) != at || Collides(at)) {
        continue;
      }
      offsets_.push_back(at);
      if (Fits(height)) return true;
      offsets_.pop_back();
    }
    return false;
  }

  bool Collides(int64_t at) const {
    BufferPiece mine;
    BufferPiece theirs;
    const size_t i = offsets_.size();
    for (const BufferPiece& a : problem_.buffers[i].Pieces(mine)) {
      for (size_t j = 0; j < i; ++j) {
        for (const BufferPiece& b : problem_.buffers[j].Pieces(theirs)) {
          const int64_t at_a = at + a.offset_bytes;
          const int64_t at_b = offsets_[j] + b.offset_bytes;
          if (a.live.Overlaps(b.live) && at_a < at_b + b.size_bytes &&
              at_b < at_a + a.size_bytes) {
            return true;
          }
        }
      }
    }
    return false;
  }

  const PackingProblem& problem_;
  std::vector<int64_t> offsets_;
};

// The second starts when the first ends, so they may share bytes.
TEST(PackBuffersTest, ReusesBytesOfABufferThatJustDied) {
  const Packing packing = Pack({.buffers = {{.live = {0, 2}, .size_bytes = 64},
                                            {.live = {2, 4}, .size_bytes = 64}},
                                .capacity_bytes = 64});
  EXPECT_EQ(packing.status, PackingStatus::kFeasible);
  EXPECT_TRUE(packing.IsProven());
}

TEST(PackBuffersTest, NothingIsPackedIntoNothing) {
  const Packing packing = Pack({.capacity_bytes = 0});
  EXPECT_EQ(packing.status, PackingStatus::kFeasible);
  EXPECT_EQ(packing.height_bytes, 0);
}

TEST(PackBuffersTest, BuffersWithoutBytesStandAtZero) {
  const Packing packing =
      Pack({.buffers = {{.live = {0, 9}, .size_bytes = 0},
                        {.live = {4, 4}, .size_bytes = 8},
                        {.live = {0, 9}, .size_bytes = 8}}});
  EXPECT_THAT(packing.offsets_bytes, ::testing::ElementsAre(0, 0, 0));
  EXPECT_EQ(packing.height_bytes, 8);
}

TEST(PackBuffersTest, ACapacityBelowTheLoadIsInfeasibleWithTheFloor) {
  const Packing packing = Pack(
      {.buffers = {{.live = {0, 2}, .size_bytes = 64}}, .capacity_bytes = 63});
  EXPECT_EQ(packing.status, PackingStatus::kInfeasible);
  EXPECT_EQ(packing.lower_bound_bytes, ByteCount(64));
  EXPECT_TRUE(packing.IsProven());
}

TEST(PackBuffersTest, MoreThanAnyAddressReachesIsInfeasible) {
  const PackingBuffer huge = {.live = {0, 1}, .size_bytes = int64_t{1} << 62};
  EXPECT_EQ(Pack({.buffers = {huge, huge}}).status, PackingStatus::kInfeasible);
  EXPECT_EQ(Pack({.buffers = {huge}}).height_bytes, int64_t{1} << 62);
}

TEST(PackBuffersTest, FixedBuffersInEachOthersWayAreInfeasible) {
  EXPECT_EQ(
      Pack({.buffers =
                {{.live = {0, 2}, .size_bytes = 8, .fixed_offset_bytes = 0},
                 {.live = {1, 3}, .size_bytes = 8, .fixed_offset_bytes = 4}}})
          .status,
      PackingStatus::kInfeasible);
}

TEST(PackBuffersTest, OthersGoAroundAFixedBuffer) {
  const Packing packing = Pack(
      {.buffers = {{.live = {0, 9}, .size_bytes = 8, .fixed_offset_bytes = 4},
                   {.live = {0, 9}, .size_bytes = 4},
                   {.live = {0, 9}, .size_bytes = 6}}});
  EXPECT_EQ(packing.height_bytes, 18);
  EXPECT_EQ(packing.offsets_bytes[0], 4);
}

// Coverage rows 21 to 29 of XLA's heap tests: sizes as there.
TEST(PackBuffersTest, BuffersThatAllOverlapStandOnOneAnother) {
  std::vector<PackingBuffer> buffers;
  for (int64_t size : {10, 20, 30, 40}) {
    buffers.push_back({.live = {0, 4}, .size_bytes = size});
  }
  EXPECT_EQ(Pack({.buffers = buffers}).height_bytes, 100);
  for (PackingBuffer& buffer : buffers) buffer.alignment_bytes = 20;
  const Packing aligned = Pack({.buffers = buffers});
  EXPECT_EQ(aligned.height_bytes, 110);
  EXPECT_TRUE(aligned.IsProven());
}

TEST(PackBuffersTest, ColocatedBuffersShareOneOffset) {
  const PackingBuffer pair = ColocateBuffers(
      {{.live = {0, 2}, .size_bytes = 40}, {.live = {4, 6}, .size_bytes = 40}});
  EXPECT_EQ(Pack({.buffers = {pair, {.live = {2, 4}, .size_bytes = 20}}})
                .height_bytes,
            40);
  EXPECT_EQ(Pack({.buffers = {pair, {.live = {2, 5}, .size_bytes = 20}}})
                .height_bytes,
            60);
}

TEST(PackBuffersTest, SlicesThatComeLaterLeaveTheirRoomBefore) {
  const PackingBuffer sliced = {.pieces = {{{0, 9}, 0, 32}, {{4, 9}, 32, 32}}};
  EXPECT_EQ(Pack({.buffers = {sliced, {.live = {0, 4}, .size_bytes = 32}}})
                .height_bytes,
            64);
}

TEST(PackBuffersTest, RefusesWhatMakesNoSense) {
  EXPECT_THAT(PackBuffers({.buffers = {{.live = {3, 1}}}}).status().message(),
              HasSubstr("buffer 0"));
}

// Sizes 1 and 2, times 0 to 3: all problems with up to three buffers.
TEST(PackBuffersTest, AllTinyProblemsAreSolvedAndProved) {
  std::vector<PackingBuffer> shapes;
  for (int64_t start = 0; start < 3; ++start) {
    for (int64_t end = start + 1; end <= 3; ++end) {
      for (int64_t size : {1, 2}) {
        shapes.push_back({.live = {start, end}, .size_bytes = size});
      }
    }
  }
  for (size_t a = 0; a < shapes.size(); ++a) {
    for (size_t b = a; b < shapes.size(); ++b) {
      for (size_t c = b; c < shapes.size(); ++c) {
        const PackingProblem problem = {
            .buffers = {shapes[a], shapes[b], shapes[c]}};
        const Packing packing = Pack(problem);
        EXPECT_TRUE(packing.IsProven());
        EXPECT_EQ(packing.height_bytes, BruteForce(problem).LeastHeight());
      }
    }
  }
}

// Random small problems, with everything a buffer can have.
class RandomProblems {
 public:
  explicit RandomProblems(uint32_t seed) : random_(seed) {}

  int64_t Number(int64_t below) {
    return static_cast<int64_t>(random_() % static_cast<uint32_t>(below));
  }

  PackingProblem Next(bool with_high_pieces) {
    PackingProblem problem;
    const int64_t count = 3 + Number(4);
    const bool is_aligned = Number(3) == 0;
    for (int64_t i = 0; i < count; ++i) {
      PackingBuffer buffer;
      const int64_t start = Number(7);
      buffer.live = {start, start + 1 + Number(5)};
      buffer.size_bytes = 1 + Number(5);
      if (is_aligned) buffer.alignment_bytes = 1 + Number(3);
      if (Number(5) == 0) {
        buffer.pieces.push_back({buffer.live, 0, buffer.size_bytes});
        const int64_t later = buffer.live.end + Number(2);
        buffer.pieces.push_back({{later, later + 1 + Number(2)},
                                 with_high_pieces ? Number(3) : 0,
                                 1 + Number(4)});
      }
      if (Number(12) == 0) {
        buffer.fixed_offset_bytes = Number(3) * buffer.alignment_bytes;
      }
      problem.buffers.push_back(buffer);
    }
    return problem;
  }

 private:
  std::mt19937 random_;
};

bool HasFixedConflict(const PackingProblem& problem) {
  return GreedyPacker(problem).HasFixedConflict();
}

TEST(PackBuffersTest, RandomProblemsAreSolvedAndProvedAsByBruteForce) {
  RandomProblems problems(11);
  for (int round = 0; round < 1500; ++round) {
    PackingProblem problem = problems.Next(/*with_high_pieces=*/false);
    const Packing packing = Pack(problem);
    if (HasFixedConflict(problem)) {
      EXPECT_EQ(packing.status, PackingStatus::kInfeasible);
      continue;
    }
    const int64_t least = BruteForce(problem).LeastHeight();
    EXPECT_EQ(packing.height_bytes, least) << "round " << round;
    EXPECT_TRUE(packing.IsProven()) << "round " << round;
    problem.capacity_bytes = least;
    EXPECT_EQ(Pack(problem).status, PackingStatus::kFeasible);
    problem.capacity_bytes = least - 1;
    EXPECT_EQ(Pack(problem).status, PackingStatus::kInfeasible);
  }
}

// With pieces that do not start at the buffer's offset nothing is promised but
// that what is said is true.
TEST(PackBuffersTest, BoundsAndProofsHoldForSlicedBuffers) {
  RandomProblems problems(12);
  int optimal = 0;
  int all = 0;
  for (int round = 0; round < 300; ++round) {
    PackingProblem problem = problems.Next(/*with_high_pieces=*/true);
    if (HasFixedConflict(problem)) continue;
    const Packing packing = Pack(problem, {.effort = 2000});
    const int64_t least = BruteForce(problem).LeastHeight();
    EXPECT_LE(packing.lower_bound_bytes, ByteCount(least));
    EXPECT_GE(packing.height_bytes, least);
    optimal += packing.height_bytes == least ? 1 : 0;
    ++all;
    problem.capacity_bytes = least;
    EXPECT_NE(Pack(problem, {.effort = 2000}).status,
              PackingStatus::kInfeasible);
  }
  EXPECT_GT(optimal * 100, all * 90);
}

PackingProblem ManyBuffers(int count, uint32_t seed) {
  std::mt19937 random(seed);
  PackingProblem problem;
  for (int i = 0; i < count; ++i) {
    const int64_t start = static_cast<int64_t>(random() % 200);
    const int64_t length = 1 + static_cast<int64_t>(random() % 60);
    problem.buffers.push_back(
        {.live = {start, start + length},
         .size_bytes = 1 + static_cast<int64_t>(random() % 1000)});
  }
  return problem;
}

TEST(PackBuffersTest, IsNeverAboveTheOrdersOfXla) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const PackingProblem problem = ManyBuffers(60, seed);
    GreedyPacker packer(problem);
    std::vector<int64_t> offsets(problem.buffers.size(), 0);
    const Packing packing = Pack(problem, {.effort = 0});
    for (GreedyOrder order :
         {GreedyOrder::kSizeDuration, GreedyOrder::kDurationSize}) {
      EXPECT_LE(packing.height_bytes,
                packer.Pack(packer.Order(order), GreedyFit::kBest,
                            GreedyPacker::kTooHigh, offsets));
    }
  }
}

void OnThreads(size_t count, const std::function<void(size_t)>& work) {
  std::vector<std::thread> threads;
  for (size_t i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(PackBuffersTest, TheAnswerDoesNotDependOnThreads) {
  for (uint32_t seed = 0; seed < 4; ++seed) {
    const PackingProblem problem = ManyBuffers(120, seed);
    const Packing one = Pack(problem, {.effort = 100'000});
    const Packing four =
        Pack(problem, {.effort = 100'000, .run_in_parallel = OnThreads});
    EXPECT_EQ(one.offsets_bytes, four.offsets_bytes);
    EXPECT_EQ(one.lower_bound_bytes, four.lower_bound_bytes);
  }
}

TEST(PackBuffersTest, EachPartCanBeLeftOut) {
  const PackingProblem problem = ManyBuffers(120, 5);
  const int64_t greedy = Pack(problem, {.effort = 0}).height_bytes;
  const int64_t searched =
      Pack(problem, {.effort = 50'000, .use_local_improvement = false})
          .height_bytes;
  const int64_t reordered =
      Pack(problem, {.effort = 50'000, .use_search = false}).height_bytes;
  EXPECT_LT(searched, greedy);
  EXPECT_LT(reordered, greedy);
}

TEST(PackBuffersTest, ACancelledRunGivesTheBestSoFarAndSaysSo) {
  const PackingProblem problem = ManyBuffers(120, 6);
  const Packing packing = Pack(problem, {.is_cancelled = [] { return true; }});
  EXPECT_EQ(packing.status, PackingStatus::kFeasible);
  EXPECT_TRUE(packing.timed_out);
}

TEST(PackBuffersTest, HundredsOfThousandsOfEqualBuffersAreStacked) {
  PackingProblem problem;
  problem.buffers.assign(200'000, {.live = {0, 10}, .size_bytes = 64});
  const Packing packing = Pack(problem);
  EXPECT_EQ(packing.height_bytes, 12'800'000);
  EXPECT_TRUE(packing.IsProven());
}

}  // namespace
}  // namespace ferry
