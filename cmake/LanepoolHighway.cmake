# Finds Highway >= 1.2, in this order:
#   1. sources named by FETCHCONTENT_SOURCE_DIR_HIGHWAY,
#   2. sources unpacked by scripts/fetch_highway.sh under build/deps,
#   3. an installed package (find_package(hwy)),
#   4. a download of the pinned release.
# Sources are compiled into the library, which then needs no C++ runtime library. An installed
# Highway is linked instead, and brings its own dependencies along.
#
# Sets LANEPOOL_HIGHWAY_SOURCES, _INCLUDE_DIR, _TARGET, _DEFINITIONS, _VERSION.

include(FetchContent)
set(LANEPOOL_HIGHWAY_MINIMUM 1.2.0)

FetchContent_Declare(
  highway
  URL https://github.com/google/highway/archive/refs/tags/1.3.0.tar.gz
  URL_HASH SHA256=07b3c1ba2c1096878a85a31a5b9b3757427af963b1141ca904db2f9f4afe0bc2
  DOWNLOAD_EXTRACT_TIMESTAMP OFF
  SOURCE_SUBDIR hwy # has no CMakeLists.txt: the sources are wanted, not Highway's own build
)

# Newest build/deps/highway-<version>, or "".
function(lanepool_unpacked_highway result)
  file(GLOB candidates "${PROJECT_SOURCE_DIR}/build/deps/highway-*/hwy/highway.h")
  list(SORT candidates COMPARE NATURAL ORDER DESCENDING)
  set(directory "")
  if(candidates)
    list(GET candidates 0 newest)
    cmake_path(GET newest PARENT_PATH directory)
    cmake_path(GET directory PARENT_PATH directory)
  endif()
  set(${result} "${directory}" PARENT_SCOPE)
endfunction()

# "1.3.0", as hwy/base.h (since 1.3) or hwy/highway.h (before) has it.
function(lanepool_highway_version directory result)
  set(version "")
  foreach(part MAJOR MINOR PATCH)
    foreach(header base.h highway.h)
      if(EXISTS "${directory}/hwy/${header}")
        file(STRINGS "${directory}/hwy/${header}" line REGEX "^#define HWY_${part} [0-9]+")
        if(line MATCHES "([0-9]+)")
          list(APPEND version ${CMAKE_MATCH_1})
          break()
        endif()
      endif()
    endforeach()
  endforeach()
  list(JOIN version "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

set(LANEPOOL_HIGHWAY_SOURCES "")
set(LANEPOOL_HIGHWAY_INCLUDE_DIR "")
set(LANEPOOL_HIGHWAY_TARGET "")

set(highway_dir "${FETCHCONTENT_SOURCE_DIR_HIGHWAY}")
if(NOT highway_dir)
  lanepool_unpacked_highway(highway_dir)
endif()
if(NOT highway_dir)
  find_package(hwy ${LANEPOOL_HIGHWAY_MINIMUM} CONFIG QUIET)
endif()
if(NOT highway_dir AND NOT hwy_FOUND)
  message(STATUS "Highway: downloading (on Debian, scripts/deps.sh fetches it from the archive)")
  FetchContent_MakeAvailable(highway)
  set(highway_dir "${highway_SOURCE_DIR}")
endif()

if(highway_dir)
  set(LANEPOOL_HIGHWAY_INCLUDE_DIR "${highway_dir}")
  lanepool_highway_version("${highway_dir}" LANEPOOL_HIGHWAY_VERSION)
  foreach(source per_target.cc targets.cc)
    list(APPEND LANEPOOL_HIGHWAY_SOURCES "${highway_dir}/hwy/${source}")
  endforeach()
  if(LANEPOOL_WITHOUT_CXX_RUNTIME)
    list(APPEND LANEPOOL_HIGHWAY_SOURCES "${PROJECT_SOURCE_DIR}/src/highway_abort.cc")
  else()
    list(APPEND LANEPOOL_HIGHWAY_SOURCES "${highway_dir}/hwy/abort.cc")
  endif()
  message(STATUS "Highway: ${LANEPOOL_HIGHWAY_VERSION} sources in ${highway_dir}")
else()
  set(LANEPOOL_HIGHWAY_TARGET hwy::hwy)
  set(LANEPOOL_HIGHWAY_VERSION ${hwy_VERSION})
  message(STATUS "Highway: ${hwy_VERSION} installed at ${hwy_DIR}")
endif()
if(NOT LANEPOOL_HIGHWAY_VERSION VERSION_GREATER_EQUAL LANEPOOL_HIGHWAY_MINIMUM)
  message(FATAL_ERROR "Highway >= ${LANEPOOL_HIGHWAY_MINIMUM} is needed, this is "
                      "'${LANEPOOL_HIGHWAY_VERSION}': ${highway_dir}${hwy_DIR}"
  )
endif()

# HWY_DISABLED_TARGETS.
set(disabled ${LANEPOOL_DISABLED_TARGETS})
if(LANEPOOL_HIGHWAY_VERSION VERSION_LESS 1.3.0)
  list(REMOVE_ITEM disabled AVX10_2) # has no such name yet
endif()
list(TRANSFORM disabled PREPEND "HWY_")
list(JOIN disabled "|" disabled_terms)
if(NOT disabled)
  set(disabled_terms 0)
endif()
if(LANEPOOL_TARGETS)
  set(wanted ${LANEPOOL_TARGETS})
  list(TRANSFORM wanted PREPEND "HWY_")
  list(JOIN wanted "|" wanted_terms)
  set(disabled_terms "~(${wanted_terms})")
endif()
set(LANEPOOL_HIGHWAY_DEFINITIONS "HWY_DISABLED_TARGETS=(${disabled_terms})")

# kernels_moves.cc has AVX3_DL where all have AVX3.
set(LANEPOOL_MOVES_BYTES OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
  if(LANEPOOL_TARGETS)
    list(FIND LANEPOOL_TARGETS AVX3 at)
  else()
    list(FIND LANEPOOL_DISABLED_TARGETS AVX3 at)
  endif()
  if((LANEPOOL_TARGETS AND NOT at EQUAL -1) OR (NOT LANEPOOL_TARGETS AND at EQUAL -1))
    set(LANEPOOL_MOVES_BYTES ON)
  endif()
endif()
