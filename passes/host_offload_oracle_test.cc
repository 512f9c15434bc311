// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// The tracker against a judge that shares no code with it: on random small
// modules every way of every host value is followed, with call stacks written
// out and shape indices as paths; the outputs reached are compared, and each
// hop of each path that the tracker reports is checked. The number of modules is FERRY_ORACLE_MODULES (default 2000).
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ferry/hlo/diagnostic_renderer.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_verifier.h"
#include "ferry/passes/host_offload_analysis.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

// --- Random modules.

constexpr char kArray[] = "f32[4]{0}";

std::string TupleType(int elements) {
  return absl::StrCat(
      "(", absl::StrJoin(std::vector<std::string>(elements, kArray), ", "),
      ")");
}

// Writes one module. Values are arrays f32[4] or flat tuples of them.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  std::string Module() {
    const std::string entry = Body("main", "ENTRY ", 3, /*depth=*/0,
                                   /*root_elements=*/2);
    const auto space = [&] { return Chance(30) ? "f32[4]{0:S(5)}" : kArray; };
    std::string parameters = absl::StrJoin({space(), space(), space()}, ", ");
    return absl::StrCat("HloModule random, entry_computation_layout={(",
                        parameters, ", pred[])->(", space(), ", ", space(),
                        ")}\n\n", computations_, entry);
  }

 private:
  struct Value {
    std::string name;
    int elements;  // 0: an array
  };

  int Below(int limit) {
    return std::uniform_int_distribution<int>(0, limit - 1)(random_);
  }
  bool Chance(int percent) { return Below(100) < percent; }
  std::string Fresh(const char* base) {
    return absl::StrCat(base, ".", ++names_);
  }

  // A computation with `parameters` array parameters and a predicate; returns
  // its text. `root_elements` 0 asks for an array.
  std::string Body(const std::string& name, const char* prefix, int parameters,
                   int depth, int root_elements) {
    std::string text = absl::StrCat(prefix, name, " {\n");
    std::vector<Value> values;
    for (int i = 0; i < parameters; ++i) {
      values.push_back({Fresh("p"), 0});
      absl::StrAppend(&text, "  ", values.back().name, " = ", kArray,
                      " parameter(", i, ")\n");
    }
    const std::string flag = Fresh("flag");
    absl::StrAppend(&text, "  ", flag, " = pred[] parameter(", parameters,
                    ")\n");
    const int count = 3 + Below(depth == 0 ? 10 : 5);
    for (int i = 0; i < count; ++i) Instruction(values, flag, depth, text);
    Root(values, root_elements, text);
    absl::StrAppend(&text, "}\n\n");
    return text;
  }

  std::string AnyArray(const std::vector<Value>& values) {
    while (true) {
      // Late values are likelier, so that ways get long.
      const int late = Chance(60) ? static_cast<int>(values.size()) - 1 -
                                        Below(std::min<int>(3, values.size()))
                                  : Below(values.size());
      if (values[late].elements == 0) return values[late].name;
    }
  }
  const Value* AnyTuple(const std::vector<Value>& values) {
    std::vector<const Value*> tuples;
    for (const Value& value : values) {
      if (value.elements > 0) tuples.push_back(&value);
    }
    return tuples.empty() ? nullptr : tuples[Below(tuples.size())];
  }

  void Define(std::vector<Value>& values, const char* base, int elements,
              const std::string& what, std::string& text) {
    values.push_back({Fresh(base), elements});
    absl::StrAppend(&text, "  ", values.back().name, " = ",
                    elements == 0 ? kArray : TupleType(elements), " ", what,
                    "\n");
  }

  void Element(std::vector<Value>& values, std::string& text) {
    const Value* tuple = AnyTuple(values);
    if (tuple == nullptr) return;
    const int index = Below(tuple->elements);
    Define(values, "g", 0,
           absl::StrCat("get-tuple-element(", tuple->name, "), index=", index),
           text);
  }

  void Instruction(std::vector<Value>& values, const std::string& flag,
                   int depth, std::string& text) {
    const int kind = Below(depth < 2 ? 12 : 8);
    const std::string a = AnyArray(values);
    const std::string b = AnyArray(values);
    if (kind == 0) {
      Define(values, "u", 0, absl::StrCat("tanh(", a, ")"), text);
    } else if (kind == 1) {
      Define(values, "s", 0, absl::StrCat("add(", a, ", ", b, ")"), text);
    } else if (kind <= 3) {
      Define(values, "h", 0,
             absl::StrCat("custom-call(", a,
                          "), custom_call_target=\"MoveToHost\""),
             text);
    } else if (kind == 4) {
      Define(values, "d", 0,
             absl::StrCat("custom-call(", a,
                          "), custom_call_target=\"MoveToDevice\""),
             text);
    } else if (kind == 5) {
      Define(values, "t", 2, absl::StrCat("tuple(", a, ", ", b, ")"), text);
    } else if (kind == 6) {
      Element(values, text);
    } else if (kind == 7) {
      if (const Value* tuple = AnyTuple(values)) {
        Define(values, "fence", tuple->elements,
               absl::StrCat("opt-barrier(", tuple->name, ")"), text);
      }
    } else if (kind <= 9) {
      Call(values, a, b, flag, depth, text);
    } else if (kind == 10) {
      Loop(values, a, b, flag, depth, text);
    } else {
      Conditional(values, a, b, flag, depth, text);
    }
  }

  // An existing callee or a new one, called plainly or asynchronously.
  void Call(std::vector<Value>& values, const std::string& a,
            const std::string& b, const std::string& flag, int depth,
            std::string& text) {
    const bool asynchronous = Chance(25);
    std::string callee;
    if (!asynchronous && !callees_.empty() && Chance(50)) {
      callee = callees_[Below(callees_.size())];
    } else {
      callee = Fresh("callee");
      computations_ += Body(callee, "", 2, depth + 1, 2);
      callees_.push_back(callee);
    }
    const std::string arguments =
        absl::StrCat("(", a, ", ", b, ", ", flag, ")");
    if (!asynchronous) {
      Define(values, "c", 2,
             absl::StrCat("call", arguments, ", to_apply=", callee), text);
      return;
    }
    const std::string start = Fresh("start");
    absl::StrAppend(&text, "  ", start, " = ((", kArray, ", ", kArray,
                    ", pred[]), ", TupleType(2), ", u32[]) call-start",
                    arguments, ", to_apply=", callee, "\n");
    Define(values, "done", 2, absl::StrCat("call-done(", start, ")"), text);
  }

  void Loop(std::vector<Value>& values, const std::string& a,
            const std::string& b, const std::string& flag, int depth,
            std::string& text) {
    const std::string name = Fresh("loop");
    const std::string inner = Fresh("step");
    computations_ += Body(inner, "", 2, depth + 1, 2);
    const std::string state =
        absl::StrCat("(", kArray, ", ", kArray, ", pred[])");
    absl::StrAppend(
        &computations_, name, "body {\n  ", name, "p = ", state,
        " parameter(0)\n  ", name, "x = ", kArray, " get-tuple-element(", name,
        "p), index=0\n  ", name, "y = ", kArray, " get-tuple-element(", name,
        "p), index=1\n  ", name, "f = pred[] get-tuple-element(", name,
        "p), index=2\n  ", name, "c = ", TupleType(2), " call(", name, "x, ",
        name, "y, ", name, "f), to_apply=", inner, "\n  ", name, "m = ", kArray,
        " get-tuple-element(", name, "c), index=0\n  ", name, "n = ", kArray,
        " get-tuple-element(", name, "c), index=1\n  ROOT ", name,
        "r = ", state, " tuple(", name, Chance(30) ? "y" : "m", ", ", name,
        Chance(30) ? "x" : "n", ", ", name, "f)\n}\n\n", name, "more {\n  ",
        name, "q = ", state, " parameter(0)\n  ROOT ", name,
        "g = pred[] get-tuple-element(", name, "q), index=2\n}\n\n");
    const std::string init = Fresh("init");
    absl::StrAppend(&text, "  ", init, " = ", state, " tuple(", a, ", ", b,
                    ", ", flag, ")\n  ", name, " = ", state, " while(", init,
                    "), condition=", name, "more, body=", name, "body\n");
    for (int i = 0; i < 2; ++i) {
      Define(values, "g", 0,
             absl::StrCat("get-tuple-element(", name, "), index=", i), text);
    }
  }

  void Conditional(std::vector<Value>& values, const std::string& a,
                   const std::string& b, const std::string& flag, int depth,
                   std::string& text) {
    std::string branches[2];
    for (std::string& branch : branches) {
      const std::string inner = Fresh("work");
      computations_ += Body(inner, "", 1, depth + 1, 2);
      branch = Fresh("branch");
      const std::string state = absl::StrCat("(", kArray, ", pred[])");
      absl::StrAppend(
          &computations_, branch, " {\n  ", branch, "p = ", state,
          " parameter(0)\n  ", branch, "x = ", kArray, " get-tuple-element(",
          branch, "p), index=0\n  ", branch, "f = pred[] get-tuple-element(",
          branch, "p), index=1\n  ROOT ", branch, "r = ", TupleType(2),
          " call(", branch, "x, ", branch, "f), to_apply=", inner, "\n}\n\n");
    }
    std::string arguments[2];
    for (int i = 0; i < 2; ++i) {
      arguments[i] = Fresh("argument");
      absl::StrAppend(&text, "  ", arguments[i], " = (", kArray,
                      ", pred[]) tuple(", i == 0 ? a : b, ", ", flag, ")\n");
    }
    Define(values, "cond", 2,
           absl::StrCat("conditional(", flag, ", ", arguments[0], ", ",
                        arguments[1], "), true_computation=", branches[0],
                        ", false_computation=", branches[1]),
           text);
  }

  void Root(std::vector<Value>& values, int elements, std::string& text) {
    std::vector<std::string> parts;
    for (int i = 0; i < elements; ++i) parts.push_back(AnyArray(values));
    absl::StrAppend(&text, "  ROOT ", Fresh("out"), " = ", TupleType(elements),
                    " tuple(", absl::StrJoin(parts, ", "), ")\n");
  }

  std::mt19937 random_;
  int names_ = 0;
  std::string computations_;
  std::vector<std::string> callees_;
};

