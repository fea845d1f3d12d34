// Random numbers that are the same on every platform and for every standard library.
#ifndef LANEPOOL_TESTS_SUPPORT_RANDOM_H_
#define LANEPOOL_TESTS_SUPPORT_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace support {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t Bits() { return engine_(); }

  // Both ends included; low <= high.
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(Bits() % (static_cast<uint64_t>(high - low) + 1));
  }
  bool Percent(int chance) { return Between(0, 99) < chance; }

  template <typename T>
  T Pick(std::initializer_list<T> choices) {
    return choices.begin()[Bits() % choices.size()];
  }

 private:
  std::mt19937_64 engine_;  // its sequence is fixed by the standard; distributions are not
};

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_RANDOM_H_
