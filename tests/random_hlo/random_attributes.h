// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_TESTS_RANDOM_HLO_RANDOM_ATTRIBUTES_H_
#define FERRY_TESTS_RANDOM_HLO_RANDOM_ATTRIBUTES_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ferry/hlo/primitive_type.h"
#include "ferry/hlo/shape.h"
#include "ferry/tests/random_hlo/random_source.h"

namespace ferry {

// Random values of attributes, each as XLA prints it.

// `{1,2}`.
std::string IntegersText(absl::Span<const int64_t> numbers);
// Of every kind: whole-value, tiled, iota, subgroups, named axes; one for each
// leaf of a tuple. Metadata of the sharding only if asked for: `domain` drops it.
std::string RandomSharding(RandomSource& random, const Shape& shape,
                           bool metadata = true);
// Groups of `size` out of `devices` ids, in one of the three forms.
std::string RandomReplicaGroups(RandomSource& random, int64_t groups,
                                int64_t size);
// A frame of 0 is none.
std::string RandomMetadata(RandomSource& random, int32_t stack_frame_id);
std::string RandomBackendConfig(RandomSource& random);
std::string RandomFrontendAttributes(RandomSource& random);
std::string RandomStatistics(RandomSource& random);
std::string RandomOrigin(RandomSource& random, const Shape& shape);
std::string RandomResultAccuracy(RandomSource& random);
// A quoted string, sometimes with escapes.
std::string RandomString(RandomSource& random);
// One value of an element type.
std::string RandomScalar(RandomSource& random, PrimitiveType type);
// The literal of an array or tuple shape, as `constant` has it.
std::string RandomLiteral(RandomSource& random, const Shape& shape);

}  // namespace ferry

#endif  // FERRY_TESTS_RANDOM_HLO_RANDOM_ATTRIBUTES_H_
