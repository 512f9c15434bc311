// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_ASYNC_THREADS_H_
#define FERRY_HLO_ASYNC_THREADS_H_

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_module.h"
#include "llvm/ADT/DenseMap.h"

namespace ferry {

// All that an async-start runs runs on its thread, whatever the text says of
// the computations:
//
//   add { ... }                                  thread "t" after `s`
//   w { ... reduce(..), to_apply=add }           too
//   s = .. async-start(x), calls=w, async_execution_thread="t"
//
// as XLA has it when it reads a module. Tested by async_threads_test.cc.
class AsyncThreads {
 public:
  // References must outlive this.
  explicit AsyncThreads(HloModule& module) : module_(module) {}

  // Gives the thread of an async-start to what it calls, and to what that
  // calls; async-starts among it included. Amortized linear in the module,
  // unless starts of several threads call the same computations.
  void Enter(const HloInstruction& start);

 private:
  HloModule& module_;
  // The thread that a computation got last.
  llvm::DenseMap<const HloComputation*, absl::string_view> entered_;
};

}  // namespace ferry

#endif  // FERRY_HLO_ASYNC_THREADS_H_
