# 32-bit Arm Linux (ARMv7 with NEON and VFPv4), by clang 19: Highway's portable vectors, which stand
# in for those of floats, are not for GCC before 16.
set(CMAKE_SYSTEM_PROCESSOR armv7)
set(triple arm-linux-gnueabihf)
set(clang ON)
set(flags "-march=armv7-a -mfpu=neon-vfpv4")
set(emulator qemu-arm)
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
