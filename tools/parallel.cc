// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace ferry {

void RunInParallel(size_t count, int threads,
                   const std::function<void(size_t)>& work,
                   const std::function<void(size_t)>& done) {
  if (threads <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) {
      work(i);
      done(i);
    }
    return;
  }
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::condition_variable finished;
  std::vector<bool> is_finished(count, false);
  const auto take_items = [&] {
    for (size_t i = next++; i < count; i = next++) {
      work(i);
      const std::lock_guard<std::mutex> lock(mutex);
      is_finished[i] = true;
      finished.notify_one();
    }
  };
  std::vector<std::thread> pool;
  const size_t pool_size = std::min<size_t>(threads, count);
  for (size_t i = 0; i < pool_size; ++i) pool.emplace_back(take_items);
  for (size_t i = 0; i < count; ++i) {
    {
      std::unique_lock<std::mutex> lock(mutex);
      finished.wait(lock, [&] { return is_finished[i]; });
    }
    done(i);
  }
  for (std::thread& thread : pool) thread.join();
}

int ThreadCount(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace ferry
