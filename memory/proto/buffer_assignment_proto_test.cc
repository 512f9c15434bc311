// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/proto/buffer_assignment_proto.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "ferry/hlo/hlo_context.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_parser.h"
#include "ferry/hlo/hlo_printer.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/hlo_proto_reader.h"
#include "ferry/hlo/proto/hlo_proto_writer.h"
#include "ferry/hlo/source_text.h"
#include "ferry/memory/memory_target.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

constexpr absl::string_view kStep = R"(
HloModule step, is_scheduled=true, input_output_alias={ {0}: (0, {1}) }

ENTRY main {
  p = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)}) parameter(0)
  a = f32[1024]{0:T(1024)} get-tuple-element(p), index=0
  b = f32[1024]{0:T(1024)} get-tuple-element(p), index=1
  v = f32[1024]{0:T(1024)S(1)} copy(a)
  w = f32[1024]{0:T(1024)S(1)} negate(v)
  k = f32[1024]{0:T(1024)} negate(b)
  n = f32[1024]{0:T(1024)} add(w, k)
  ROOT t = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)}) tuple(k, n)
}
)";

class BufferAssignmentProtoTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<HloModule>> module =
        ParseHloText(kStep, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = std::move(*module);
    Write(*module_);
  }
  void Write(const HloModule& module) {
    const absl::StatusOr<BufferAssignment> assignment =
        BufferAssignment::Run(module, target_);
    ASSERT_TRUE(assignment.ok()) << assignment.status();
    const absl::StatusOr<std::string> bytes =
        HloWithAssignmentToProto(*assignment);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    bytes_ = *bytes;
    ASSERT_TRUE(proto_.ParseFromString(bytes_));
  }
  const proto::BufferAssignmentProto& assignment() const {
    return proto_.buffer_assignment();
  }

  HloContext context_;
  MemoryTarget target_ = *FindMemoryTarget("v5e");
  std::unique_ptr<HloModule> module_;
  std::string bytes_;
  proto::HloProto proto_;
};

TEST_F(BufferAssignmentProtoTest, InstructionIdsAreThoseOfTheModule) {
  std::map<int64_t, std::string> names;
  for (const auto& computation : proto_.hlo_module().computations()) {
    for (const auto& instruction : computation.instructions()) {
      names[instruction.id()] = instruction.name();
    }
  }
  std::map<int64_t, std::string> buffers;
  for (const proto::LogicalBufferProto& buffer :
       assignment().logical_buffers()) {
    std::string& name = buffers[buffer.id()];
    name = names.at(buffer.defined_at().instruction_id());
    for (const int64_t index : buffer.defined_at().shape_index()) {
      name += "." + std::to_string(index);
    }
    EXPECT_EQ(buffer.color(), name == "v" || name == "w" ? 1 : 0) << name;
  }
  EXPECT_EQ(buffers[0], "p");
  EXPECT_EQ(buffers[2], "p.1");
  EXPECT_EQ(buffers.size(), 8u);
  // `b` and what it is an element of.
  bool found = false;
  for (const auto& alias : assignment().buffer_aliases()) {
    found |= buffers.at(alias.source_buffer_id()) == "p.1" &&
             names.at(alias.location().instruction_id()) == "b";
  }
  EXPECT_TRUE(found);
}

TEST_F(BufferAssignmentProtoTest, Allocations) {
  ASSERT_EQ(assignment().buffer_allocations_size(), 6);
  const proto::BufferAllocationProto& donated =
      assignment().buffer_allocations(2);
  EXPECT_TRUE(donated.is_entry_computation_parameter());
  EXPECT_TRUE(donated.is_parameter_aliased_with_output());
  EXPECT_TRUE(donated.maybe_live_out());
  EXPECT_EQ(donated.parameter_number(), 0);
  ASSERT_EQ(donated.parameter_shape_index_size(), 1);
  EXPECT_EQ(donated.parameter_shape_index(0), 1);
  EXPECT_EQ(donated.size(), 4096);
  EXPECT_EQ(donated.assigned_size(), 2);
  EXPECT_TRUE(assignment().buffer_allocations(0).is_tuple());
  EXPECT_FALSE(donated.is_tuple());
  for (int i = 0; i < assignment().buffer_allocations_size(); ++i) {
    EXPECT_EQ(assignment().buffer_allocations(i).index(), i);
  }
}

// One trace for each heap, all of it in that one allocation.
TEST_F(BufferAssignmentProtoTest, Traces) {
  using Event = proto::HeapSimulatorTrace::Event;
  ASSERT_EQ(assignment().heap_simulator_traces_size(), 1);
  const proto::HeapSimulatorTrace& trace =
      assignment().heap_simulator_traces(0);
  const proto::BufferAllocationProto& heap =
      assignment().buffer_allocations(trace.buffer_allocation_index());
  EXPECT_EQ(heap.color(), 1);
  ASSERT_EQ(trace.events_size(), 4);
  EXPECT_EQ(trace.events(0).kind(), Event::ALLOC);
  EXPECT_EQ(trace.events(0).instruction_name(), "v");
  EXPECT_EQ(trace.events(0).computation_name(), "main");
  EXPECT_EQ(trace.events(1).kind(), Event::SHARE_WITH);
  EXPECT_EQ(trace.events(1).share_with_canonical_id(),
            trace.events(0).buffer_id());
  EXPECT_EQ(trace.events(2).kind(), Event::FREE);
  for (const Event& event : trace.events()) {
    bool is_there = false;
    for (const auto& assigned : heap.assigned()) {
      is_there |= assigned.logical_buffer_id() == event.buffer_id();
    }
    EXPECT_TRUE(is_there) << event.buffer_id();
  }
}

// Our own reader takes it, and keeps the assignment beside the module.
TEST_F(BufferAssignmentProtoTest, ComesBackThroughTheReader) {
  HloContext context;
  const HloParseResult read =
      ReadHlo(SourceText::FromString(bytes_, "step.hlo.pb"), context, {});
  ASSERT_NE(read.module, nullptr);
  EXPECT_EQ(HloToString(*read.module), HloToString(*module_));
  const absl::StatusOr<std::string> again = HloToProto(*read.module);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, bytes_);
  // What stood beside it is replaced, not written twice.
  const std::string before = bytes_;
  Write(*read.module);
  EXPECT_EQ(bytes_, before);
}

}  // namespace
}  // namespace ferry
