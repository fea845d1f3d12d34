# POWER8 and later (little endian) Linux with Debian's cross compiler (g++-powerpc64le-linux-gnu).
set(CMAKE_SYSTEM_PROCESSOR ppc64le)
set(triple powerpc64le-linux-gnu)
set(flags "")
set(emulator qemu-ppc64le -cpu power9)
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
