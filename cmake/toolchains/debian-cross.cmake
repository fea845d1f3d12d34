# What the toolchain files for Debian's cross compilers have in common. They set
#   CMAKE_SYSTEM_PROCESSOR, triple  whose C and C++ libraries come with g++-<triple>
#   flags                           for the compiler, or ""
#   emulator                        how qemu (qemu-user) runs programs, without the C library
# and `clang` where clang 19 compiles in place of the GCC of the triple.
set(CMAKE_SYSTEM_NAME Linux)
if(clang)
  set(CMAKE_C_COMPILER clang-19)
  set(CMAKE_CXX_COMPILER clang++-19)
  set(CMAKE_C_COMPILER_TARGET ${triple})
  set(CMAKE_CXX_COMPILER_TARGET ${triple})
else()
  set(CMAKE_C_COMPILER ${triple}-gcc)
  set(CMAKE_CXX_COMPILER ${triple}-g++)
endif()
set(CMAKE_C_FLAGS_INIT "${flags}")
set(CMAKE_CXX_FLAGS_INIT "${flags}")
set(CMAKE_CROSSCOMPILING_EMULATOR ${emulator} -L /usr/${triple})
set(CMAKE_FIND_ROOT_PATH /usr/${triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
