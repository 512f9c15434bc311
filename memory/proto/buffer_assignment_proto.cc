// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/memory/proto/buffer_assignment_proto.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ferry/hlo/hlo_instruction.h"
#include "ferry/hlo/hlo_module.h"
#include "ferry/hlo/hlo_position.h"
#include "ferry/hlo/proto/hlo.pb.h"
#include "ferry/hlo/proto/proto_fields.h"
#include "ferry/hlo/proto/proto_ids.h"
#include "ferry/hlo/proto/proto_module_writer.h"
#include "ferry/hlo/shape.h"
#include "ferry/hlo/shape_index.h"
#include "ferry/hlo/status_macros.h"
#include "ferry/memory/heap_trace.h"

namespace ferry {
namespace {

class Writer {
 public:
  explicit Writer(const BufferAssignment& assignment)
      : assignment_(assignment),
        dataflow_(assignment.dataflow()),
        ids_(assignment.module()) {}

  std::string Write() {
    for (ValueId id = 0; id < dataflow_.value_count(); ++id) AddValue(id);
    for (const BufferAllocation& allocation : assignment_.allocations()) {
      AddAllocation(allocation);
    }
    for (const BufferAllocation& allocation : assignment_.allocations()) {
      if (allocation.is_heap) AddTrace(allocation);
    }
    return proto_.SerializeAsString();
  }

 private:
  void SetLocation(const HloPosition& position,
                   proto::LogicalBufferProto::Location& location) const {
    location.set_instruction_id(ids_.Of(*position.instruction));
    for (const int64_t index : position.index()) {
      location.add_shape_index(index);
    }
  }

  void AddValue(ValueId id) {
    const HloValue value = dataflow_.value(id);
    const AssignedValue& slice = assignment_.SliceOf(id);
    proto::LogicalBufferProto& buffer = *proto_.add_logical_buffers();
    buffer.set_id(id);
    buffer.set_size(slice.size_bytes);
    buffer.set_color(static_cast<int64_t>(
        assignment_.allocations()[slice.allocation].space));
    SetLocation(value.defining_position, *buffer.mutable_defined_at());
    for (size_t i = 1; i < dataflow_.position_count(id); ++i) {
      proto::BufferAssignmentProto::BufferAlias& alias =
          *proto_.add_buffer_aliases();
      alias.set_source_buffer_id(id);
      SetLocation(dataflow_.position(id, i), *alias.mutable_location());
    }
  }

  void AddAllocation(const BufferAllocation& allocation) {
    proto::BufferAllocationProto& out = *proto_.add_buffer_allocations();
    out.set_index(allocation.id);
    out.set_size(allocation.size_bytes);
    out.set_color(static_cast<int64_t>(allocation.space));
    out.set_is_thread_local(allocation.is_thread_local);
    out.set_is_constant(allocation.is_constant);
    out.set_maybe_live_out(allocation.is_live_out);
    if (allocation.parameter.has_value()) {
      out.set_is_entry_computation_parameter(true);
      out.set_parameter_number(
          allocation.parameter->instruction->parameter_number());
      for (const int64_t index : allocation.parameter->index()) {
        out.add_parameter_shape_index(index);
      }
      out.set_is_parameter_aliased_with_output(allocation.is_live_out);
    }
    out.set_is_tuple(
        !allocation.values.empty() &&
        std::all_of(allocation.values.begin(), allocation.values.end(),
                    [this](const AssignedValue& assigned) {
                      return dataflow_.value(assigned.value).shape().IsTuple();
                    }));
    for (const AssignedValue& assigned : allocation.values) {
      proto::BufferAllocationProto::Assigned& slice = *out.add_assigned();
      slice.set_logical_buffer_id(assigned.value);
      slice.set_offset(assigned.offset_bytes);
      slice.set_size(assigned.size_bytes);
    }
  }

  static proto::HeapSimulatorTrace::Event::Kind KindOf(HeapEvent::Kind kind) {
    switch (kind) {
      case HeapEvent::Kind::kAlloc:
        return proto::HeapSimulatorTrace::Event::ALLOC;
      case HeapEvent::Kind::kFree:
        return proto::HeapSimulatorTrace::Event::FREE;
      case HeapEvent::Kind::kShareWith:
        break;
    }
    return proto::HeapSimulatorTrace::Event::SHARE_WITH;
  }

  void AddTrace(const BufferAllocation& allocation) {
    proto::HeapSimulatorTrace& trace = *proto_.add_heap_simulator_traces();
    trace.set_whole_module_simulation(true);
    trace.set_buffer_allocation_index(allocation.id);
    for (const HeapEvent& event : HeapTraceOf(assignment_, allocation)) {
      proto::HeapSimulatorTrace::Event& out = *trace.add_events();
      out.set_kind(KindOf(event.kind));
      out.set_buffer_id(event.value);
      if (event.kind == HeapEvent::Kind::kShareWith) {
        out.set_share_with_canonical_id(event.canonical);
      }
      const HloInstruction& instruction =
          dataflow_.value(event.value).instruction();
      out.set_computation_name(std::string(instruction.parent().name()));
      out.set_instruction_name(std::string(instruction.name()));
    }
  }

  const BufferAssignment& assignment_;
  const HloDataflowAnalysis& dataflow_;
  const ProtoIds ids_;
  proto::BufferAssignmentProto proto_;
};

}  // namespace

std::string BufferAssignmentToProto(const BufferAssignment& assignment) {
  return Writer(assignment).Write();
}

absl::StatusOr<std::string> HloWithAssignmentToProto(
    const BufferAssignment& assignment) {
  std::string module;
  FERRY_RETURN_IF_ERROR(
      ProtoModuleWriter(assignment.module(), /*with_config=*/true)
          .Append(module));
  std::string bytes;
  AppendBytesField(proto::HloProto::kHloModuleFieldNumber, module, bytes);
  AppendBytesField(proto::HloProto::kBufferAssignmentFieldNumber,
                   BufferAssignmentToProto(assignment), bytes);
  return bytes;
}

}  // namespace ferry
