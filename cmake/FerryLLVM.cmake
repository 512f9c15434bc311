# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# ferry::llvm is LLVM's containers and support library, linked statically: the
# big shared libLLVM would cost more at start-up than most runs of Ferry take.
# Used by the build and by the installed ferryConfig.cmake, after
# find_package(LLVM).

if(NOT TARGET ferry::llvm)
  add_library(ferry::llvm INTERFACE IMPORTED)
  target_include_directories(ferry::llvm INTERFACE ${LLVM_INCLUDE_DIRS})
  # LLVMSupport names libraries that only parts of it need (Z3 among them).
  target_link_options(ferry::llvm INTERFACE LINKER:--as-needed)
  target_link_libraries(ferry::llvm INTERFACE LLVMSupport)
endif()