// --- The judge.

// A value at one place: the calls that lead there, outermost first, and a path
// into the result.
struct Place {
  std::vector<const HloInstruction*> calls;
  const HloInstruction* instruction;
  std::vector<int64_t> index;

  auto operator<=>(const Place&) const = default;
};

class Enumerator {
 public:
  explicit Enumerator(const HloModule& module) : module_(module) {}

  // Output indices with device layouts that some host value reaches.
  std::set<std::vector<int64_t>> WrongOutputs() {
    const auto& layout = module_.entry_layout();
    for (const HloInstruction* parameter : module_.entry().parameters()) {
      const Shape& shape = *layout.parameters[parameter->parameter_number()];
      if (shape.memory_space() == MemorySpace::kHost) {
        Enter({{}, parameter, {}});
      }
    }
    Annotations(module_.entry(), {});
    return wrong_;
  }

  // One step of a value; empty where its way ends.
  std::vector<Place> Next(const Place& at) {
    std::vector<Place> next;
    for (const HloInstruction* user : at.instruction->users()) {
      for (size_t i = 0; i < user->operands().size(); ++i) {
        if (&user->operand(i) == at.instruction) Use(at, *user, i, next);
      }
    }
    if (at.instruction->IsRoot() && !at.calls.empty()) Return(at, next);
    return next;
  }

