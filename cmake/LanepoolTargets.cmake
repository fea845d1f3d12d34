# What the kernels gain nothing from (docs/decisions/0008, 0034): AVX3_DL and those above it over
# AVX3, SSSE3 over SSE2; encryption and bf16 over NEON. SVE has to be asked for: GCC 12 fails on it,
# and Highway leaves it out with clang 19 (preset sve). Highway's baseline (SSE2 on x86-64) must never
# be listed: Highway then compiles its slow emulation instead.
set(disabled_targets AVX10_2 AVX3_SPR AVX3_ZEN4 AVX3_DL SSE4 SSSE3)
set(baseline "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(disabled_targets NEON_BF16 SVE SVE2 SVE_256 SVE2_128)
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles(
    "#ifdef __ARM_FEATURE_AES\n#error\n#endif\nint main() { return 0; }" LANEPOOL_ARM_WITHOUT_AES
  )
  if(LANEPOOL_ARM_WITHOUT_AES)
    list(APPEND disabled_targets NEON) # which has it; the other is NEON_WITHOUT_AES
  endif()
elseif(LANEPOOL_SANITIZE AND EXISTS /proc/cpuinfo AND NOT DEFINED LANEPOOL_DISABLED_TARGETS)
  # A sanitized build runs where it was made, and takes minutes for each target's kernels: there is
  # the best one only, as the baseline. scripts/nightly.sh has AVX2 and SSE2 with sanitizers.
  file(STRINGS /proc/cpuinfo cpu_flags LIMIT_COUNT 1 REGEX "^flags.* fma .* avx2 ")
  if(cpu_flags MATCHES " avx512vl ")
    set(baseline -march=x86-64-v4 -maes -mpclmul)
  elseif(cpu_flags)
    set(baseline -march=x86-64-v3 -maes -mpclmul)
  endif()
endif()
set(LANEPOOL_DISABLED_TARGETS "${disabled_targets}"
    CACHE STRING "Highway targets to leave out, as A;B"
)
set(LANEPOOL_BASELINE "${baseline}"
    CACHE STRING "Compiler flags of the least CPU that the library runs on; empty: the compiler's own"
)
