#include "registers.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace support {

#if defined(__x86_64__)
namespace {

// Of XCR0: the upper halves of 256 and of 512 bits.
constexpr unsigned kUpperHalves = 0x44;

bool CanTell() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kOsSaves = 1u << 27, kAvx = 1u << 28, kInUse = 1u << 2;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsSaves) == 0 || (c & kAvx) == 0) return false;
  return __get_cpuid_count(0xD, 1, &a, &b, &c, &d) != 0 && (a & kInUse) != 0;
}
bool AreInUse() {
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return (low & kUpperHalves) != 0;
}
// Whether the CPU notices that they are emptied.
bool Tells() {
  __asm__ volatile("vzeroupper" ::: "memory");
  return !AreInUse();
}

}  // namespace

bool AreUpperHalvesEmpty() {
  static const bool can_tell = CanTell();
  if (!can_tell || !AreInUse()) return true;
  static const bool tells = Tells();
  return !tells;
}
#else
bool AreUpperHalvesEmpty() { return true; }
#endif

}  // namespace support
