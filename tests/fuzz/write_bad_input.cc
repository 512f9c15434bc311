// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints bad input: `write_bad_input NAME BYTES`; without arguments the names.

#include <cstdint>
#include <iostream>

#include "absl/strings/numbers.h"
#include "ferry/tests/fuzz/bad_input.h"

int main(int argc, char** argv) {
  int64_t bytes = 0;
  for (const ferry::BadInput& kind : ferry::BadInputs()) {
    if (argc == 1) {
      std::cout << kind.name << "\n";
    } else if (argc == 3 && kind.name == argv[1] &&
               absl::SimpleAtoi(argv[2], &bytes)) {
      std::cout << kind.make(bytes);
      return 0;
    }
  }
  if (argc == 1) return 0;
  std::cerr << "usage: write_bad_input [NAME BYTES]\n";
  return 2;
}
