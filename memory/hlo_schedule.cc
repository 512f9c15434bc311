// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/hlo_schedule.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {
namespace {

using Sequence = std::vector<InstructionId>;

constexpr DiagnosticCode kCode = DiagnosticCode::kOperandNotAbove;

Sequence StoredOrder(const HloComputation& computation) {
  Sequence sequence;
  for (const HloInstruction& instruction : computation.instructions()) {
    sequence.push_back(instruction.id());
  }
  return sequence;
}

// What an instruction waits for, each as often as it is named.
template <typename Visit>
void ForEachPredecessor(const HloInstruction& instruction, Visit visit) {
  for (const HloInstruction* operand : instruction.operands()) {
    visit(*operand, "operand");
  }
  for (const HloInstruction* before : instruction.control_predecessors()) {
    visit(*before, "control predecessor");
  }
}

// The findings about one sequence.
class SequenceVerifier {
 public:
  SequenceVerifier(const HloComputation& computation, const Sequence& sequence,
                   llvm::BitVector& seen, std::vector<Diagnostic>& findings)
      : computation_(computation),
        sequence_(sequence),
        seen_(seen),
        findings_(findings) {}

  void Run() {
    for (InstructionId id : sequence_) Place(id);
    size_t expected = 0;
    for (const HloInstruction& instruction : computation_.instructions()) {
      ++expected;
      if (!seen_.test(instruction.id())) {
        Add(instruction, absl::StrCat("Instruction ", instruction.name(),
                                      " is not in schedule"));
      }
    }
    if (sequence_.size() != expected) {
      findings_.push_back(MakeDiagnostic(
          kCode, PlaceOf(computation_),
          {absl::StrCat("Schedule for computation ", computation_.name(),
                        " has ", sequence_.size(), " instructions, expected ",
                        expected)}));
    }
  }

 private:
  void Add(const HloInstruction& instruction, const std::string& message) {
    findings_.push_back(MakeDiagnostic(kCode, PlaceOf(instruction), {message}));
  }

  void Place(InstructionId id) {
    const HloModule& module = computation_.module();
    const HloInstruction* instruction =
        id < module.id_limit() ? module.instruction(id) : nullptr;
    // What was removed, or is elsewhere, shows in the count.
    if (instruction == nullptr || &instruction->parent() != &computation_) {
      return;
    }
    if (seen_.test(id)) {
      Add(*instruction,
          absl::StrCat("Instruction ", instruction->name(),
                       " appears more than once in the schedule"));
    }
    ForEachPredecessor(*instruction, [&](const HloInstruction& before,
                                         absl::string_view what) {
      if (seen_.test(before.id())) return;
      Add(*instruction, absl::StrCat("Instruction ", instruction->name(),
                                     " is not scheduled after its ", what, " ",
                                     before.name()));
    });
    seen_.set(id);
  }

  const HloComputation& computation_;
  const Sequence& sequence_;
  llvm::BitVector& seen_;  // of the module
  std::vector<Diagnostic>& findings_;
};

// Fits one sequence to its computation. Those that stay are visited in their
// order and placed if what they wait for is placed; if not, they are as free as
// the new ones, which are placed as soon as nothing is missing.
class SequenceUpdater {
 public:
  SequenceUpdater(const HloComputation& computation, const Sequence& old)
      : computation_(computation), old_(old) {}

  // False if not all could be placed.
  bool Run(Sequence& updated) {
    size_t size = 0;
    llvm::DenseSet<InstructionId> staying(old_.begin(), old_.end());
    for (const HloInstruction& instruction : computation_.instructions()) {
      ++size;
      int32_t& waiting = waiting_[instruction.id()];
      ForEachPredecessor(instruction,
                         [&](const HloInstruction& before, absl::string_view) {
                           ++waiting;
                           waits_for_[before.id()].push_back(instruction.id());
                         });
      if (!staying.contains(instruction.id())) free_.insert(instruction.id());
    }
    for (const HloInstruction& instruction : computation_.instructions()) {
      PlaceIfFree(instruction.id(), updated);
    }
    for (InstructionId id : old_) {
      const auto waiting = waiting_.find(id);
      if (waiting == waiting_.end() || placed_.contains(id)) continue;
      if (waiting->second == 0) {
        Place(id, updated);
      } else {
        free_.insert(id);
      }
    }
    return updated.size() == size;
  }

 private:
  void PlaceIfFree(InstructionId id, Sequence& updated) {
    if (free_.contains(id) && !placed_.contains(id) && waiting_[id] == 0) {
      Place(id, updated);
    }
  }

  // `first`, and all free ones that waited for it alone.
  void Place(InstructionId first, Sequence& updated) {
    Sequence work = {first};
    placed_.insert(first);
    for (size_t next = 0; next < work.size(); ++next) {
      updated.push_back(work[next]);
      for (InstructionId user : waits_for_[work[next]]) {
        if (--waiting_[user] == 0 && free_.contains(user)) {
          placed_.insert(user);
          work.push_back(user);
        }
      }
    }
  }

