# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# How everything is compiled: C++20, optimized unless told otherwise, with
# warnings. Uses ccache and lld where they are found. FERRY_CHECK stays on in
# every build type; NDEBUG only switches off assert().

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Designated initializers name the fields that differ from their defaults.
set(FERRY_WARNINGS -Wall -Wextra -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Sees ghosts in the inline storage of other libraries' containers.
  list(APPEND FERRY_WARNINGS -Wno-maybe-uninitialized)
endif()

# The rest is the choice of whoever embeds the source tree.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_program(FERRY_CCACHE ccache)
mark_as_advanced(FERRY_CCACHE)
if(FERRY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${FERRY_CCACHE})
endif()

# Newer Clang names constrained templates otherwise than the compiler that the
# distribution's Abseil was built with.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND
   CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 18)
  add_compile_options(-fclang-abi-compat=17)
endif()

# GCC finds a linker by folder, not by path.
find_program(FERRY_LLD ld.lld PATHS /usr/lib/llvm-19/bin)
mark_as_advanced(FERRY_LLD)
if(FERRY_LLD)
  cmake_path(GET FERRY_LLD PARENT_PATH lld_folder)
  add_link_options(-fuse-ld=lld -B${lld_folder})
endif()

if(FERRY_SANITIZE)
  add_compile_options(-fsanitize=${FERRY_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FERRY_SANITIZE})
endif()
