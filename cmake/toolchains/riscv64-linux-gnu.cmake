# 64-bit RISC-V Linux with its vector extension (V 1.0), by clang 19: GCC 12 has no intrinsics.
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(triple riscv64-linux-gnu)
set(clang ON)
set(flags "-march=rv64gcv")
set(emulator qemu-riscv64 -cpu rv64,v=true,vlen=128)
include("${CMAKE_CURRENT_LIST_DIR}/debian-cross.cmake")
