// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_PACK_BUFFERS_H_
#define FERRY_MEMORY_PACK_BUFFERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "ferry/memory/packing.h"
#include "ferry/memory/packing_problem.h"

namespace ferry {

struct PackingOptions {
  // How much searching may be done after the greedy packers, in steps of very
  // roughly a microsecond; 0: greedy only. The answer is the same whenever
  // this is the same, on any machine and with any number of threads.
  int64_t effort = 4'000'000;
  // A safety stop: what is best so far is returned, and says that it timed out.
  absl::Duration time_limit = absl::InfiniteDuration();
  // Asked now and then, from any thread; true stops as the time limit does.
  std::function<bool()> is_cancelled;
  // Calls work(0), ..., work(count - 1), in any order and on any threads, and
  // comes back when all are done. None: one after another.
  std::function<void(size_t count, const std::function<void(size_t)>& work)>
      run_in_parallel;

  // Each part can be left out, to be measured alone.
  bool use_search = true;
  bool use_local_improvement = true;
};

// Gives every buffer an offset: below the capacity if there is one, else as
// low as can be found, and says how low any packing must reach.
//
// Without a capacity never higher than XLA's heap packer, both of whose orders
// are tried, unless more than a thousand million pairs of buffers are live
// together: then buffers are placed in the order of time alone. An answer is
// `infeasible` only with a proof. The greedy packers, which run in any case,
// are near-linear in the pairs that are live together; the search ends when
// the effort is used up. Errors: those of ValidatePackingProblem().
// Tested by pack_buffers_test.cc, against VerifyPacking() and brute force.
absl::StatusOr<Packing> PackBuffers(const PackingProblem& problem,
                                    const PackingOptions& options = {});

}  // namespace ferry

#endif  // FERRY_MEMORY_PACK_BUFFERS_H_
