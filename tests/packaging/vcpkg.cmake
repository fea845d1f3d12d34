# Runs packaging/vcpkg/portfile.cmake without vcpkg: what the port calls are stand-ins here, which do
# what vcpkg documents of them for one build type. Then a stranger's project follows `usage`.
#
#   cmake -DLINKAGE=static|dynamic -DHIGHWAY=DIR -DWORK=DIR -P vcpkg.cmake
#
# Only the baseline instruction set is compiled. What vcpkg itself makes of the port, its debug build
# and the relocation of the packages, is not tested.
cmake_minimum_required(VERSION 3.25)
set(PORT lanepool)
set(port_dir "${CMAKE_CURRENT_LIST_DIR}/../../packaging/vcpkg")
set(checkout "${CMAKE_CURRENT_LIST_DIR}/../..")
set(VCPKG_LIBRARY_LINKAGE ${LINKAGE})
set(CURRENT_PACKAGES_DIR "${WORK}/packages")
set(build_dir "${WORK}/build")
file(REMOVE_RECURSE "${WORK}")

function(run)
  execute_process(
    COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output
  )
  if(status OR output MATCHES "Manually-specified variables were not used")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# The archive that CMake would download is the one that the port names.
function(vcpkg_from_github)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_SOURCE_PATH;REPO;REF;SHA512" "")
  file(READ "${checkout}/cmake/LanepoolHighway.cmake" pinned)
  if(NOT pinned MATCHES "github.com/${arg_REPO}/archive/refs/tags/${arg_REF}.tar.gz")
    message(FATAL_ERROR "the port has Highway ${arg_REF}, LanepoolHighway.cmake another one")
  endif()
  string(LENGTH "${arg_SHA512}" length)
  if(NOT length EQUAL 128)
    message(FATAL_ERROR "no SHA512: ${arg_SHA512}")
  endif()
  set(${arg_OUT_SOURCE_PATH} "${HIGHWAY}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  run("${CMAKE_COMMAND}" -G Ninja -S "${arg_SOURCE_PATH}" -B "${build_dir}" ${arg_OPTIONS}
      -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}"
      -DFETCHCONTENT_FULLY_DISCONNECTED=ON -DCMAKE_INSTALL_LIBDIR:STRING=lib
      "-DLANEPOOL_DISABLED_TARGETS=AVX10_2\\;AVX3_SPR\\;AVX3_ZEN4\\;AVX3_DL\\;AVX3\\;AVX2\\;SSE4\\;SSSE3"
  )
endfunction()

function(vcpkg_cmake_install)
  run("${CMAKE_COMMAND}" --build "${build_dir}" --parallel 2)
  run("${CMAKE_COMMAND}" --install "${build_dir}")
endfunction()

function(require_files)
  foreach(file ${ARGN})
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${file}")
      message(FATAL_ERROR "the package has no ${file}")
    endif()
  endforeach()
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  require_files(${arg_CONFIG_PATH}/lanepoolConfig.cmake ${arg_CONFIG_PATH}/lanepoolConfigVersion.cmake)
endfunction()

function(vcpkg_fixup_pkgconfig)
  require_files(lib/pkgconfig/lanepool.pc)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(COPY_FILE "${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright")
endfunction()

# Included as vcpkg does, with the port's own directory as CMAKE_CURRENT_LIST_DIR.
include("${port_dir}/portfile.cmake")

require_files(include/lanepool/lanepool.h include/lanepool/lanepool.hpp share/lanepool/copyright)
file(GLOB libraries RELATIVE "${CURRENT_PACKAGES_DIR}/lib" "${CURRENT_PACKAGES_DIR}/lib/lib*")
if(LINKAGE STREQUAL static AND NOT libraries STREQUAL "liblanepool.a")
  message(FATAL_ERROR "a static package with ${libraries}")
endif()
if(LINKAGE STREQUAL dynamic AND (NOT libraries MATCHES "\\.so" OR libraries MATCHES "\\.a"))
  message(FATAL_ERROR "a dynamic package with ${libraries}")
endif()

# The version of the manifest, and fields that vcpkg asks for.
file(READ "${port_dir}/vcpkg.json" manifest)
file(READ "${checkout}/include/lanepool/lanepool.h" header)
string(REGEX MATCH "VERSION_MAJOR ([0-9]+).*VERSION_MINOR ([0-9]+).*VERSION_PATCH ([0-9]+)" found
             "${header}"
)
string(JSON version GET "${manifest}" version-semver)
string(JSON name GET "${manifest}" name)
if(NOT "${name} ${version}" STREQUAL "lanepool ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}")
  message(FATAL_ERROR "vcpkg.json is of ${name} ${version}")
endif()

# A project with the lines of `usage`.
file(READ "${CURRENT_PACKAGES_DIR}/share/lanepool/usage" usage)
string(REGEX MATCHALL "\n    [^\n]+" lines "${usage}")
list(GET lines 0 find)
list(GET lines 1 link)
file(WRITE "${WORK}/project/CMakeLists.txt"
     "cmake_minimum_required(VERSION 3.25)\nproject(user LANGUAGES C CXX)\n${find}
add_executable(main \"${checkout}/tests/consumer/typed.cc\")
target_compile_features(main PRIVATE cxx_std_17)\n${link}\n"
)
run("${CMAKE_COMMAND}" -G Ninja -S "${WORK}/project" -B "${WORK}/project/build"
    "-DCMAKE_PREFIX_PATH=${CURRENT_PACKAGES_DIR}"
)
run("${CMAKE_COMMAND}" --build "${WORK}/project/build")
run("${WORK}/project/build/main")
message(STATUS "${LINKAGE}: ${libraries}; ${output}")
