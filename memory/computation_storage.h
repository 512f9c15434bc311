// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_MEMORY_COMPUTATION_STORAGE_H_
#define FERRY_MEMORY_COMPUTATION_STORAGE_H_

#include <cstdint>
#include <vector>

#include "ferry/hlo/hlo_module.h"

namespace ferry {

// Where the values of a computation live, which its callers decide.
enum class ComputationStorage : uint8_t {
  // Nothing that the entry reaches calls it.
  kUnreachable,
  // The entry, and what call, while, conditional or async-start run: its
  // values are values of the program, with times in its schedule.
  kGlobal,
  // What runs once an element or in a library, as the combiner of a reduce or
  // the computation of a host call do: its values are scratch of their own.
  kThreadLocal,
  // The body of a fusion: part of one instruction, it has no values.
  kFused,
};

// By ComputationId. A computation that is called in several of these ways is
// what comes first of kGlobal, kThreadLocal and kFused; `conflicts`, if not
// null, gets those that are both run and called for each element, which XLA
// rejects. Linear in calls. Tested by computation_storage_test.cc.
std::vector<ComputationStorage> FindComputationStorage(
    const HloModule& module,
    std::vector<const HloComputation*>* conflicts = nullptr);

}  // namespace ferry

#endif  // FERRY_MEMORY_COMPUTATION_STORAGE_H_
