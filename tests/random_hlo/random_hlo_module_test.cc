// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/random_hlo/random_hlo_module.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "ferry/hlo/diagnostic.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/hlo_verifier.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr uint64_t kModules = 400;

// Opcode and attribute names of all instructions of modules 0 .. kModules-1.
std::set<std::string> Occurring() {
  std::set<std::string> names;
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    HloContext context;
    const auto module = RandomHloModule({.seed = seed}, context);
    for (const HloComputation* computation : module->computations()) {
      for (const HloInstruction& x : computation->instructions()) {
        names.insert(std::string(HloOpcodeName(x.opcode())));
        for (const HloAttribute& attribute : x.attributes()) {
          names.insert("=" + std::string(HloAttributeName(attribute.kind)));
        }
        for (int32_t node = 0; node < x.shape().node_count(); ++node) {
          names.insert(std::string(PrimitiveTypeName(
                           x.shape().NodeAt(node).element_type())) +
                       "[]");
        }
      }
    }
  }
  return names;
}

TEST(RandomHloModuleTest, EverythingOccurs) {
  const std::set<std::string> occurring = Occurring();
  std::set<std::string> missing;
  for (const char* name : {
#define FERRY_HLO_OPCODE(enumerator, name, min, max, traits) name,
#include "ferry/hlo/hlo_opcode.def"
#define FERRY_HLO_ATTRIBUTE(enumerator, name, form) "=" name,
#include "ferry/hlo/hlo_attribute.def"
#define FERRY_PRIMITIVE_TYPE(enumerator, name, bits) name "[]",
#include "ferry/hlo/primitive_type.def"
       }) {
    if (!occurring.count(name)) missing.insert(name);
  }
  // What newer compilers write has no name, and XLA reads `mode` to drop it.
  EXPECT_THAT(missing, testing::ElementsAre("=", "=mode"));
}

// The module that reads from a print; the verifier finds nothing in it.
std::unique_ptr<HloModule> ReadAgain(const std::string& text,
                                     HloContext& context) {
  HloParseResult again = ParseHlo(SourceText::FromString(text, "random.hlo"),
                                  context, {.allow_unknown = false});
  EXPECT_EQ(RenderDiagnostics(again.diagnostics), "");
  if (again.module != nullptr) {
    EXPECT_EQ(RenderDiagnostics(VerifyHlo(*again.module)), "");
  }
  return std::move(again.module);
}

std::vector<std::string> SortedLines(const std::string& text) {
  std::vector<std::string> lines = absl::StrSplit(text, '\n');
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Prints, reads, prints, reads, prints. Without a schedule the first print puts
// instructions into XLA's order, by which computations are ordered the next
// time.
void CheckRoundTrip(const RandomHloOptions& options) {
  SCOPED_TRACE(options.seed);
  HloContext context;
  const auto module = RandomHloModule(options, context);
  const std::string first = HloToString(*module);
  ASSERT_EQ(RenderDiagnostics(VerifyHlo(*module)), "") << first;
  const auto again = ReadAgain(first, context);
  ASSERT_NE(again, nullptr);
  const std::string second = HloToString(*again);
  EXPECT_EQ(SortedLines(second), SortedLines(first));
  if (module->is_scheduled()) {
    EXPECT_EQ(second, first);
    return;
  }
  const auto last = ReadAgain(second, context);
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(HloToString(*last), second);
}

TEST(RandomHloModuleTest, PrintsWhatReadsAndPrintsTheSame) {
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    CheckRoundTrip({.seed = seed});
    if (HasFailure()) return;
  }
}

TEST(RandomHloModuleTest, ExecutableModulesAreOfPlainOperations) {
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    CheckRoundTrip(ExecutableRandomHlo(seed));
    HloContext context;
    const auto module = RandomHloModule(ExecutableRandomHlo(seed), context);
    for (const HloComputation* computation : module->computations()) {
      for (const HloInstruction& x : computation->instructions()) {
        EXPECT_FALSE(HasTrait(x.opcode(), kCollective));
        EXPECT_NE(x.opcode(), HloOpcode::kCustomCall);
        EXPECT_FALSE(x.shape().is_dynamic());
      }
    }
    if (HasFailure()) return;
  }
}

TEST(RandomHloModuleTest, OffloadedModulesMoveValuesToTheHost) {
  int to_host = 0;
  for (uint64_t seed = 0; seed < kModules; ++seed) {
    CheckRoundTrip(HostOffloadRandomHlo(seed));
    HloContext context;
    const auto module = RandomHloModule(HostOffloadRandomHlo(seed), context);
    for (const HloInstruction& x : module->entry().instructions()) {
      to_host += x.IsCustomCall("MoveToHost");
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(to_host, static_cast<int>(kModules));
}

TEST(RandomHloModuleTest, TheSameSeedGivesTheSameModule) {
  HloContext context;
  EXPECT_EQ(HloToString(*RandomHloModule({.seed = 7}, context)),
            HloToString(*RandomHloModule({.seed = 7}, context)));
  EXPECT_NE(HloToString(*RandomHloModule({.seed = 7}, context)),
            HloToString(*RandomHloModule({.seed = 8}, context)));
}

}  // namespace
}  // namespace ferry
