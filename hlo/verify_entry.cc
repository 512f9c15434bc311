// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rules F1103 and F1104: the entry computation against the module's header.
// Where the header gives no layout, the entry's own shapes count.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "llvm/ADT/DenseSet.h"

namespace ferry {
namespace {

// What the caller passes as parameter `number`; null if there is none.
const Shape* ParameterShape(const HloModule& module, int64_t number) {
  const auto parameters = module.entry().parameters();
  if (number < 0 || number >= static_cast<int64_t>(parameters.size())) {
    return nullptr;
  }
  const auto& layouts = module.entry_layout().parameters;
  if (number < static_cast<int64_t>(layouts.size()) &&
      layouts[number] != nullptr) {
    return layouts[number];
  }
  return &parameters[number]->shape();
}

const Shape& ResultShape(const HloModule& module) {
  const Shape* result = module.entry_layout().result;
  return result != nullptr ? *result : module.entry().root().shape();
}

// The text stands in the header, the first line that is no comment; a module
// of one token is enough for an offset that exists.
DiagnosticPlace HeaderPlace(const HloModule& module) {
  const size_t offset = module.source().text().find("HloModule");
  return PlaceOf(module.source(),
                 offset == absl::string_view::npos ? 0 : offset);
}

// Shapes that only the header has: those of instructions are checked there.
void VerifyEntryShapes(const HloModule& module, HloVerifierFindings& findings) {
  LayoutRule rule;
  llvm::DenseSet<const Shape*> own = {&module.entry().root().shape()};
  for (const HloInstruction* parameter : module.entry().parameters()) {
    own.insert(&parameter->shape());
  }
  std::vector<const Shape*> shapes = module.entry_layout().parameters;
  shapes.push_back(module.entry_layout().result);
  for (const Shape* shape : shapes) {
    if (shape == nullptr || own.contains(shape)) continue;
    const std::string* problem = rule.Problem(*shape);
    if (problem == nullptr) continue;
    findings.Add(DiagnosticCode::kBadLayout, HeaderPlace(module),
                 {absl::StrCat("entry_computation_layout: ", *problem)});
  }
}

void VerifyEntryLayout(const HloModule& module, HloVerifierFindings& findings) {
  constexpr DiagnosticCode kCode = DiagnosticCode::kEntryLayoutMismatch;
  const EntryLayout& layout = module.entry_layout();
  if (layout.result == nullptr) return;
  const HloComputation& entry = module.entry();
  if (layout.parameters.size() != entry.parameters().size()) {
    findings.Add(
        kCode, PlaceOf(entry),
        {absl::StrCat("Number of parameters in entry computation layout (",
                      layout.parameters.size(),
                      ") must be same as number of parameters of entry "
                      "computation (",
                      entry.parameters().size(), ")")});
  }
  const size_t count =
      std::min(layout.parameters.size(), entry.parameters().size());
  for (size_t i = 0; i < count; ++i) {
    const HloInstruction& parameter = *entry.parameters()[i];
    const Shape* declared = layout.parameters[i];
    if (declared == nullptr || parameter.shape().IsCompatible(*declared)) {
      continue;
    }
    const ShapeMismatch mismatch =
        DescribeMismatch(parameter.shape(), *declared);
    findings.Add(kCode, parameter,
                 absl::StrCat("Shape of the entry computation parameter ", i,
                              " is ", mismatch.first,
                              " should be compatible to the one specified in "
                              "module's entry computation layout ",
                              mismatch.second, mismatch.where));
  }
  if (entry.root().shape().IsCompatible(*layout.result)) return;
  const ShapeMismatch mismatch =
      DescribeMismatch(entry.root().shape(), *layout.result);
  findings.Add(kCode, entry.root(),
               absl::StrCat("Shape of the root instruction of entry "
                            "computation (",
                            mismatch.first,
                            ") should be compatible to one specified in "
                            "module's entry computation layout (",
                            mismatch.second, ")", mismatch.where));
}

class AliasRule {
 public:
  AliasRule(const HloModule& module, HloVerifierFindings& findings)
      : module_(module), findings_(findings) {}

  // What shares its place with an output is not given away besides.
  void CheckDonor(int64_t number, const ShapeIndex& index) {
    const Shape* parameter = ParameterShape(module_, number);
    if (parameter == nullptr) {
      return Report(absl::StrCat("parameter ", number,
                                 " is a buffer donor, but there are ",
                                 module_.entry().parameters().size()));
    }
    const auto input = parameter->OrdinalOf(index);
    if (!input.has_value()) return ReportIndex(index, *parameter);
    if (!inputs_.contains({number, *input})) return;
    Report(absl::StrCat("Input ", number, " at index ",
                        ShapeIndexToString(index),
                        " is registered as a buffer donor. However, it is also "
                        "in the input output alias config."));
  }

