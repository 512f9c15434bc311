// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

// Rule F1111: which devices take part in a collective, and what that makes of
// its result (F1101, F1109).
//
//   all-gather      result = operand * group size along the dimension
//   reduce-scatter  result = operand / group size along the dimension
//   all-to-all      as many operands as a group has devices, or one that the
//                   group size divides
//
// Groups are lists without gaps: n devices in all have the numbers 0 to n - 1,
// each once. A group of one may stand for a factor that is not known yet.

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/element_type_class.h"
#include "ferry/hlo/hlo_verifier_rules.h"
#include "ferry/hlo/replica_groups_parser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace ferry {
namespace {

constexpr DiagnosticCode kCode = DiagnosticCode::kBadCollective;
constexpr DiagnosticCode kResult = DiagnosticCode::kShapeNotAsInferred;

// A number that the header gives, or 1.
int64_t HeaderNumber(const HloModule& module, absl::string_view name) {
  for (const auto& [attribute, value] : module.header_attributes()) {
    if (attribute == name) return ReadInteger(value).value_or(1);
  }
  return 1;
}

bool IsChannelGiven(const HloInstruction& collective) {
  return ReadInteger(collective.attribute(HloAttributeKind::kChannelId))
             .value_or(0) > 0;
}

bool UsesGlobalIds(const HloInstruction& collective) {
  return collective.attribute(HloAttributeKind::kUseGlobalDeviceIds) == "true";
}

bool MayUseGlobalIds(HloOpcode opcode) {
  return opcode == HloOpcode::kAllReduce ||
         opcode == HloOpcode::kAllReduceStart ||
         opcode == HloOpcode::kAllGather ||
         opcode == HloOpcode::kAllGatherStart ||
         opcode == HloOpcode::kReduceScatter;
}

// Of a group of replicas: where a channel is given and ids are not global, the
// partitions of each of them take part too.
int64_t PartitionsPerMember(const HloInstruction& collective) {
  if (!IsChannelGiven(collective) || UsesGlobalIds(collective)) return 1;
  return HeaderNumber(collective.parent().module(), "num_partitions");
}

// The members of one group; nullopt if the groups are not well formed, and
// then `findings` says why.
class GroupRule {
 public:
  GroupRule(const HloInstruction& collective, HloVerifierFindings& findings)
      : collective_(collective), findings_(findings) {}

  std::optional<int64_t> Check() {
    const absl::string_view text =
        collective_.attribute(HloAttributeKind::kReplicaGroups);
    if (text.empty() || text == "{}") return OfAllDevices();
    std::optional<ReplicaGroups> groups = ReadReplicaGroups(text);
    if (!groups.has_value()) return std::nullopt;
    if (groups->kind == ReplicaGroups::Kind::kIota) return OfIota(*groups);
    if (groups->kind == ReplicaGroups::Kind::kMesh &&
        !groups->Expand(kMostExpandedDevices)) {
      return std::nullopt;
    }
    return OfLists(*groups);
  }

 private:
  std::optional<int64_t> Fail(const std::string& message) {
    findings_.Add(kCode, collective_, message);
    return std::nullopt;
  }

  std::optional<int64_t> OfAllDevices() {
    if (UsesGlobalIds(collective_)) {
      return Fail("Replica groups must be specified in flattened-id mode");
    }
    const HloModule& module = collective_.parent().module();
    const int64_t replicas = HeaderNumber(module, "replica_count");
    const int64_t partitions = HeaderNumber(module, "num_partitions");
    if (!IsChannelGiven(collective_)) return replicas;
    return MayUseGlobalIds(collective_.opcode()) ? replicas : partitions;
  }

  // An iota repeats nothing and leaves nothing out.
  std::optional<int64_t> OfIota(const ReplicaGroups& groups) {
    if (groups.group_count > 0 && groups.group_size > 0) {
      return groups.group_size;
    }
    return Fail("Instruction cannot have an empty replica group: " +
                groups.ToString());
  }

