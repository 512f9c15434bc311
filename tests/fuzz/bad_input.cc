// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tests/fuzz/bad_input.h"

#include <algorithm>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"

namespace ferry {
namespace {

// `part` again and again.
std::string Many(absl::string_view part, int64_t bytes) {
  std::string text;
  while (static_cast<int64_t>(text.size()) < bytes)
    absl::StrAppend(&text, part);
  return text;
}

// `part` with $0 counting from 0.
std::string Count(absl::string_view part, int64_t bytes) {
  std::string text;
  for (int64_t i = 0; static_cast<int64_t>(text.size()) < bytes; ++i) {
    absl::SubstituteAndAppend(&text, part, i);
  }
  return text;
}

std::string Nested(absl::string_view open, absl::string_view middle,
                   absl::string_view close, int64_t bytes) {
  const int64_t depth = bytes / (open.size() + close.size());
  return absl::StrCat(Many(open, depth * open.size()), middle,
                      Many(close, depth * close.size()));
}

std::string Entry(absl::string_view lines) {
  return absl::StrCat("HloModule m\n\nENTRY e {\n  p = f32[] parameter(0)\n",
                      lines, "\n}\n");
}

std::string WithAttribute(absl::string_view attribute) {
  return Entry(absl::StrCat("  ROOT r = f32[] negate(p), ", attribute));
}

std::string Noise(int64_t bytes, int limit) {
  std::minstd_rand random(5);
  std::string text;
  for (int64_t i = 0; i < bytes; ++i) {
    text.push_back(static_cast<char>(random() % limit));
  }
  return text;
}

// "1,1,1" for an array of many dimensions.
std::string Ones(int64_t bytes) { return Many("1,", bytes) + "1"; }

constexpr BadInput kBadInputs[] = {
    // Garbage.
    {"nul_bytes", [](int64_t n) { return std::string(n, '\0'); }},
    {"noise", [](int64_t n) { return Noise(n, 256); }},
    {"ascii_noise", [](int64_t n) { return Noise(n, 128); }},
    {"one_word", [](int64_t n) { return std::string(n, 'a'); }},
    {"one_number", [](int64_t n) { return std::string(n, '7'); }},
    {"spaces", [](int64_t n) { return std::string(n, ' '); }},
    {"line_ends", [](int64_t n) { return std::string(n, '\n'); }},
    {"open_braces", [](int64_t n) { return std::string(n, '{'); }},
    {"open_parentheses", [](int64_t n) { return std::string(n, '('); }},
    {"quotes", [](int64_t n) { return std::string(n, '"'); }},
    {"backslashes", [](int64_t n) { return "\"" + std::string(n, '\\'); }},
    {"open_comments", [](int64_t n) { return Many("/*", n); }},
    {"comments", [](int64_t n) { return Many("/**/", n); }},
    {"line_comments", [](int64_t n) { return Many("//\n", n); }},
    {"headers", [](int64_t n) { return Many("HloModule m\n", n); }},
    {"broken_utf8", [](int64_t n) { return Entry(Many("\xff\xc3(\xf0", n)); }},
    {"open_strings",
     [](int64_t n) { return Entry(Many("  r = f32[] a(\"\n", n)); }},
    // Names.
    {"long_module_name",
     [](int64_t n) {
       return absl::StrCat("HloModule ", std::string(n, 'm'),
                           "\n\nENTRY e {\n  p = f32[] parameter(0)\n}\n");
     }},
    {"long_names",
     [](int64_t n) {
       const std::string a(n / 4, 'a');
       return Entry(absl::StrCat("  ", a, "x = f32[] negate(p)\n  ROOT r = ",
                                 "f32[] negate(", a, "y)\n"));
     }},
    {"long_unknown_opcode",
     [](int64_t n) {
       return Entry(absl::StrCat("  r = f32[] ", std::string(n, 'b'), "(p)"));
     }},
    {"unknown_names",
     [](int64_t n) { return Entry(Count("  r$0 = f32[] negate(q$0)\n", n)); }},
    {"equal_names",
     [](int64_t n) { return Entry(Many("  p = f32[] negate(p)\n", n)); }},
    {"names_that_count_on",
     [](int64_t n) {
       return Count("c$0 {\n  ROOT p = f32[] parameter(0)\n}\n", n);
     }},
    {"equal_computations",
     [](int64_t n) {
       return Many("c {\n  ROOT p = f32[] parameter(0)\n}\n", n);
     }},
    {"many_roots",
     [](int64_t n) {
       return Entry(Count("  ROOT r$0 = f32[] negate(p)\n", n));
     }},
    {"many_entries",
     [](int64_t n) {
       return Count("ENTRY c$0 {\n  ROOT p = f32[] parameter(0)\n}\n", n);
     }},
    {"many_errors",
     [](int64_t n) { return Entry(Many("  a = = f32[] b(c\n", n)); }},
    {"unknown_opcodes",
     [](int64_t n) { return Entry(Count("  r$0 = f32[] zz$0(p)\n", n)); }},
    // Shapes.
    {"nested_tuple_shape",
     [](int64_t n) {
       return Entry(absl::StrCat("  q = ", Nested("(", "f32[]", ")", n),
                                 " parameter(1)"));
     }},
    {"nested_empty_tuples",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  q = ", Nested("(", "", ")", n), " parameter(1)"));
     }},
    {"nested_buffers",
     [](int64_t n) {
       return Entry(absl::StrCat("  q = ", Nested("b(", "f32[]", ")", n),
                                 " parameter(1)"));
     }},
    {"nested_signature",
     [](int64_t n) {
       return absl::StrCat("ENTRY e (p: ", Nested("(", "f32[]", ")", n),
                           ") -> f32[] {\n  p = f32[] parameter(0)\n}\n");
     }},
    {"nested_entry_layout",
     [](int64_t n) {
       return absl::StrCat("HloModule m, entry_computation_layout={(",
                           Nested("(", "f32[]", ")", n),
                           ")->f32[]}\n\nENTRY e {\n  p = f32[] "
                           "parameter(0)\n}\n");
     }},
    {"wide_tuple_shape",
     [](int64_t n) {
       return Entry(absl::StrCat("  ROOT q = (", Many("f32[],", n),
                                 "f32[]) parameter(1)"));
     }},
    {"tuples_that_double",
     [](int64_t n) {
       std::string lines = "  w0 = tuple(p, p)\n";
       for (int64_t i = 1; static_cast<int64_t>(lines.size()) < n; ++i) {
         absl::StrAppend(&lines, "  w", i, " = tuple(w", i - 1, ", w", i - 1,
                         ")\n");
       }
       return Entry(lines);
     }},
    {"tuples_that_grow",
     [](int64_t n) {
       std::string lines = "  w0 = tuple(p)\n";
       for (int64_t i = 1; static_cast<int64_t>(lines.size()) < n; ++i) {
         absl::StrAppend(&lines, "  w", i, " = tuple(w", i - 1, ", p)\n");
       }
       return Entry(lines);
     }},
    {"copies_of_a_wide_tuple",
     [](int64_t n) {
       return Entry(absl::StrCat("  c0 = (", Many("f32[],", n / 2),
                                 "f32[]) parameter(1)\n",
                                 Count("  d$0 = copy(c0)\n", n / 2)));
     }},
    {"shardings_of_a_wide_tuple",
     [](int64_t n) {
       return Entry(absl::StrCat(
           "  c0 = (", Many("f32[],", n / 2), "f32[]) parameter(1)\n",
           Count("  d$0 = copy(c0), sharding={replicated}\n", n / 2)));
     }},
    {"huge_dimensions",
     [](int64_t n) {
       return Entry(absl::StrCat("  ROOT q = f32[",
                                 Many("9223372036854775807,", n),
                                 "9223372036854775807] parameter(1)"));
     }},
    {"many_dimensions",
     [](int64_t n) {
       return Entry(absl::StrCat("  q = f32[", Ones(n),
                                 "] parameter(1)\n  ROOT r = f32[] copy(q)"));
     }},
    {"reversed_dimensions",
     [](int64_t n) {
       return Entry(absl::StrCat("  q = f32[", Ones(n / 4), "] parameter(1)\n",
                                 "  ROOT r = reverse(q), dimensions={",
                                 Count("$0,", n), "0}"));
     }},
    {"many_tiles",
     [](int64_t n) {
       return Entry(absl::StrCat("  ROOT q = f32[2]{0:T", Many("(2)", n),
                                 "} parameter(1)"));
     }},
    {"many_layouts",
     [](int64_t n) {
       return Entry(
           Count("  q$0 = f32[2]{0:S($0)} custom-call(), "
                 "custom_call_target=\"a\"\n",
                 n));
     }},
    {"parameter_numbers",
     [](int64_t n) {
       return Entry(Count("  q$0 = f32[] parameter(9$0999999999)\n", n));
     }},
    {"tuple_indices",
     [](int64_t n) {
       return Entry(
           Count("  q$0 = f32[] get-tuple-element(p), "
                 "index=9$099999999\n",
                 n));
     }},
    // Literals.
    {"nested_array_literal",
     [](int64_t n) {
       return Entry(absl::StrCat("  q = f32[] constant(",
                                 Nested("{", "1", "}", n), ")"));
     }},
    {"nested_tuple_literal",
     [](int64_t n) {
       return Entry(absl::StrCat("  q = ", Nested("(", "f32[]", ")", n / 2),
                                 " constant(", Nested("( ", "1", " )", n / 2),
                                 ")"));
     }},
    {"literal_of_many_dimensions",
     [](int64_t n) {
       return Entry(absl::StrCat("  ROOT q = f32[", Ones(n / 2), "] constant(",
                                 Nested("{", "1", "}", n / 2), ")"));
     }},
    {"literal_too_long",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  q = f32[3] constant({", Many("1,", n), "1})"));
     }},
    {"claimed_literals",
     [](int64_t n) {
       return Entry(
           Count("  a$0 = f32[1000000000000] constant(1)\n"
                 "  b$0 = f32[1000000000000] constant({1, 2})\n"
                 "  c$0 = f32[1000000000000,0] constant(1)\n"
                 "  d$0 = f32[0,1000000000000] constant({})\n"
                 "  e$0 = s4[9223372036854775807,9223372036854775807] "
                 "constant({...})\n"
                 "  f$0 = f32[96,8,6,2048,2048] constant({...})\n",
                 n));
     }},
    {"elided_77_gigabytes",
     [](int64_t n) {
       return Entry(Count(
           "  f$0 = f32[96,8,6,2048,2048]{4,3,2,1,0} constant({...})\n", n));
     }},
    {"empty_literals",
     [](int64_t n) {
       return Entry(Count("  f$0 = f32[1000000,0] constant(1)\n",
                          std::min<int64_t>(n, 100)));
     }},
    {"long_decimals",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  q = f32[] constant(0.", std::string(n, '3'), ")"));
     }},
    // Operands.
    {"nested_operands",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  ROOT r = ", Nested("f32[] negate(", "p", ")", n)));
     }},
    {"nested_inferred_operands",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  ROOT r = ", Nested("negate(", "p", ")", n)));
     }},
    {"nested_open_operands",
     [](int64_t n) { return Entry("  ROOT r = " + Many("negate(", n)); }},
    {"many_operands",
     [](int64_t n) {
       return Entry(absl::StrCat("  ROOT r = tuple(", Many("p, ", n), "p)"));
     }},
    {"many_different_operands",
     [](int64_t n) {
       return Entry(absl::StrCat(Count("  a$0 = f32[] negate(p)\n", n / 2),
                                 "  ROOT r = tuple(", Count("a$0, ", n / 20),
                                 "p)"));
     }},
    {"operands_without_names",
     [](int64_t n) {
       return absl::StrCat("r = f32[] custom-call(", Many("f32[], ", n),
                           "f32[]), custom_call_target=\"a\"");
     }},
    // Attributes.
    {"many_unknown_attributes",
     [](int64_t n) { return WithAttribute(Count("a$0=1, ", n) + "b=2"); }},
    {"equal_attributes",
     [](int64_t n) { return WithAttribute(Many("backend_config={}, ", n)); }},
    {"nested_unknown_attribute",
     [](int64_t n) { return WithAttribute("a=" + Nested("{", "", "}", n)); }},
    {"nested_backend_config",
     [](int64_t n) {
       return WithAttribute("backend_config=" + Nested("{", "", "}", n));
     }},
    {"nested_metadata",
     [](int64_t n) {
       return WithAttribute("metadata=" + Nested("{", "", "}", n));
     }},
    {"nested_sharding",
     [](int64_t n) {
       return WithAttribute("sharding=" + Nested("{", "replicated", "}", n));
     }},
    {"nested_origin",
     [](int64_t n) {
       return WithAttribute("origin={" + Nested("(", "{\"a\"}", ")", n) + "}");
     }},
    {"nested_groups",
     [](int64_t n) {
       return WithAttribute("replica_groups=" + Nested("{", "0", "}", n));
     }},
    {"many_control_predecessors",
     [](int64_t n) {
       return Entry(
           absl::StrCat(Count("  a$0 = f32[] negate(p)\n", n / 2),
                        "  ROOT r = f32[] negate(p), control-predecessors={",
                        Count("a$0, ", n / 8), "p}"));
     }},
    {"equal_control_predecessors",
     [](int64_t n) {
       return WithAttribute("control-predecessors={" + Many("p, ", n) + "p}");
     }},
    {"many_frontend_attributes",
     [](int64_t n) {
       return WithAttribute("frontend_attributes={" + Count("a$0=\"1\",", n) +
                            "b=\"2\"}");
     }},
    {"many_statistics",
     [](int64_t n) {
       return WithAttribute("statistics={visualizing_index=1" +
                            Count(",a$0=1", n) + "}");
     }},
    {"many_sharding_metadata",
     [](int64_t n) {
       return WithAttribute("sharding={replicated metadata={" +
                            Many("{op_name=\"a\"}, ", n) + "{op_name=\"b\"}}}");
     }},
    {"many_mesh_axes",
     [](int64_t n) {
       return WithAttribute("sharding={mesh[" + Count("'a$0'=1,", n) +
                            "'b'=2], [], replicated={'b'}}");
     }},
    {"claimed_devices",
     [](int64_t n) {
       return Entry(
           Count("  a$0 = f32[] negate(p), "
                 "sharding={devices=[1000000,1000000]<=[1000000000000]}\n"
                 "  b$0 = f32[] negate(p), sharding={devices=[4000000000,"
                 "4000000000]<=[4000000000,4000000000]T(1,0)}\n"
                 "  c$0 = f32[] all-reduce(p), to_apply=x, "
                 "replica_groups=[1000000,1000000]<=[1000000000000]\n",
                 n));
     }},
    {"many_groups",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  ROOT r = f32[] collective-broadcast(p), "
                        "replica_groups={",
                        Count("{$0},", n), "{0}}"));
     }},
    {"many_pairs",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  ROOT r = f32[] collective-permute(p), "
                        "source_target_pairs={",
                        Count("{$0,$0},", n), "{0,0}}"));
     }},
    {"many_window_dimensions",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  ROOT r = f32[] custom-call(p), "
                        "custom_call_target=\"a\", window={size=",
                        Many("3x", n), "3}"));
     }},
    {"many_dimension_labels",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  ROOT r = f32[] custom-call(p), "
                        "custom_call_target=\"a\", dim_labels=b",
                        Many("012", n), "_io->bf"));
     }},
    {"long_string",
     [](int64_t n) {
       return WithAttribute("backend_config=\"" + Many("\\\"\\n\\x41", n) +
                            "\"");
     }},
    // Computations.
    {"nested_inline_computations",
     [](int64_t n) {
       return Entry(
           absl::StrCat("  ROOT r = ", Nested("f32[] call(), to_apply={ r = ",
                                              "f32[] constant(1)", "}", n)));
     }},
    {"open_inline_computations",
     [](int64_t n) {
       return Entry("  ROOT r = " + Many("f32[] call(), to_apply={ r = ", n));
     }},
    {"chain_of_calls",
     [](int64_t n) {
       std::string text =
           "HloModule m\n\nc0 {\n  ROOT p = f32[] parameter(0)\n}\n";
       int64_t i = 0;
       while (static_cast<int64_t>(text.size()) < n) {
         ++i;
         absl::StrAppend(&text, "c", i, " {\n  p = f32[] parameter(0)\n",
                         "  ROOT r = f32[] call(p), to_apply=c", i - 1,
                         "\n}\n");
       }
       return text;
     }},
    {"calls_that_double",
     [](int64_t n) {
       std::string text =
           "HloModule m\n\nc0 {\n  ROOT p = f32[] parameter(0)\n}\n";
       int64_t i = 0;
       while (static_cast<int64_t>(text.size()) < n) {
         ++i;
         absl::StrAppend(&text, "c", i, " {\n  p = f32[] parameter(0)\n",
                         "  a = f32[] call(p), to_apply=c", i - 1,
                         "\n  ROOT r = f32[] call(a), to_apply=c", i - 1,
                         "\n}\n");
       }
       return text;
     }},
    {"cyclic_calls",
     [](int64_t n) {
       return Count("c$0 {\n  ROOT r = f32[] call(), to_apply=c$0\n}\n", n);
     }},
    {"many_branches",
     [](int64_t n) {
       return absl::StrCat(
           "HloModule m\n\nc {\n  ROOT p = f32[] parameter(0)\n}\n\nENTRY e {\n"
           "  i = s32[] parameter(0)\n  p = f32[] parameter(1)\n"
           "  ROOT r = f32[] conditional(i, ",
           Many("p, ", n / 2), "p), branch_computations={", Many("c, ", n / 2),
           "c}\n}\n");
     }},
    {"callers_of_one",
     [](int64_t n) {
       return absl::StrCat(
           "HloModule m\n\nc {\n  ROOT p = f32[] parameter(0)\n}\n\nENTRY e {\n"
           "  p = f32[] parameter(0)\n",
           Count("  r$0 = f32[] call(p), to_apply=c\n", n), "}\n");
     }},
    {"long_async_chain",
     [](int64_t n) {
       std::string lines = "  s0 = ((f32[]), f32[], u32[]) negate-start(p)\n";
       for (int64_t i = 1; static_cast<int64_t>(lines.size()) < n; ++i) {
         absl::StrAppend(&lines, "  s", i,
                         "z = ((f32[]), f32[], u32[]) negate-update(s", i - 1,
                         i == 1 ? "" : "z", ")\n");
       }
       return Entry(lines);
     }},
    {"long_chain",
     [](int64_t n) {
       std::string lines = "  x0 = f32[] negate(p)\n";
       for (int64_t i = 1; static_cast<int64_t>(lines.size()) < n; ++i) {
         absl::StrAppend(&lines, "  x", i, " = f32[] negate(x", i - 1, ")\n");
       }
       return Entry(lines);
     }},
    {"chain_of_control",
     [](int64_t n) {
       std::string lines = "  x0 = f32[] negate(p)\n";
       for (int64_t i = 1; static_cast<int64_t>(lines.size()) < n; ++i) {
         absl::StrAppend(&lines, "  x", i, " = f32[] negate(p), ",
                         "control-predecessors={x", i - 1, "}\n");
       }
       return Entry(lines);
     }},
    // Header and tables.
    {"many_header_attributes",
     [](int64_t n) {
       return absl::StrCat("HloModule m", Count(", a$0=1", n),
                           "\n\nENTRY e {\n  p = f32[] parameter(0)\n}\n");
     }},
    {"many_aliases",
     [](int64_t n) {
       return absl::StrCat("HloModule m, input_output_alias={ ",
                           Count("{$0}: ($0, {}), ", n),
                           "{}: (0, {}) }\n\nENTRY e {\n  p = f32[] "
                           "parameter(0)\n}\n");
     }},
    {"deep_alias_index",
     [](int64_t n) {
       return absl::StrCat("HloModule m, input_output_alias={ {", Ones(n),
                           "}: (0, {}) }\n\nENTRY e {\n  p = f32[] "
                           "parameter(0)\n}\n");
     }},
    {"chain_of_stack_frames",
     [](int64_t n) {
       std::string text =
           "HloModule m\n\nFileNames\n1 \"a\"\n\nFunctionNames\n1 \"f\"\n\n"
           "FileLocations\n1 {file_name_id=1 function_name_id=1 line=1 "
           "end_line=1 column=1 end_column=1}\n\nStackFrames\n";
       int64_t i = 0;
       while (static_cast<int64_t>(text.size()) < n) {
         ++i;
         absl::StrAppend(&text, i, " {file_location_id=1 parent_frame_id=", i,
                         "}\n");
       }
       absl::StrAppend(&text, "\n\nENTRY e {\n  p = f32[] parameter(0), ",
                       "metadata={op_name=\"a\" stack_frame_id=", i, "}\n}\n");
       return text;
     }},
    {"stack_frames_in_a_ring",
     [](int64_t n) {
       std::string text =
           "HloModule m\n\nFileNames\n1 \"a\"\n\nFunctionNames\n1 \"f\"\n\n"
           "FileLocations\n1 {file_name_id=1 function_name_id=1 line=1 "
           "end_line=1 column=1 end_column=1}\n\nStackFrames\n"
           "1 {file_location_id=1 parent_frame_id=3}\n"
           "2 {file_location_id=1 parent_frame_id=2}\n\n\nENTRY e {\n"
           "  p = f32[] parameter(0)\n";
       absl::StrAppend(&text,
                       Count("  r$0 = f32[] negate(p), metadata={op_name=\"a\" "
                             "stack_frame_id=2}\n",
                             n),
                       "}\n");
       return text;
     }},
    {"nested_recovery_modules",
     [](int64_t n) {
       return absl::StrCat(
           "HloModule m, origin_recovery_table={",
           Many("{\"a\"} : {\"b\"},\n\"\nHloModule m, origin_recovery_table={",
                n));
     }},
    {"carriage_returns",
     [](int64_t n) {
       return absl::StrCat("HloModule m\r\n\r\nENTRY e {\r\n",
                           "  p = f32[] parameter(0)\r\n",
                           Count("  r$0 = f32[] negate(p)\r\n", n), "}\r\n");
     }},
};

}  // namespace

absl::Span<const BadInput> BadInputs() { return kBadInputs; }

}  // namespace ferry
