# POWER8 and later (little endian) Linux with Debian's cross compiler (g++-powerpc64le-linux-gnu).
# The oracle of the tests needs a long double that reaches further than f64; this platform's default
# is a pair of those.
set(CMAKE_SYSTEM_PROCESSOR ppc64le)
set(triple powerpc64le-linux-gnu)
set(flags "-mabi=ieeelongdouble -Wno-psabi")
set(emulator qemu-ppc64le -cpu power9)
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
