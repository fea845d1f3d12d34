# WebAssembly with SIMD, by the Emscripten in PATH (Debian's package, or emsdk). Programs run in Node.
find_program(LANEPOOL_EMXX em++ REQUIRED)
execute_process(
  COMMAND em-config EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE emscripten OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
)
find_program(LANEPOOL_NODE NAMES node nodejs REQUIRED)
# Emscripten 3.1 takes a Node that has fetch() for a browser.
set(CMAKE_CROSSCOMPILING_EMULATOR "${LANEPOOL_NODE};--no-experimental-fetch")
include("${emscripten}/cmake/Modules/Platform/Emscripten.cmake")
set(CMAKE_C_FLAGS_INIT -msimd128)
set(CMAKE_CXX_FLAGS_INIT -msimd128)
set(CMAKE_EXE_LINKER_FLAGS_INIT -sALLOW_MEMORY_GROWTH)
