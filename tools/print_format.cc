// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/print_format.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "ferry/hlo/did_you_mean.h"
#include "ferry/hlo/hlo_dot_printer.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/neighborhood.h"
#include "ferry/hlo/printable_text.h"
#include "ferry/hlo/printed_instruction_count.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"

namespace ferry {
namespace {

absl::Status NoSuch(absl::string_view what, absl::string_view name,
                    const std::vector<absl::string_view>& names) {
  std::string message =
      absl::StrCat("there is no ", what, " `", ToPrintableLine(name).text, "`");
  // No help from more.
  constexpr size_t kMostCandidates = 50000;
  if (names.size() <= kMostCandidates) {
    const absl::string_view near = NearestName(name, names);
    if (!near.empty()) {
      absl::StrAppend(&message, "; did you mean `", near, "`?");
    }
  }
  return absl::InvalidArgumentError(message);
}

template <typename Printed>
std::string Print(const Printed& printed, const PrintFormat& format) {
  return format.kind == PrintFormat::Kind::kDot
             ? HloToDot(printed)
             : HloToString(printed, format.options);
}

const HloComputation* FindComputation(const HloModule& module,
                                      absl::string_view name) {
  for (const HloComputation* computation : module.computations()) {
    if (computation->name() == name) return computation;
  }
  return nullptr;
}

const HloInstruction* FindInstruction(const HloModule& module,
                                      absl::string_view name) {
  for (InstructionId id = 0; id < module.id_limit(); ++id) {
    const HloInstruction* instruction = module.instruction(id);
    if (instruction != nullptr && instruction->name() == name) {
      return instruction;
    }
  }
  return nullptr;
}

// The name is that of the other kind of thing, which has a flag of its own.
absl::Status WrongFlag(absl::string_view name, absl::string_view is,
                       absl::string_view is_not, absl::string_view flag) {
  const std::string shown = ToPrintableLine(name).text;
  return absl::InvalidArgumentError(absl::StrCat("`", shown, "` is ", is,
                                                 ", not ", is_not, "; ", flag,
                                                 "=", shown, " prints it"));
}

absl::StatusOr<std::string> PrintComputation(const HloModule& module,
                                             const PrintFormat& format,
                                             absl::string_view name) {
  absl::ConsumePrefix(&name, "%");
  if (const HloComputation* found = FindComputation(module, name)) {
    return Print(*found, format);
  }
  if (FindInstruction(module, name) != nullptr) {
    return WrongFlag(name, "an instruction", "a computation", "--around");
  }
  std::vector<absl::string_view> names;
  for (const HloComputation* computation : module.computations()) {
    names.push_back(computation->name());
  }
  return NoSuch("computation", name, names);
}

absl::StatusOr<std::string> PrintAround(const HloModule& module,
                                        const PrintFormat& format,
                                        const PrintPart& part) {
  absl::string_view name = part.around;
  absl::ConsumePrefix(&name, "%");
  if (const HloInstruction* found = FindInstruction(module, name)) {
    return Print(Neighborhood(*found, part.depth), format);
  }
  if (FindComputation(module, name) != nullptr) {
    return WrongFlag(name, "a computation", "an instruction", "--computation");
  }
  std::vector<absl::string_view> names;
  for (InstructionId id = 0; id < module.id_limit(); ++id) {
    const HloInstruction* instruction = module.instruction(id);
    if (instruction != nullptr) names.push_back(instruction->name());
  }
  return NoSuch("instruction", name, names);
}

}  // namespace

std::vector<std::string> PrintFormatNames() {
  return {"full", "text", "short", "canonical", "fingerprint",
          "dump", "dot",  "pb",    "pbtxt"};
}

PrintFormat PrintFormatOf(absl::string_view name) {
  using Options = HloPrintOptions;
  constexpr auto kHlo = PrintFormat::Kind::kHlo;
  if (name == "text") return PrintFormat{kHlo, Options::Default()};
  if (name == "short") return PrintFormat{kHlo, Options::ShortParsable()};
  if (name == "canonical") return PrintFormat{kHlo, Options::Canonical()};
  if (name == "fingerprint") return PrintFormat{kHlo, Options::Fingerprint()};
  if (name == "dump") return PrintFormat{kHlo, Options::Dump()};
  if (name == "dot") return PrintFormat{PrintFormat::Kind::kDot, {}};
  if (name == "pb") return PrintFormat{PrintFormat::Kind::kProto, {}};
  if (name == "pbtxt") return PrintFormat{PrintFormat::Kind::kProtoText, {}};
  return PrintFormat{kHlo, Options::Full()};
}

absl::StatusOr<std::string> PrintModule(const HloModule& module,
                                        const PrintFormat& format,
                                        const PrintPart& part) {
  if (format.IsProto()) {
    if (!part.computation.empty() || !part.around.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          part.around.empty() ? "--computation" : "--around",
          " does not go with --print-format=pb and pbtxt: a proto holds a "
          "whole module"));
    }
    return format.kind == PrintFormat::Kind::kProto ? HloToProto(module)
                                                    : HloToProtoText(module);
  }
  constexpr uint64_t kMostInstructions = 50'000'000;
  const uint64_t count = PrintedInstructionCount(module, format.options);
  if (format.options.canonical && count > kMostInstructions) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "this print repeats called computations where they are called, which "
        "makes ",
        count, " instructions, more than ", kMostInstructions));
  }
  if (!part.computation.empty()) {
    return PrintComputation(module, format, part.computation);
  }
  if (!part.around.empty()) return PrintAround(module, format, part);
  return Print(module, format);
}

}  // namespace ferry
