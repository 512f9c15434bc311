// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints random modules: `random_hlo N [any|executable|offload]`.

#include <cstdint>
#include <iostream>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/tests/random_hlo/random_hlo_module.h"

int main(int argc, char** argv) {
  const absl::string_view kind = argc > 2 ? argv[2] : "any";
  uint64_t seed = 0;
  if (argc < 2 || argc > 3 || !absl::SimpleAtoi(argv[1], &seed) ||
      (kind != "any" && kind != "executable" && kind != "offload")) {
    std::cerr << "usage: random_hlo SEED [any|executable|offload]\n";
    return 2;
  }
  ferry::RandomHloOptions options;
  options.seed = seed;
  if (kind == "executable") options = ferry::ExecutableRandomHlo(seed);
  if (kind == "offload") options = ferry::HostOffloadRandomHlo(seed);
  ferry::HloContext context;
  std::cout << ferry::HloToString(*ferry::RandomHloModule(options, context));
  return 0;
}
