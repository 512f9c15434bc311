// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_HLO_PRINT_OPTIONS_H_
#define FERRY_HLO_HLO_PRINT_OPTIONS_H_

#include <cstdint>

namespace ferry {

// How to write a module as text.
//
// The named constructors are those of XLA's class of this name, and give its
// bytes; Full and Dump are for files. Start from one of them:
//
//   HloPrintOptions options = HloPrintOptions::Default();
//   options.metadata = false;
//
// Tested by hlo_printer_test.cc.
struct HloPrintOptions {
  enum class Constants : uint8_t {
    kSmall,      // arrays of up to ten elements; else `{...}`
    kAll,        // as given; what was read elided stays so
    kEssential,  // integers, all 0 and all 1; else `{...}`
  };
  // `negate-start(x)` in place of `async-start(x), calls=wrapped`.
  enum class AsyncSugar : uint8_t {
    kNone,
    // Wherever the wrapped computation is parameters and one operation, as XLA
    // does, though names and attributes inside it, and even the order of its
    // operands, may not come back.
    kAlways,
    // Where reading gives the same program again.
    kLossless,
  };

  Constants constants = Constants::kSmall;
  AsyncSugar async_sugar = AsyncSugar::kAlways;
  bool percent = true;  // `%` on names
  bool operand_shapes = false;
  bool metadata = true;  // and the stack-frame tables
  bool backend_config = true;
  bool control_predecessors = true;
  bool signatures = true;      // `(p: f32[2]) -> f32[2]`
  bool index_comments = true;  // `/*index=5*/` on operands
  // Called computations written out where they are called, and instructions
  // named `tmp_0`, `tmp_1`, ... by their place: texts of equal programs are
  // equal, whatever their names.
  bool canonical = false;
  bool module_and_computation_names = true;
  bool computations_in_post_order = true;  // else as they are stored
  int indent = 0;                          // of all lines, in steps of two
  // Stack frames are numbered as reading the print numbers them, so that a file
  // that is read and written stays the same; else as they are stored.
  bool frames_as_read_again = false;
  bool feed_configs = true;            // of infeed and outfeed
  bool compact_replica_groups = true;  // `[2,2]<=[4]` as it stands
  bool parameter_replication = true;

  // What jaxlib's to_string() gives.
  static HloPrintOptions Default() { return {}; }
  // Loses nothing: all constants, asynchronous operations as they can be read
  // again.
  static HloPrintOptions Full() {
    HloPrintOptions options;
    options.constants = Constants::kAll;
    options.async_sugar = AsyncSugar::kLossless;
    options.frames_as_read_again = true;
    return options;
  }
  // The form of the compiler's dump files.
  static HloPrintOptions Dump() {
    HloPrintOptions options;
    options.async_sugar = AsyncSugar::kNone;
    return options;
  }
  // Easy to write by hand: no `%`, no signatures, no metadata.
  static HloPrintOptions ShortParsable() {
    HloPrintOptions options;
    options.constants = Constants::kAll;
    options.percent = false;
    options.metadata = false;
    options.control_predecessors = false;
    options.signatures = false;
    options.index_comments = false;
    return options;
  }
  // Equal for programs that differ in names, metadata and backends only.
  static HloPrintOptions Canonical() {
    HloPrintOptions options = ShortParsable();
    options.constants = Constants::kSmall;
    options.operand_shapes = true;
    options.backend_config = false;
    options.canonical = true;
    return options;
  }
  // Canonical, without what does not change how a program is optimised.
  static HloPrintOptions Fingerprint() {
    HloPrintOptions options = Canonical();
    options.constants = Constants::kEssential;
    options.module_and_computation_names = false;
    options.computations_in_post_order = false;
    options.feed_configs = false;
    options.compact_replica_groups = false;
    options.parameter_replication = false;
    return options;
  }
};

}  // namespace ferry

#endif  // FERRY_HLO_HLO_PRINT_OPTIONS_H_
