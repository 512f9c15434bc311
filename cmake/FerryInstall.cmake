# SPDX-FileCopyrightText: 2026 The Ferry Authors
# SPDX-License-Identifier: Apache-2.0
#
# Makes `find_package(ferry)` work from an installed prefix; tests/install is a
# consumer that does so.

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ferry)

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/ferryConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ferryConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/ferryConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)

install(EXPORT ferryTargets NAMESPACE ferry:: DESTINATION ${package_folder})
install(FILES ${PROJECT_BINARY_DIR}/ferryConfig.cmake
              ${PROJECT_BINARY_DIR}/ferryConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FerryLLVM.cmake
        DESTINATION ${package_folder})
