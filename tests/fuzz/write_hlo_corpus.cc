// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes each case of the `.hlo` files under a folder, and some random modules,
// into a file of its own, the latter as protos too: `write_hlo_corpus FROM TO`.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"
#include "ferry/tests/fuzz/hlo_corpus.h"
#include "ferry/tests/random_hlo/random_hlo_module.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: write_hlo_corpus FROM TO\n";
    return 2;
  }
  const std::filesystem::path to = argv[2];
  std::filesystem::create_directories(to);
  for (const ferry::HloCase& one : ferry::ReadHloCorpus(argv[1])) {
    std::ofstream(to / one.name, std::ios::binary) << one.text;
  }
  for (uint64_t seed = 0; seed < 60; ++seed) {
    ferry::HloContext context;
    // Few operations: small inputs are changed and run more often.
    const auto module = ferry::RandomHloModule(
        {.seed = seed, .operations = 4, .call_depth = 1}, context);
    const std::string name = "random_" + std::to_string(seed);
    std::ofstream(to / name, std::ios::binary) << ferry::HloToString(*module);
    if (const auto proto = ferry::HloToProto(*module); proto.ok()) {
      std::ofstream(to / (name + ".pb"), std::ios::binary) << *proto;
    }
  }
  return 0;
}
