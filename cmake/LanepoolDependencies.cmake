# What only the tests, the tool and the benchmarks need: an installed package, else a download of a
# pinned release. scripts/deps.sh installs the packages on Debian.

include(FetchContent)

FetchContent_Declare(
  googletest
  URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
  URL_HASH SHA256=8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
  DOWNLOAD_EXTRACT_TIMESTAMP OFF
  FIND_PACKAGE_ARGS 1.12 NAMES GTest
)
FetchContent_Declare(
  benchmark
  URL https://github.com/google/benchmark/archive/refs/tags/v1.9.1.tar.gz
  URL_HASH SHA256=32131c08ee31eeff2c8968d7e874f3cb648034377dfc32a4c377fa8796d84981
  DOWNLOAD_EXTRACT_TIMESTAMP OFF
  FIND_PACKAGE_ARGS 1.7
)
FetchContent_Declare(
  cli11
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  URL_HASH SHA256=f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  DOWNLOAD_EXTRACT_TIMESTAMP OFF
  FIND_PACKAGE_ARGS 2.1 NAMES CLI11
)

# Their own tests and install rules stay out of this build.
set(INSTALL_GTEST OFF)
set(BUILD_GMOCK OFF)
set(BENCHMARK_ENABLE_TESTING OFF)
set(BENCHMARK_ENABLE_INSTALL OFF)
set(BENCHMARK_INSTALL_DOCS OFF)
set(CLI11_BUILD_TESTS OFF)
set(CLI11_BUILD_EXAMPLES OFF)
set(CLI11_INSTALL OFF)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # option() of a subproject keeps these variables

if(LANEPOOL_BUILD_TESTS)
  FetchContent_MakeAvailable(googletest)
endif()
if(LANEPOOL_BUILD_BENCH)
  FetchContent_MakeAvailable(benchmark)
endif()
if(LANEPOOL_BUILD_TOOL)
  FetchContent_MakeAvailable(cli11)
endif()

# The interpreter of the Python tests: the environment of scripts/deps.sh, else the first in PATH.
if(LANEPOOL_BUILD_TESTS)
  if(NOT LANEPOOL_PYTHON AND EXISTS "${PROJECT_SOURCE_DIR}/build/venv/bin/python")
    set(LANEPOOL_PYTHON "${PROJECT_SOURCE_DIR}/build/venv/bin/python")
  endif()
  if(NOT LANEPOOL_PYTHON)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(LANEPOOL_PYTHON "${Python3_EXECUTABLE}")
  endif()
  message(STATUS "Python of the tests: ${LANEPOOL_PYTHON}")
endif()
