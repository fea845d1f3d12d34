// Random numbers that are the same on every platform and for every standard library.
#ifndef LANEPOOL_TESTS_SUPPORT_RANDOM_H_
#define LANEPOOL_TESTS_SUPPORT_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <random>

namespace support {

class Random {
 public:
  explicit Random(uint64_t seed) : seed_(seed) {}

  // The choices that `bytes` make, which must outlive this: a small choice takes one byte, so that
  // a fuzzer that changes a byte changes a choice. Random numbers when they are used up.
  Random(const unsigned char* bytes, size_t size) : seed_(size), bytes_(bytes), left_(size) {}

  uint64_t Bits() {
    if (HasBytes()) return Take(8);
    if (!engine_) engine_.emplace(seed_);
    return (*engine_)();
  }

  // Both ends included; low <= high.
  int64_t Between(int64_t low, int64_t high) {
    const uint64_t most = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    const uint64_t bits = HasBytes() && most < 256 ? Take(1) : Bits();
    const uint64_t offset = most == UINT64_MAX ? bits : bits % (most + 1);
    return static_cast<int64_t>(static_cast<uint64_t>(low) + offset);
  }
  bool Percent(int chance) { return Between(0, 99) < chance; }

  template <typename T>
  T Pick(std::initializer_list<T> choices) {
    const uint64_t bits = HasBytes() ? Take(1) : Bits();
    return choices.begin()[bits % choices.size()];
  }

 private:
  bool HasBytes() const { return bytes_ != nullptr && left_ > 0; }
  uint64_t Take(size_t count) {
    uint64_t bits = 0;
    for (; count > 0 && HasBytes(); --count, --left_) bits = bits << 8 | *bytes_++;
    return bits;
  }

  uint64_t seed_;
  // Made when it is needed. Its sequence is fixed by the standard; distributions are not.
  std::optional<std::mt19937_64> engine_;
  const unsigned char* bytes_ = nullptr;
  size_t left_ = 0;
};

}  // namespace support

#endif  // LANEPOOL_TESTS_SUPPORT_RANDOM_H_
