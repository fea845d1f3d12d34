# IBM Z (z14 and later, big endian) Linux with Debian's cross compiler (g++-s390x-linux-gnu).
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(triple s390x-linux-gnu)
set(flags "-march=z14 -mzvector")
set(emulator qemu-s390x)
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
