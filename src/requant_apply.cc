#include "requant.h"

namespace lanepool {
namespace {

// Truncates as lanes do: were a certificate wrong about wrapping, the tests would see it.
uint32_t Formula(const Requant& requant, uint32_t d, uint64_t add) {
  switch (RequantBits(requant.kind)) {
    case 16: {
      if (requant.kind >= RequantKind::kMul16x32) {
        const uint32_t lane = static_cast<uint16_t>(d + add);
        const uint32_t low = lane * (requant.multiplier & 0xFFFF) >> 16;
        const uint32_t high = lane * (requant.multiplier >> 16);
        return static_cast<uint16_t>(low + high + (add >> 16)) >> requant.shift;
      }
      const uint16_t lane = static_cast<uint16_t>((d << requant.pre_shift) + add);
      return (lane * requant.multiplier >> 16) >> requant.shift;
    }
    case 32:
      return (d * requant.multiplier + static_cast<uint32_t>(add)) >> requant.shift;
    default:
      return static_cast<uint32_t>((uint64_t{d} * requant.multiplier + add) >> requant.shift);
  }
}

}  // namespace

Requant WidenRequant(const Requant& requant, int32_t bits) {
  Requant wide = requant;
  const bool even = RequantIsEven(requant.kind);
  if (RequantBits(wide.kind) == 16) {
    const bool halves = wide.kind >= RequantKind::kMul16x32;
    // ((d << p) + add) * m == d * (m << p) + add * m, below 2^32 since both factors fit 16 bits.
    // Of halves the upper one may have wrapped: with the other it makes the offset, below 2^32.
    const auto widen = [&](uint64_t add) -> uint64_t {
      const uint32_t low = static_cast<uint32_t>(halves ? add & 0xFFFF : add);
      const uint32_t high = static_cast<uint32_t>(halves ? add >> 16 << 16 : 0);
      return static_cast<uint32_t>(low * wide.multiplier + high);
    };
    wide.add = widen(wide.add);
    wide.add_high = widen(wide.add_high);
    wide.kind = even ? RequantKind::kMul32Even : RequantKind::kMul32;
    wide.multiplier <<= wide.pre_shift;
    wide.shift = static_cast<uint8_t>(wide.shift + 16);
    wide.pre_shift = 0;
    wide.rounded = 0;
  }
  if (bits == 64 && RequantBits(wide.kind) == 32) {
    wide.kind = even ? RequantKind::kMul64Even : RequantKind::kMul64;
  }
  return wide;
}

int32_t ApplyRequant(const Requant& requant, const RequantRule& rule, uint64_t sum) {
  if (requant.kind == RequantKind::kSteps) {
    uint64_t steps[kMostSteps];
    const int32_t count = RequantSteps(rule, steps);
    int32_t y = requant.y_offset;
    for (int32_t i = 0; i < count; ++i) y += steps[i] <= sum ? 1 : 0;
    return y;
  }
  uint64_t d = sum;
  if (requant.plain == 0) {
    if (d < requant.sum_least) d = requant.sum_least;
    if (d > requant.sum_most) d = requant.sum_most;
    d -= requant.sum_least;
  }
  const uint32_t low = Formula(requant, static_cast<uint32_t>(d), requant.add);
  const uint32_t high = Formula(requant, static_cast<uint32_t>(d), requant.add_high);
  const bool take_high = RequantIsEven(requant.kind) && ((low ^ requant.flip) & 1) != 0;
  uint32_t result = take_high ? high : low;
  if (requant.slack != 0) {
    const uint32_t most = uint32_t{requant.slack} + requant.span;
    if (result < requant.slack) result = requant.slack;
    if (result > most) result = most;
    result -= requant.slack;
  }
  return static_cast<int32_t>(result + requant.y_offset);
}

const char* RequantName(RequantKind kind) {
  static constexpr const char* kNames[] = {"mul16",         "mul16_even", "mul16x32",
                                           "mul16x32_even", "mul32",      "mul32_even",
                                           "mul64",         "mul64_even", "steps"};
  return kNames[static_cast<int32_t>(kind)];
}

}  // namespace lanepool