 private:
  void Annotations(const HloComputation& computation,
                   const std::vector<const HloInstruction*>& calls) {
    for (const HloInstruction& instruction : computation.instructions()) {
      if (instruction.IsCustomCall("MoveToHost")) {
        Enter({calls, &instruction, {}});
      }
      for (const HloComputation* callee : instruction.called_computations()) {
        auto inner = calls;
        inner.push_back(&instruction);
        Annotations(*callee, inner);
      }
    }
  }

  // All ways from here, each place once: what lies behind a place does not
  // depend on how it was reached.
  void Enter(const Place& start) {
    std::vector<Place> open = {start};
    while (!open.empty()) {
      const Place at = open.back();
      open.pop_back();
      if (!seen_.insert(at).second) continue;
      if (at.calls.empty() && at.instruction->IsRoot()) {
        const Shape* leaf = module_.entry_layout().result;
        for (int64_t element : at.index) leaf = leaf->tuple_shapes()[element];
        if (leaf->memory_space() != MemorySpace::kHost) wrong_.insert(at.index);
      }
      for (const Place& place : Next(at)) open.push_back(place);
    }
  }

  static Place In(const Place& at, const HloInstruction& user,
                  std::vector<int64_t> index) {
    return {at.calls, &user, std::move(index)};
  }
  static Place Into(const Place& at, const HloInstruction& call,
                    const HloComputation& callee, int64_t parameter) {
    Place inside = {at.calls, callee.parameters()[parameter], at.index};
    inside.calls.push_back(&call);
    return inside;
  }

