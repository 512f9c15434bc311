// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TOOLS_PROGRESS_H_
#define FERRY_TOOLS_PROGRESS_H_

#include <chrono>
#include <cstddef>

namespace ferry {

// One line on the terminal behind stderr, while work on many inputs goes on:
//
//   12 of 40 done
//
// It shows up only if the work takes longer than `patience`, replaces itself,
// and is gone at the end. Call Clear() before anything else is written there.
// For one thread. Tested by progress_test.cc.
class Progress {
 public:
  struct Options {
    bool is_on = false;  // the caller knows whether a terminal reads
    std::chrono::milliseconds patience{1000};
  };

  Progress(size_t count, Options options);
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Show(size_t done);
  void Clear();

 private:
  const size_t count_;
  const Options options_;
  const std::chrono::steady_clock::time_point start_;
  bool is_shown_ = false;
};

}  // namespace ferry

#endif  // FERRY_TOOLS_PROGRESS_H_