  std::optional<int64_t> OfLists(const ReplicaGroups& groups) {
    int64_t begin = 0;
    std::optional<int64_t> size;
    bool is_uniform = true;
    for (int64_t end : groups.ends) {
      if (end == begin) {
        return Fail("Instruction cannot have an empty replica group: " +
                    groups.ToString());
      }
      is_uniform &= size.value_or(end - begin) == end - begin;
      size = end - begin;
      begin = end;
    }
    const int64_t count = groups.ids.size();
    llvm::SmallBitVector seen(count);
    for (int64_t id : groups.ids) {
      if (id < 0 || id >= count) {
        return Fail(absl::StrCat(
            "Replica ", id, " is out of range (should be in [0, ", count,
            ") range) in instruction's replica-groups: ", groups.ToString()));
      }
      if (seen.test(id)) {
        return Fail(absl::StrCat("Replica ", id,
                                 " is repeated in instruction's "
                                 "replica-groups: ",
                                 groups.ToString()));
      }
      seen.set(id);
    }
    if (!is_uniform) {
      if (!NeedsUniformGroups()) return std::nullopt;
      return Fail("Replica groups expected to be of uniform size: " +
                  groups.ToString());
    }
    return size;
  }

  bool NeedsUniformGroups() const {
    return collective_.opcode() != HloOpcode::kAllReduce &&
           collective_.opcode() != HloOpcode::kAllReduceStart;
  }