  const HloComputation& computation_;
  const Sequence& old_;
  llvm::DenseMap<InstructionId, int32_t> waiting_;
  llvm::DenseMap<InstructionId, Sequence> waits_for_;
  llvm::DenseSet<InstructionId> free_;
  llvm::DenseSet<InstructionId> placed_;
};

}  // namespace

HloSchedule HloSchedule::FromModule(const HloModule& module) {
  HloSchedule schedule;
  for (const HloComputation* computation : module.computations()) {
    if (computation->IsFusionBody()) continue;
    schedule.set_sequence(*computation, StoredOrder(*computation));
  }
  return schedule;
}

std::optional<absl::Span<const InstructionId>> HloSchedule::sequence(
    const HloComputation& computation) const {
  const auto found = sequences_.find(&computation);
  if (found == sequences_.end()) return std::nullopt;
  return absl::MakeConstSpan(found->second);
}

void HloSchedule::set_sequence(const HloComputation& computation,
                               std::vector<InstructionId> sequence) {
  sequences_[&computation] = std::move(sequence);
}

std::vector<Diagnostic> HloSchedule::Verify(const HloModule& module) const {
  std::vector<Diagnostic> findings;
  llvm::BitVector seen(module.id_limit());
  // Of each thread.
  struct Count {
    size_t sequences = 0;
    size_t computations = 0;
  };
  std::map<absl::string_view, Count> threads;
  size_t known = 0;
  for (const HloComputation* computation : module.computations()) {
    if (computation->IsFusionBody()) continue;
    Count& count = threads[computation->execution_thread()];
    ++count.computations;
    const auto found = sequences_.find(computation);
    if (found == sequences_.end()) {
      findings.push_back(
          MakeDiagnostic(kCode, PlaceOf(*computation),
                         {absl::StrCat("Computation ", computation->name(),
                                       " missing from HLO schedule.")}));
      continue;
    }
    ++count.sequences;
    ++known;
    SequenceVerifier(*computation, found->second, seen, findings).Run();
  }
  for (const auto& [thread, count] : threads) {
    // Sequences of nothing in the module are no thread's: the entry's has them.
    const bool is_entrys = thread == module.entry().execution_thread();
    const size_t sequences =
        count.sequences + (is_entrys ? sequences_.size() - known : 0);
    if (sequences == count.computations) continue;
    findings.push_back(MakeDiagnostic(
        kCode, PlaceOf(module.entry()),
        {absl::StrCat("For thread ", thread, ", schedule has ", sequences,
                      " sequences, but module has ", count.computations,
                      " non-fusion computations for thread ", thread)}));
  }
  return findings;
}

absl::Status HloSchedule::Update(const HloModule& module,
                                 absl::Span<const absl::string_view> threads) {
  HloSchedule updated;
  for (const HloComputation* computation : module.computations()) {
    if (computation->IsFusionBody()) continue;
    const bool changes =
        threads.empty() ||
        std::find(threads.begin(), threads.end(),
                  computation->execution_thread()) != threads.end();
    const auto found = sequences_.find(computation);
    if (!changes) {
      if (found != sequences_.end()) {
        updated.set_sequence(*computation, found->second);
      }
      continue;
    }
    Sequence sequence;
    const Sequence stored = StoredOrder(*computation);
    SequenceUpdater updater(*computation,
                            found == sequences_.end() ? stored : found->second);
    if (!updater.Run(sequence)) {
      return absl::InvalidArgumentError(
          absl::StrCat("instructions of computation `", computation->name(),
                       "` wait for each other in a circle"));
    }
    updated.set_sequence(*computation, std::move(sequence));
  }
  *this = std::move(updated);
  return absl::OkStatus();
}

absl::Status HloSchedule::ApplyTo(HloModule& module) const {
  const std::vector<Diagnostic> findings = Verify(module);
  if (!findings.empty()) return StatusOf(findings, Judge::kDocumented);
  for (HloComputation* computation : module.computations()) {
    const auto found = sequences_.find(computation);
    if (found == sequences_.end()) continue;
    std::vector<HloInstruction*> order;
    for (InstructionId id : found->second) {
      order.push_back(module.instruction(id));
    }
    module.SetInstructionOrder(*computation, order);
  }
  module.set_is_scheduled(true);
  return absl::OkStatus();
}

bool operator==(const HloSchedule& a, const HloSchedule& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(
      a.sequences_.begin(), a.sequences_.end(), [&](const auto& entry) {
        const auto found = b.sequences_.find(entry.first);
        return found != b.sequences_.end() && found->second == entry.second;
      });
}

}  // namespace ferry
