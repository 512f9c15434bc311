# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# One folder is one static library:
#
#   ferry_library(memory
#     HEADERS     live_range.h            # .def files too
#     SOURCES     live_range.cc
#     TESTS       live_range_test.cc      # one program and ctest entries each
#     BENCHMARKS  live_range_benchmark.cc # one program each, built, not run
#     DEPENDS     ferry_hlo absl::status)
#
# makes `ferry_memory`, known to embedders as `ferry::memory`. With the word
# PRIVATE after the name its headers and itself are not installed. A library in
# a folder of a folder says where: `ferry_library(hlo_proto FOLDER hlo/proto`.

# Includes carry the project name, "ferry/memory/live_range.h", in the tree as
# when installed.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/ferry
     SYMBOLIC)

function(ferry_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PRIVATE" "FOLDER"
                        "HEADERS;SOURCES;TESTS;BENCHMARKS;DEPENDS")
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  set(library ferry_${name})
  add_library(${library} STATIC ${arg_HEADERS} ${arg_SOURCES})
  add_library(ferry::${name} ALIAS ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_compile_options(${library} PRIVATE ${FERRY_WARNINGS})
  target_include_directories(${library} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PUBLIC ${arg_DEPENDS})
  if(NOT arg_PRIVATE)
    install(TARGETS ${library} EXPORT ferryTargets)
    install(FILES ${arg_HEADERS}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ferry/${arg_FOLDER})
  endif()

  if(BUILD_TESTING)
    foreach(source IN LISTS arg_TESTS)
      ferry_test(${name} ${source})
    endforeach()
    foreach(source IN LISTS arg_BENCHMARKS)
      ferry_test_program(${name} ${source} benchmark::benchmark_main)
    endforeach()
  endif()
endfunction()

# build/<folder>/live_range_test, with one ctest entry for each TEST.
function(ferry_test folder source)
  ferry_test_program(${folder} ${source} GTest::gmock GTest::gtest_main)
  cmake_path(GET source STEM program)
  # Reads files relative to the source root, as under Bazel.
  gtest_discover_tests(${program} TEST_PREFIX ${folder}/
                       WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                       DISCOVERY_TIMEOUT 60)
endfunction()

function(ferry_test_program folder source)
  cmake_path(GET source STEM program)
  add_executable(${program} ${source})
  set_target_properties(${program} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
  target_compile_options(${program} PRIVATE ${FERRY_WARNINGS})
  target_link_libraries(${program} PRIVATE ferry_${folder} ${ARGN})
endfunction()

# build/bin/<name>: a dozen-line main over a library.
function(ferry_program name source)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE ${FERRY_WARNINGS})
  target_link_libraries(${name} PRIVATE ${ARGN})
  install(TARGETS ${name})
endfunction()
