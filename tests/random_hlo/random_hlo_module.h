// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_RANDOM_HLO_RANDOM_HLO_MODULE_H_
#define FERRY_TESTS_RANDOM_HLO_RANDOM_HLO_MODULE_H_

#include <cstdint>
#include <memory>

#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"

namespace ferry {

// What random modules are made of. By default everything that XLA's reader and
// verifier accept: over some hundred seeds each opcode of hlo_opcode.def, each
// attribute of hlo_attribute.def that XLA prints, each element type.
struct RandomHloOptions {
  // The same options give the same module, on every machine.
  uint64_t seed = 0;
  // About so many operations in the entry, beside the operands that they need,
  // and a third of it in each computation that is called.
  int operations = 24;
  // Levels of computations that call computations.
  int call_depth = 2;
  int max_rank = 4;
  int64_t max_dimension = 6;

  // Families of operations.
  bool control_flow = true;  // while, conditional, call
  bool fusions = true;
  bool async = true;           // async-start .. async-done, copy-start
  bool callees = true;         // reduce, sort, scatter, map, scan, ...
  bool linear_algebra = true;  // dot, convolution, fft, cholesky, ...
  bool collectives = true;     // with channels, infeed, outfeed, send, recv
  bool custom_calls = true;    // and what only they make: opaque[], b(..)
  bool random_numbers = true;
  bool batch_norm = true;

  // Forms of values.
  bool dynamic_dimensions = true;  // `<=4`, `?`
  bool narrow_types = true;        // fewer than 8 bits, f8*, f6*, f4*
  bool complex_types = true;
  bool layouts = true;            // any order, tiles, E, L, M, SC
  bool memory_spaces = true;      // S(n), in layouts and copies
  bool elided_constants = false;  // `{...}`

  // What stands beside the operations.
  bool annotations = true;  // shardings, metadata, backend_config, ...
  bool header = true;       // aliases, donors, counts, propagation
  bool stack_frames = true;
  enum class Schedule { kEither, kAlways, kNever };
  Schedule schedule = Schedule::kEither;

  // Values that go to host memory and come back, by annotation and by layout,
  // through slices, loops and tuples: what the tracker is for.
  bool host_offload = false;
};

// Only what can be executed on one device and gives the same values each time:
// no collectives, custom calls or random numbers, known sizes, plain layouts,
// types of whole bytes; loops end after a few steps; few elements.
RandomHloOptions ExecutableRandomHlo(uint64_t seed);

// Values go to host memory and come back; all else is small and plain.
RandomHloOptions HostOffloadRandomHlo(uint64_t seed);

// A valid module: VerifyHlo finds nothing, every attribute is canonical, and
// all names differ. Built through the building functions of HloModule, which
// it so tests. Every value is made from others of the module where one fits:
//
//   an emitter      wants operands       Value(shape) gives
//   dot             f32[3,4], f32[4,2]   one that is there, or a parameter,
//                                        constant, broadcast, tuple, ...
//
// Tested by random_hlo_module_test.cc; `random_hlo N` prints module N.
std::unique_ptr<HloModule> RandomHloModule(const RandomHloOptions& options,
                                           HloContext& context);

}  // namespace ferry

#endif  // FERRY_TESTS_RANDOM_HLO_RANDOM_HLO_MODULE_H_
