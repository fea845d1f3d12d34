# Install rules, the CMake package and the pkg-config file.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/lanepool")

install(FILES include/lanepool/lanepool.h include/lanepool/lanepool.hpp
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/lanepool"
)

# One export file per library: a program that uses the shared one must not need the dependencies of
# the static one.
if(LANEPOOL_INSTALL_SHARED)
  install(
    TARGETS lanepool
    EXPORT lanepoolShared
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  )
  install(
    EXPORT lanepoolShared
    NAMESPACE lanepool::
    DESTINATION "${package_dir}"
  )
endif()
if(LANEPOOL_INSTALL_STATIC)
  install(
    TARGETS lanepool_static
    EXPORT lanepoolStatic
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  )
  install(
    EXPORT lanepoolStatic
    NAMESPACE lanepool::
    DESTINATION "${package_dir}"
  )
endif()

configure_package_config_file(
  cmake/lanepoolConfig.cmake.in "${PROJECT_BINARY_DIR}/lanepoolConfig.cmake"
  INSTALL_DESTINATION "${package_dir}"
)
# Before 1.0 a minor version may change the ABI.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/lanepoolConfigVersion.cmake" COMPATIBILITY SameMinorVersion
)
install(
  FILES "${PROJECT_BINARY_DIR}/lanepoolConfig.cmake"
        "${PROJECT_BINARY_DIR}/lanepoolConfigVersion.cmake"
  DESTINATION "${package_dir}"
)

# lanepool.pc finds its prefix from its own place, so that an installed tree can be moved.
set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
if(libdir_is_absolute)
  set(LANEPOOL_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(LANEPOOL_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH up "/prefix/${pc_dir}" "/prefix")
  cmake_path(SET up NORMALIZE "${up}")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(LANEPOOL_PC_PREFIX "\${pcfiledir}/${up}")
  set(LANEPOOL_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
cmake_path(
  ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE
  LANEPOOL_PC_INCLUDEDIR
)
set(requires "")
if(LANEPOOL_CPUINFO_TARGET)
  list(APPEND requires libcpuinfo)
endif()
if(LANEPOOL_HIGHWAY_TARGET)
  list(APPEND requires "libhwy >= ${LANEPOOL_HIGHWAY_MINIMUM}")
endif()
list(JOIN requires ", " LANEPOOL_PC_REQUIRES_PRIVATE)
configure_file(cmake/lanepool.pc.in lanepool.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/lanepool.pc" DESTINATION "${pc_dir}")
