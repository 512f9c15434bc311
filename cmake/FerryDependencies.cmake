# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# What Ferry stands on, all of it from the distribution:
#
#   ferry::llvm, absl::*          everywhere; part of the installed interface
#   CLI11::CLI11, spdlog::spdlog  tools/ only
#   protobuf::libprotobuf         .cc files of hlo/proto/
#   ZLIB::ZLIB, zstd::*           .cc files of hlo/, tools/
#   GTest::*, benchmark::*        tests and benchmarks only

# LLVM's package accepts only the very version that is asked for.
foreach(version IN ITEMS 19.1 20.1 21.1 22.1)
  if(NOT LLVM_FOUND)
    find_package(LLVM ${version} CONFIG QUIET)
  endif()
endforeach()
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "LLVM 19.1 or newer not found; run tools/install_packages "
                      "or set LLVM_DIR")
endif()
include(FerryLLVM)

find_package(absl CONFIG REQUIRED)
find_package(Threads REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
# Linked statically: the dynamic one and what it needs cost each start of a
# program a millisecond.
set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd CONFIG REQUIRED)
if(BUILD_TESTING)
  find_package(GTest CONFIG REQUIRED)
  find_package(benchmark CONFIG REQUIRED)
endif()
