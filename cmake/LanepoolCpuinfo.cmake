# cpuinfo, through pkg-config: the CMake package of Debian 12 names a directory that does not exist.
# Sets LANEPOOL_CPUINFO_TARGET and _DEFINITIONS, both empty without cpuinfo.

set(LANEPOOL_CPUINFO_TARGET "")
set(LANEPOOL_CPUINFO_DEFINITIONS "")
if(LANEPOOL_CPUINFO)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(LANEPOOL_LIBCPUINFO QUIET IMPORTED_TARGET libcpuinfo)
  endif()
  if(LANEPOOL_LIBCPUINFO_FOUND)
    set(LANEPOOL_CPUINFO_TARGET PkgConfig::LANEPOOL_LIBCPUINFO)
    set(LANEPOOL_CPUINFO_DEFINITIONS LANEPOOL_HAVE_CPUINFO=1)
    message(STATUS "cpuinfo: found by pkg-config")
  else()
    message(STATUS "cpuinfo: not found, cache sizes are fixed")
  endif()
endif()
