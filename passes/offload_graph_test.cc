// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/passes/offload_graph.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ferry/hlo/hlo_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ferry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OffloadGraphTest : public testing::Test {
 protected:
  void Read(absl::string_view text) {
    auto module = ParseHloText(text, context_);
    ASSERT_TRUE(module.ok()) << module.status();
    module_ = *std::move(module);
    auto graph = OffloadGraph::Build(*module_);
    ASSERT_TRUE(graph.ok()) << graph.status();
    graph_ = std::make_unique<OffloadGraph>(*std::move(graph));
  }

  OffloadNode Node(ContextId context, absl::string_view name,
                   int32_t ordinal = 0) const {
    for (const HloInstruction& instruction :
         graph_->contexts()[context].computation->instructions()) {
      if (instruction.name() == name) return {context, &instruction, ordinal};
    }
    ADD_FAILURE() << "no `" << name << "` in context " << context;
    return {};
  }

  static std::string Text(const OffloadNode& node) {
    return absl::StrCat(node.context, ":", node.instruction->name(),
                        ShapeIndexToString(node.position().index()));
  }
  std::vector<std::string> Flows(const OffloadNode& node) const {
    std::vector<std::string> flows;
    graph_->ForEachFlow(node, [&](const OffloadFlow& flow) {
      flows.push_back(
          absl::StrCat(Text(flow.to), " ", static_cast<int>(flow.kind)));
    });
    return flows;
  }
  static std::string Flow(absl::string_view to, FlowKind kind) {
    return absl::StrCat(to, " ", static_cast<int>(kind));
  }

  HloContext context_;
  std::unique_ptr<HloModule> module_;
  std::unique_ptr<OffloadGraph> graph_;
};

constexpr absl::string_view kTwoCalls = R"(
f {
  q = f32[4] parameter(0)
  ROOT r = f32[4] bitcast(q)
}
ENTRY main {
  x = f32[4] parameter(0)
  a = f32[4] call(x), to_apply=f
  b = f32[4] call(a), to_apply=f
  dead = f32[4] call(x), to_apply=f
  ROOT y = f32[4] negate(b)
})";

TEST_F(OffloadGraphTest, GivesEachLiveCallAContextOfItsOwn) {
  Read(kTwoCalls);
  ASSERT_EQ(graph_->contexts().size(), 3);
  EXPECT_EQ(graph_->contexts()[1].callers[0].instruction->name(), "a");
  EXPECT_EQ(graph_->contexts()[2].callers[0].instruction->name(), "b");
  EXPECT_FALSE(graph_->IsLive(*Node(0, "dead").instruction));
  EXPECT_THAT(graph_->shared(), IsEmpty());
}

TEST_F(OffloadGraphTest, GoesIntoACallAndComesBackToTheSameOne) {
  Read(kTwoCalls);
  EXPECT_THAT(Flows(Node(0, "a")), ElementsAre(Flow("2:q{}", FlowKind::kPass)));
  EXPECT_THAT(Flows(Node(1, "r")), ElementsAre(Flow("0:a{}", FlowKind::kPass)));
  EXPECT_EQ(Text(graph_->MakerOf(Node(0, "b"))), "0:x{}");
}

TEST_F(OffloadGraphTest, NumbersNodesBothWays) {
  Read(kTwoCalls);
  for (NodeId id = 0; id < graph_->node_limit(); ++id) {
    EXPECT_EQ(graph_->IdOf(graph_->NodeOf(id)), id);
  }
}

TEST_F(OffloadGraphTest, TellsDataUpdateAndIndexApart) {
  Read(R"(
ENTRY main {
  s = f32[8,4] parameter(0)
  u = f32[1,4] parameter(1)
  i = s32[] parameter(2)
  put = f32[8,4] dynamic-update-slice(s, u, i, i)
  ROOT got = f32[1,4] dynamic-slice(put, i, i), dynamic_slice_sizes={1,4}
})");
  EXPECT_THAT(Flows(Node(0, "s")),
              ElementsAre(Flow("0:put{}", FlowKind::kPass)));
  EXPECT_THAT(Flows(Node(0, "u")),
              ElementsAre(Flow("0:put{}", FlowKind::kUpdate)));
  EXPECT_THAT(Flows(Node(0, "i")),
              ElementsAre(Flow("0:put{}", FlowKind::kIndex),
                          Flow("0:put{}", FlowKind::kIndex),
                          Flow("0:got{}", FlowKind::kIndex),
                          Flow("0:got{}", FlowKind::kIndex)));
  EXPECT_THAT(Flows(Node(0, "put")),
              ElementsAre(Flow("0:got{}", FlowKind::kSlice)));
}

TEST_F(OffloadGraphTest, ALoopHandsItsLastValueToTheNextIterationAndOut) {
  Read(R"(
body {
  p = (f32[4], pred[]) parameter(0)
  x = f32[4] get-tuple-element(p), index=0
  c = pred[] get-tuple-element(p), index=1
  y = f32[4] negate(x)
  ROOT r = (f32[4], pred[]) tuple(y, c)
}
more {
  q = (f32[4], pred[]) parameter(0)
  ROOT c = pred[] get-tuple-element(q), index=1
}
ENTRY main {
  x = f32[4] parameter(0)
  c = pred[] parameter(1)
  init = (f32[4], pred[]) tuple(x, c)
  loop = (f32[4], pred[]) while(init), condition=more, body=body
  ROOT y = f32[4] get-tuple-element(loop), index=0
})");
  // Context 1 is the condition, context 2 the body.
  EXPECT_THAT(Flows(Node(0, "init", 1)),
              ElementsAre(Flow("2:p{0}", FlowKind::kPass)));
  EXPECT_THAT(Flows(Node(2, "r", 1)),
              ElementsAre(Flow("0:loop{0}", FlowKind::kPass),
                          Flow("2:p{0}", FlowKind::kBackEdge)));
  // The condition reads the other element.
  EXPECT_FALSE(graph_->IsLive(Node(1, "q", 1)));
  EXPECT_TRUE(graph_->IsLive(Node(1, "q", 2)));
  std::vector<std::string> sources;
  for (const OffloadNode& source : graph_->SourcesOf(Node(0, "loop", 1))) {
    sources.push_back(Text(source));
  }
  EXPECT_THAT(sources, ElementsAre("0:init{0}", "2:r{0}"));
}

TEST_F(OffloadGraphTest, DoesNotEnterAMarkedHostCall) {
  Read(R"(
work {
  q = f32[4] parameter(0)
  ROOT s = f32[4] sine(q)
}
ENTRY main {
  x = f32[4] parameter(0)
  ROOT c = f32[4] call(x), to_apply=work, frontend_attributes={_xla_compute_type="host"}
})");
  EXPECT_EQ(graph_->contexts().size(), 1);
  EXPECT_THAT(Flows(Node(0, "x")),
              ElementsAre(Flow("0:c{}", FlowKind::kHostCall)));
}

TEST_F(OffloadGraphTest, AKernelPassesOnWhatItWritesInPlace) {
  Read(R"(
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  ROOT k = (f32[4], f32[4]) custom-call(x, y), custom_call_target="k", output_to_operand_aliasing={{1}: (0, {})}
})");
  EXPECT_THAT(Flows(Node(0, "x")),
              ElementsAre(Flow("0:k{1}", FlowKind::kPass)));
  EXPECT_THAT(Flows(Node(0, "y")),
              ElementsAre(Flow("0:k{}", FlowKind::kOpaque)));
}

}  // namespace
}  // namespace ferry
