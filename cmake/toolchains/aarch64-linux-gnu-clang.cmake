# 64-bit Arm Linux by clang 19, with every target that Highway has for it: those of NEON and of SVE,
# chosen at run time. Highway 1.3 leaves SVE out with clang 19, for failures that none of these
# kernels has shown.
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(triple aarch64-linux-gnu)
set(clang ON)
set(flags "-DHWY_BROKEN_SVE=0 -DHWY_BROKEN_SVE2=0")
set(emulator qemu-aarch64 -cpu max)
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