  void Use(const Place& at, const HloInstruction& user, int64_t operand,
           std::vector<Place>& next) {
    const auto callees = user.called_computations();
    switch (user.opcode()) {
      case HloOpcode::kTuple: {
        std::vector<int64_t> index = {operand};
        index.insert(index.end(), at.index.begin(), at.index.end());
        next.push_back(In(at, user, index));
        return;
      }
      case HloOpcode::kGetTupleElement:
        if (!at.index.empty() && at.index[0] == user.tuple_index()) {
          next.push_back(In(at, user, {at.index.begin() + 1, at.index.end()}));
        }
        return;
      case HloOpcode::kAsyncDone:
        if (!at.index.empty() && at.index[0] == 1) {
          next.push_back(In(at, user, {at.index.begin() + 1, at.index.end()}));
        }
        return;
      case HloOpcode::kOptBarrier:
        next.push_back(In(at, user, at.index));
        return;
      case HloOpcode::kCall:
      case HloOpcode::kAsyncStart:
        next.push_back(Into(at, user, *callees[0], operand));
        return;
      case HloOpcode::kWhile:
        next.push_back(Into(at, user, *callees[0], 0));
        next.push_back(Into(at, user, *callees[1], 0));
        return;
      case HloOpcode::kConditional:
        if (operand > 0) {
          next.push_back(Into(at, user, *callees[operand - 1], 0));
        }
        return;
      case HloOpcode::kCustomCall:
        if (user.custom_call_target() == "MoveToHost") {
          next.push_back(In(at, user, at.index));
        }
        return;  // a move to device ends the way
      default:
        next.push_back(In(at, user, {}));
        return;
    }
  }

  void Return(const Place& at, std::vector<Place>& next) {
    const HloInstruction& call = *at.calls.back();
    Place outside = at;
    outside.calls.pop_back();
    outside.instruction = &call;
    if (call.opcode() == HloOpcode::kAsyncStart) {
      outside.index.insert(outside.index.begin(), 1);
    }
    if (call.opcode() != HloOpcode::kWhile) {
      next.push_back(outside);
      return;
    }
    if (&at.instruction->parent() != call.called_computations()[1]) return;
    next.push_back(outside);
    Place again = outside;
    for (const HloComputation* callee : call.called_computations()) {
      next.push_back(Into(again, call, *callee, 0));
    }
  }

  const HloModule& module_;
  std::set<Place> seen_;
  std::set<std::vector<int64_t>> wrong_;
};

