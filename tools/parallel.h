// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_PARALLEL_H_
#define FERRY_TOOLS_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace ferry {

// Calls work(0), ..., work(count - 1) on up to `threads` threads, in any order,
// and done(0), ..., done(count - 1) on the calling thread, in this order, each
// as soon as its work and all earlier are done. With one thread or one item
// everything happens on the calling thread. Tested by parallel_test.cc.
void RunInParallel(size_t count, int threads,
                   const std::function<void(size_t)>& work,
                   const std::function<void(size_t)>& done);

// `requested`, or, if that is 0, as many as the machine runs at once.
int ThreadCount(int requested);

}  // namespace ferry

#endif  // FERRY_TOOLS_PARALLEL_H_
