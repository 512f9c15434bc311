// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef FERRY_HLO_VERSION_H_
#define FERRY_HLO_VERSION_H_

// The one place that holds Ferry's version. `--version` prints it, every JSON
// answer carries it, and CMakeLists.txt reads it from this very line.
//
// Tested by version_test.cc.
namespace ferry {

inline constexpr char kFerryVersion[] = "0.1.0";

}  // namespace ferry

#endif  // FERRY_HLO_VERSION_H_
