// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_LAYOUT_PROBLEM_H_
#define FERRY_HLO_LAYOUT_PROBLEM_H_

#include <string>

#include "ferry/hlo/shape.h"

namespace ferry {

// Why no array can have the layout that `array` has, in words that continue
// "the layout of f32[8,8]{0,0} "; empty if it can.
//
// The minor-to-major order must be a permutation, tiles positive, the element
// size not negative, splits inside their dimension and in order, types of
// indices and pointers absent (arrays are dense), and the bytes of all elements
// must be fewer than 2^63. Text may break these rules for an array alone, until
// it is verified, but neither inside of a tuple nor for a constant.
// Tested by layout_problem_test.cc.
std::string LayoutProblem(const Shape& array);

}  // namespace ferry

#endif  // FERRY_HLO_LAYOUT_PROBLEM_H_