  void Check(const InputOutputAlias& alias) {
    const Shape* parameter = ParameterShape(module_, alias.parameter_number);
    if (parameter == nullptr) {
      return Report(absl::StrCat(
          "output ", ShapeIndexToString(alias.output_index),
          " is aliased with parameter ", alias.parameter_number,
          ", but there are ", module_.entry().parameters().size()));
    }
    const Shape& result = ResultShape(module_);
    const auto input = parameter->OrdinalOf(alias.parameter_index);
    const auto output = result.OrdinalOf(alias.output_index);
    if (!input.has_value()) {
      return ReportIndex(alias.parameter_index, *parameter);
    }
    if (!output.has_value()) return ReportIndex(alias.output_index, result);
    CheckOnce(alias, *input, *output);
    if (parameter->NodeAt(*input).IsTuple() ||
        result.NodeAt(*output).IsTuple()) {
      return Report(
          absl::StrCat("only arrays share their buffers, but output ",
                       ShapeIndexToString(alias.output_index), " is ",
                       ShapeForMessage(result.NodeAt(*output)),
                       " and parameter ", alias.parameter_number, " at ",
                       ShapeIndexToString(alias.parameter_index), " is ",
                       ShapeForMessage(parameter->NodeAt(*input))));
    }
    if (alias.must_alias) {
      CheckEqual(alias, parameter->NodeAt(*input), result.NodeAt(*output));
    }
  }

 private:
  void Report(std::string message) {
    findings_.Add(DiagnosticCode::kAliasMismatch, HeaderPlace(module_),
                  {std::move(message)});
  }

  void ReportIndex(const ShapeIndex& index, const Shape& shape) {
    Report(absl::StrCat("Trying to set up alias at ", ShapeIndexToString(index),
                        " which is an invalid index for shape ",
                        ShapeForMessage(shape)));
  }

  // One buffer can serve only one output, and one output be in one buffer.
  void CheckOnce(const InputOutputAlias& alias, int32_t input, int32_t output) {
    if (!outputs_.insert(output).second) {
      Report(absl::StrCat(
          "Trying to set up output alias for param ", alias.parameter_number,
          " at ", ShapeIndexToString(alias.parameter_index),
          " but failed: output index ", ShapeIndexToString(alias.output_index),
          " is already aliased"));
    }
    if (!inputs_.insert({alias.parameter_number, input}).second) {
      Report(absl::StrCat("parameter ", alias.parameter_number, " at ",
                          ShapeIndexToString(alias.parameter_index),
                          " is aliased with more than one output"));
    }
  }

  void CheckEqual(const InputOutputAlias& alias, const Shape& input,
                  const Shape& output) {
    if (input.IsCompatible(output) &&
        input.memory_space() == output.memory_space()) {
      return;
    }
    Report(absl::StrCat("Shape and memory space of the result at index ",
                        ShapeIndexToString(alias.output_index), " (",
                        ShapeForMessage(output),
                        ") must be the same as the shape and memory spaceof "
                        "aliased parameter ",
                        alias.parameter_number, " at index ",
                        ShapeIndexToString(alias.parameter_index), " (",
                        ShapeForMessage(input), ")"));
  }

  const HloModule& module_;
  HloVerifierFindings& findings_;
  llvm::DenseSet<std::pair<int64_t, int32_t>> inputs_;
  llvm::DenseSet<int32_t> outputs_;
};

// The numbers of `{ (0, {}), (1, {0,2}) }`, in groups: parameter, then index.
std::vector<std::vector<int64_t>> ReadDonors(absl::string_view text) {
  std::vector<std::vector<int64_t>> donors;
  for (absl::string_view donor :
       absl::StrSplit(text, '(', absl::SkipWhitespace())) {
    std::vector<int64_t> numbers;
    for (absl::string_view part :
         absl::StrSplit(donor.substr(0, donor.find(')')),
                        absl::ByAnyChar("{}, "), absl::SkipEmpty())) {
      int64_t number = 0;
      if (absl::SimpleAtoi(part, &number)) numbers.push_back(number);
    }
    if (!numbers.empty()) donors.push_back(std::move(numbers));
  }
  return donors;
}

void VerifyDonors(const HloModule& module, AliasRule& rule) {
  for (const auto& [name, text] : module.header_attributes()) {
    if (name != "buffer_donor") continue;
    for (const std::vector<int64_t>& donor : ReadDonors(text)) {
      rule.CheckDonor(donor[0], ShapeIndex(donor.begin() + 1, donor.end()));
    }
  }
}

}  // namespace

void VerifyEntry(const HloModule& module, HloVerifierFindings& findings) {
  VerifyEntryLayout(module, findings);
  VerifyEntryShapes(module, findings);
  AliasRule rule(module, findings);
  for (const InputOutputAlias& alias : module.input_output_aliases()) {
    rule.Check(alias);
  }
  VerifyDonors(module, rule);
}

}  // namespace ferry
