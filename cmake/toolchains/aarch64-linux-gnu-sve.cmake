# 64-bit Arm Linux with SVE with clang 19 and the C and C++ libraries of
# g++-aarch64-linux-gnu. Programs run under qemu (qemu-user) with the same C library.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_C_FLAGS_INIT "-march=armv8.2-a+sve")
set(CMAKE_CXX_FLAGS_INIT "-march=armv8.2-a+sve")
# Highway 1.3 leaves SVE out with clang 19, for failures that none of these kernels has shown.
string(APPEND CMAKE_CXX_FLAGS_INIT " -DHWY_BROKEN_SVE=0")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
