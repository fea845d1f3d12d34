# An overlay port of the checkout that it lies in:
#   vcpkg install lanepool --overlay-ports=packaging/vcpkg
set(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../..")

# Compiled in, and not the port of that name: docs/decisions/0005.
vcpkg_from_github(
  OUT_SOURCE_PATH HIGHWAY_SOURCE_PATH
  REPO google/highway
  REF 1.3.0
  SHA512 8b9f4fdc4fa60b6817417959853f5b55bf86aec9d35fc6664dda15179cc55e0a9940f3a46011a84b95263ba342dc47ca1cb93b04481ff4b63d724cce1815d7c6
)

string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" dynamic shared)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" static static)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    "-DFETCHCONTENT_SOURCE_DIR_HIGHWAY=${HIGHWAY_SOURCE_PATH}"
    -DLANEPOOL_INSTALL_SHARED=${shared}
    -DLANEPOOL_INSTALL_STATIC=${static}
    -DLANEPOOL_CPUINFO=OFF
    -DLANEPOOL_BUILD_TESTS=OFF
    -DLANEPOOL_BUILD_BENCH=OFF
    -DLANEPOOL_BUILD_TOOL=OFF
    -DLANEPOOL_BUILD_EXAMPLES=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/lanepool)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