// The path of a finding hop by hop: each must be one step of the judge.
void ExpectStepByStep(const Diagnostic& finding, const HloModule& module,
                      Enumerator& judge, const std::string& text) {
  std::map<std::string, const HloInstruction*> by_name;
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction& instruction : computation->instructions()) {
      by_name[std::string(instruction.name())] = &instruction;
    }
  }
  ASSERT_FALSE(finding.path.empty());
  // The call stack is not part of a hop, so all that fit are followed.
  const auto& first = finding.path.front();
  std::set<Place> here;
  const HloInstruction* origin = by_name[finding.annotation->instruction];
  ASSERT_NE(origin, nullptr);
  if (first.instruction == origin->name()) {
    here.insert({{}, origin, {}});
  } else {
    // Any call stack may stand before the annotation; take them as they come.
    std::vector<
        std::pair<const HloComputation*, std::vector<const HloInstruction*>>>
        work = {{&module.entry(), {}}};
    while (!work.empty()) {
      auto [computation, calls] = work.back();
      work.pop_back();
      for (const HloInstruction& instruction : computation->instructions()) {
        if (&instruction == origin) {
          for (const Place& place : judge.Next({calls, origin, {}})) {
            here.insert(place);
          }
        }
        for (const HloComputation* callee : instruction.called_computations()) {
          auto inner = calls;
          inner.push_back(&instruction);
          work.push_back({callee, inner});
        }
      }
    }
  }
  for (size_t hop = 0; hop < finding.path.size(); ++hop) {
    const DiagnosticHop& want = finding.path[hop];
    std::set<Place> fit;
    for (const Place& place : here) {
      if (place.instruction->name() == want.instruction &&
          ShapeIndex(place.index.begin(), place.index.end()) ==
              want.shape_index) {
        fit.insert(place);
      }
    }
    ASSERT_FALSE(fit.empty()) << "no way to hop " << hop << " of\n"
                              << RenderDiagnostic(finding) << text;
    here.clear();
    for (const Place& place : fit) {
      for (const Place& next : judge.Next(place)) here.insert(next);
    }
  }
}

int ModuleCount() {
  int count = 2000;
  if (const char* given = std::getenv("FERRY_ORACLE_MODULES")) {
    EXPECT_TRUE(absl::SimpleAtoi(given, &count)) << given;
  }
  return count;
}

TEST(HostOffloadOracleTest, ReportsTheOutputsThatEnumerationReaches) {
  int wrong_modules = 0;
  const int count = ModuleCount();
  for (int seed = 0; seed < count; ++seed) {
    const std::string text = Generator(seed).Module();
    HloContext context;
    const auto module = ParseHloText(text, context);
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
    ASSERT_TRUE(VerifyHlo(**module).empty()) << text;
    const auto analysis = HostOffloadAnalysis::Run(**module, PassContext());
    ASSERT_TRUE(analysis.ok()) << analysis.status();

    Enumerator judge(**module);
    const std::set<std::vector<int64_t>> expected = judge.WrongOutputs();
    std::set<std::vector<int64_t>> reported;
    for (const Diagnostic& finding : analysis->diagnostics()) {
      if (finding.code != DiagnosticCode::kOffloadOutputLocationMismatch) {
        continue;
      }
      const auto& index = *finding.output_index;
      EXPECT_TRUE(reported.emplace(index.begin(), index.end()).second)
          << "reported twice in seed " << seed;
      ExpectStepByStep(finding, **module, judge, text);
      if (HasFatalFailure()) return;
    }
    ASSERT_EQ(reported, expected) << "seed " << seed << "\n" << text;
    wrong_modules += !expected.empty();
  }
  // Both answers occur often, or the comparison says little.
  EXPECT_GT(wrong_modules, count / 10);
  EXPECT_LT(wrong_modules, count * 95 / 100);
}

}  // namespace
}  // namespace ferry