  const HloInstruction& collective_;
  HloVerifierFindings& findings_;
};

// Operands as they are, or in a tuple if there are several.
const Shape& OperandsShape(const HloInstruction& collective) {
  if (collective.operands().size() == 1) return collective.operand(0).shape();
  llvm::SmallVector<const Shape*, 8> shapes;
  for (const HloInstruction* operand : collective.operands()) {
    shapes.push_back(&operand->shape());
  }
  return collective.parent().module().context().GetTupleShape(shapes);
}

bool ExpectArrays(const HloInstruction& collective, absl::string_view what,
                  HloVerifierFindings& findings) {
  for (const HloInstruction* operand : collective.operands()) {
    if (operand->shape().IsArray()) continue;
    findings.Add(
        DiagnosticCode::kOperandsDoNotFit, collective,
        absl::StrCat("Expected array argument for operand of ", what,
                     ", but got ", ShapeForMessage(operand->shape()), "."));
    return false;
  }
  return true;
}

// The one dimension of `dimensions`; nullopt if the operands lack it.
std::optional<int64_t> DimensionOf(const HloInstruction& collective,
                                   HloVerifierFindings& findings) {
  const auto read =
      ReadIntegers(collective.attribute(HloAttributeKind::kDimensions));
  if (!read.has_value() || read->size() != 1) return std::nullopt;
  const int64_t dimension = (*read)[0];
  for (const HloInstruction* operand : collective.operands()) {
    const Shape& shape = operand->shape();
    const int64_t rank = shape.dimensions().size();
    if (shape.IsArray() && dimension >= 0 && dimension < rank) continue;
    findings.Add(kCode, collective,
                 absl::StrCat("dimension ", dimension, " of ",
                              HloOpcodeName(collective.opcode()),
                              " is out of range for ", ShapeForMessage(shape)));
    return std::nullopt;
  }
  return dimension;
}

// Of the i-th operand in `shape`, a result.
const Shape* ElementOf(const HloInstruction& collective, const Shape& shape,
                       size_t i) {
  const size_t count = collective.operands().size();
  if (count == 1) return &shape;
  if (!shape.IsTuple() || shape.tuple_shapes().size() != count) return nullptr;
  return shape.tuple_shapes()[i];
}

// The factor between the sizes of operand and result, rounded up.
int64_t FactorOf(int64_t small, int64_t large) {
  if (small <= 0 || large == kUnboundedDimension) return 1;
  return (large - 1) / small + 1;
}

const Shape& WithSize(const HloInstruction& instruction, const Shape& shape,
                      int64_t dimension, int64_t size) {
  llvm::SmallVector<int64_t, 6> sizes(shape.dimensions().begin(),
                                      shape.dimensions().end());
  sizes[dimension] = size;
  HloContext& context = instruction.parent().module().context();
  return context.GetArrayShape(shape.element_type(), sizes,
                               &context.GetDefaultLayout(sizes.size()));
}

// all-gather and reduce-scatter: the factor must be that of the group, and all
// other sizes stay. `result` is the part of the shape that is the result.
void VerifyFactor(const HloInstruction& collective, const Shape& result,
                  int64_t group_size, HloVerifierFindings& findings) {
  const std::optional<int64_t> dimension = DimensionOf(collective, findings);
  if (!dimension.has_value()) return;
  const bool gathers = collective.opcode() != HloOpcode::kReduceScatter;
  llvm::SmallVector<const Shape*, 4> expected;
  for (size_t i = 0; i < collective.operands().size(); ++i) {
    const Shape& operand = collective.operand(i).shape();
    const Shape* element = ElementOf(collective, result, i);
    if (element == nullptr || !element->IsArray() ||
        element->dimensions().size() <= static_cast<size_t>(*dimension)) {
      findings.Add(
          kResult, collective,
          absl::StrCat("Expected one result for each of ",
                       collective.operands().size(), " operands, the first ",
                       ShapeForMessage(operand), ", but got ",
                       ShapeForMessage(result)));
      return;
    }
    const int64_t in = operand.dimensions()[*dimension];
    const int64_t out = element->dimensions()[*dimension];
    const int64_t factor = gathers ? FactorOf(in, out) : FactorOf(out, in);
    if (in == kUnboundedDimension || out == kUnboundedDimension) return;
    if (group_size != 1 && factor != group_size &&
        factor != group_size * PartitionsPerMember(collective) && in != 0) {
      findings.Add(kCode, collective,
                   absl::StrCat("shard_count = ", factor, ", subgroup_size = ",
                                group_size, ": ", ShapeForMessage(operand),
                                " becomes ", ShapeForMessage(*element)));
      return;
    }
    if (!gathers && in % factor != 0) {
      findings.Add(
          DiagnosticCode::kOperandsDoNotFit, collective,
          absl::StrCat("ReduceScatter operand scatter dimension size ", in,
                       " must be dividable by shard_count ", factor, "."));
      return;
    }
    int64_t size = 0;
    if (!gathers) {
      size = in / factor;
    } else if (__builtin_mul_overflow(in, factor, &size)) {
      return;
    }
    expected.push_back(&WithSize(collective, operand, *dimension, size));
  }
  const Shape& shape =
      expected.size() == 1
          ? *expected[0]
          : collective.parent().module().context().GetTupleShape(expected);
  if (Fits(collective, result, shape)) return;
  const ShapeMismatch mismatch = DescribeMismatch(shape, result);
  findings.Add(kResult, collective,
               absl::StrCat("Expected instruction to have shape equal to ",
                            mismatch.first, ", actual shape is ",
                            mismatch.second, mismatch.where));
}

// (operands, results).
void VerifyAllGatherStart(const HloInstruction& start, int64_t group_size,
                          HloVerifierFindings& findings) {
  const auto elements = start.shape().tuple_shapes();
  if (!start.shape().IsTuple() || elements.size() != 2) {
    findings.Add(kResult, start,
                 absl::StrCat("all-gather-start gives (operands, results), but "
                              "the result is ",
                              ShapeForMessage(start.shape())));
    return;
  }
  const Shape& operands = OperandsShape(start);
  if (!Fits(start, *elements[0], operands)) {
    const ShapeMismatch mismatch = DescribeMismatch(operands, *elements[0]);
    findings.Add(kResult, start,
                 absl::StrCat("element {0} of all-gather-start must be its "
                              "operands, ",
                              mismatch.first, ", but is ", mismatch.second,
                              mismatch.where));
  }
  VerifyFactor(start, *elements[1], group_size, findings);
}

void VerifyAllToAll(const HloInstruction& collective, int64_t group_size,
                    HloVerifierFindings& findings) {
  const auto read =
      ReadIntegers(collective.attribute(HloAttributeKind::kDimensions));
  const auto operands = collective.operands();
  if (read.has_value() && read->size() == 1) {
    const Shape& x = operands[0]->shape();
    const int64_t dimension = (*read)[0];
    const int64_t rank = x.dimensions().size();
    if (!ExpectArrays(collective, "all-to-all", findings)) return;
    if (operands.size() != 1) {
      return findings.Add(
          kCode, collective,
          absl::StrCat("an all-to-all with a split dimension takes one "
                       "operand, but has ",
                       operands.size()));
    }
    if (dimension < 0 || dimension >= rank) {
      return findings.Add(
          DiagnosticCode::kOperandsDoNotFit, collective,
          absl::StrCat("AllToAll split_dimension ", dimension,
                       " is out-of-bounds in shape ", ShapeForMessage(x), "."));
    }
    if (x.dimensions()[dimension] % group_size != 0) {
      return findings.Add(
          DiagnosticCode::kOperandsDoNotFit, collective,
          absl::StrCat("AllToAll split dimension size ",
                       x.dimensions()[dimension],
                       " must be dividable by split_count ", group_size, "."));
    }
    return ExpectShape(collective, kResult, x, findings);
  }
  if (static_cast<int64_t>(operands.size()) != group_size) {
    findings.Add(kCode, collective,
                 absl::StrCat("an all-to-all takes an operand for each of the ",
                              group_size, " devices of a group, but has ",
                              operands.size()));
    return;
  }
  for (size_t i = 1; i < operands.size(); ++i) {
    if (Fits(collective, operands[i]->shape(), operands[0]->shape())) continue;
    return findings.Add(
        DiagnosticCode::kOperandsDoNotFit, collective,
        absl::StrCat("HLO all-to-all has operands with different shapes: the "
                     "0th operand shape ",
                     ShapeForMessage(operands[0]->shape()), ", but the ", i,
                     "th operand has shape ",
                     ShapeForMessage(operands[i]->shape()), "."));
  }
  llvm::SmallVector<const Shape*, 8> shapes;
  for (const HloInstruction* operand : operands) {
    shapes.push_back(&operand->shape());
  }
  ExpectShape(collective, kResult,
              collective.parent().module().context().GetTupleShape(shapes),
              findings);
}

// input, output, and four lists of offsets and sizes.
void VerifyRaggedAllToAll(const HloInstruction& collective,
                          HloVerifierFindings& findings) {
  for (int64_t i = 2; i < 6; ++i) {
    const Shape& shape = collective.operand(i).shape();
    const Shape& first = collective.operand(2).shape();
    const size_t rank = shape.dimensions().size();
    if (!shape.IsArray() || rank < 1 || rank > 2) {
      findings.Add(kCode, collective,
                   absl::StrCat("RaggedAllToAll operand ", i,
                                " must be rank 1 or 2, but is ",
                                ShapeForMessage(shape)));
      return;
    }
    if (shape.IsCompatible(first)) continue;
    findings.Add(kCode, collective,
                 absl::StrCat("RaggedAllToAll operands have different shapes "
                              "(2, ",
                              i, "): ", ShapeForMessage(first), " and ",
                              ShapeForMessage(shape)));
    return;
  }
  ExpectShape(collective, kResult, collective.operand(1).shape(), findings);
}

// `{{0,1},{1,0}}`: no device sends or receives twice.
void VerifyPairs(const HloInstruction& permute, HloVerifierFindings& findings) {
  const absl::string_view text =
      permute.attribute(HloAttributeKind::kSourceTargetPairs);
  const std::optional<ReplicaGroups> pairs = ReadReplicaGroups(text);
  if (!pairs.has_value()) return;
  llvm::DenseSet<int64_t> sources;
  llvm::DenseSet<int64_t> targets;
  for (size_t i = 0; i < pairs->ends.size(); ++i) {
    const auto pair = pairs->group(i);
    if (pair.size() != 2) return;
    for (int side = 0; side < 2; ++side) {
      const absl::string_view name = side == 0 ? "Source" : "Target";
      const int64_t id = pair[side];
      auto& seen = side == 0 ? sources : targets;
      if (id < 0) {
        return findings.Add(kCode, permute,
                            absl::StrCat(name, " ", id,
                                         " in the instruction's source-target "
                                         "pair must be >= 0 : ",
                                         text));
      }
      if (seen.insert(id).second) continue;
      return findings.Add(kCode, permute,
                          absl::StrCat(name, " ", id,
                                       " appears more than once in "
                                       "instruction's source-target pairs: ",
                                       text));
    }
  }
}

// Whether the output is written in place: (input, output, offsets, offsets).
bool IsInPlacePermute(const HloInstruction& permute) {
  return permute.operands().size() == 4 &&
         permute.HasAttribute(HloAttributeKind::kSliceSizes);
}

void VerifyPermute(const HloInstruction& permute,
                   HloVerifierFindings& findings) {
  VerifyPairs(permute, findings);
  const bool in_place = IsInPlacePermute(permute);
  const Shape& result =
      in_place ? permute.operand(1).shape() : OperandsShape(permute);
  if (permute.opcode() == HloOpcode::kCollectivePermute) {
    return ExpectShape(permute, kResult, result, findings);
  }
  // (operands, results, contexts...).
  const Shape& operands =
      in_place ? permute.operand(0).shape() : OperandsShape(permute);
  const auto elements = permute.shape().tuple_shapes();
  if (permute.shape().IsTuple() && elements.size() >= 2 &&
      Fits(permute, *elements[1], result) &&
      (in_place || Fits(permute, *elements[0], operands))) {
    return;
  }
  const ShapeMismatch mismatch = DescribeMismatch(
      permute.parent().module().context().GetTupleShape({&operands, &result}),
      permute.shape());
  findings.Add(kResult, permute,
               absl::StrCat("Expected instruction to have shape equal to ",
                            mismatch.first, ", actual shape is ",
                            mismatch.second, mismatch.where));
}

// What a done gives of what its start holds.
void VerifyDone(const HloInstruction& done, HloVerifierFindings& findings) {
  const Shape& start = done.operand(0).shape();
  if (done.opcode() == HloOpcode::kAllReduceDone) {
    return ExpectShape(done, kResult, start, findings);
  }
  if (!start.IsTuple() || start.tuple_shapes().size() < 2) return;
  ExpectShape(done, kResult, *start.tuple_shapes()[1], findings);
}

void VerifyGrouped(const HloInstruction& collective,
                   HloVerifierFindings& findings) {
  if (collective.opcode() == HloOpcode::kCollectiveBroadcast) {
    // XLA looks at its groups nowhere.
    if (ExpectArrays(collective, "collective-broadcast", findings)) {
      ExpectShape(collective, kResult, collective.operand(0).shape(), findings);
    }
    return;
  }
  const std::optional<int64_t> group_size =
      GroupRule(collective, findings).Check();
  switch (collective.opcode()) {
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
      if (ExpectArrays(collective, "cross replica sum", findings)) {
        ExpectShape(collective, kResult, OperandsShape(collective), findings);
      }
      return;
    case HloOpcode::kRaggedAllToAll:
      return VerifyRaggedAllToAll(collective, findings);
    case HloOpcode::kAllGather:
    case HloOpcode::kReduceScatter:
      if (group_size.has_value()) {
        VerifyFactor(collective, collective.shape(), *group_size, findings);
      }
      return;
    case HloOpcode::kAllGatherStart:
      if (group_size.has_value()) {
        VerifyAllGatherStart(collective, *group_size, findings);
      }
      return;
    case HloOpcode::kAllToAll:
      if (group_size.has_value()) {
        VerifyAllToAll(collective, *group_size, findings);
      }
      return;
    default:
      return;
  }
}

}  // namespace

void VerifyCollective(const HloInstruction& instruction,
                      HloVerifierFindings& findings) {
  if (!HasTrait(instruction.opcode(), kCollective)) return;
  switch (instruction.opcode()) {
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
      return VerifyPermute(instruction, findings);
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kCollectivePermuteDone:
      return VerifyDone(instruction, findings);
    default:
      return VerifyGrouped(instruction, findings);
  }
}

}  // namespace ferry
