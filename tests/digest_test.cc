// One number over the results of thousands of random jobs of every kind. It is the same on every
// instruction set and every platform, whatever its byte order: what another machine has made can
// be compared without having that machine. A change of this number is a change of results, such
// as another order of additions, and belongs in the changelog.
// LANEPOOL_CASES makes more jobs and LANEPOOL_SEED others; then the instruction sets are only
// compared with each other.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "oracle/types.h"
#include "support/any_case.h"
#include "support/crash_note.h"
#include "support/job.h"
#include "support/random_case.h"
#include "support/run_job.h"
#include "support/targets.h"

namespace {

using support::Bytes;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 12000;
constexpr uint64_t kExpected = 0x8BE8E0C52E09D0F1u;

// FNV-1a over elements, lowest byte first.
class Digest {
 public:
  void Add(const Bytes& bytes, int64_t element_bytes) {
    for (size_t at = 0; at < bytes.size(); at += static_cast<size_t>(element_bytes)) {
      AddElement(&bytes[at], element_bytes);
    }
  }
  uint64_t Value() const { return value_; }

 private:
  void AddElement(const unsigned char* element, int64_t bytes) {
    uint64_t bits = 0;
    switch (bytes) {
      case 1:
        bits = *element;
        break;
      case 2:
        bits = Read<uint16_t>(element);
        break;
      case 4:
        bits = Read<uint32_t>(element);
        break;
      default:
        bits = Read<uint64_t>(element);
        break;
    }
    for (int64_t i = 0; i < bytes; ++i, bits >>= 8) {
      value_ = (value_ ^ (bits & 0xFF)) * 0x100000001B3u;
    }
  }
  template <typename T>
  static T Read(const unsigned char* element) {
    T value;
    std::memcpy(&value, element, sizeof value);
    return value;
  }

  uint64_t value_ = 0xCBF29CE484222325u;
};

RandomCase CaseAt(int64_t i, Random* random) {
  switch (i % 6) {
    case 0:
      return support::MakeRandomCase(random);
    case 1:
      return support::MakeQuantizedCase(random);
    case 2:
      return i % 12 == 2 ? support::MakeWideRandomCase(random)
                         : support::MakeApartRandomCase(random);
    default:
      return support::MakeAnyCase(random);
  }
}

uint64_t DigestOf(const support::Target& target, int64_t cases) {
  Digest digest;
  for (int64_t i = 0; i < cases; ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 86028121);
    const RandomCase item = CaseAt(i, &random);
    const support::Planned planned = support::Plan(item.params, target.mask);
    EXPECT_EQ(planned.status, LANEPOOL_OK) << item.Text();
    if (planned.status != LANEPOOL_OK) break;
    support::Inputs inputs = {support::MakeX(&random, item)};
    inputs.index = support::MakeIndex(&random, item.params);
    inputs.table = support::MakeTable(planned.desc, item.arrays);
    support::SetCrashNote(target.name + ": " + item.Text());
    const support::Outputs outputs = support::RunOnce(planned.desc, inputs);
    digest.Add(outputs.y, oracle::ElementBytes(item.params.y_type));
    if (item.params.index_type != LANEPOOL_TYPE_NONE) {
      digest.Add(outputs.index, oracle::ElementBytes(item.params.index_type));
    }
  }
  return digest.Value();
}

TEST(Digest, SameEverywhere) {
  const int64_t cases = support::CaseCount(kUsualCases);
  const bool usual =
      std::getenv("LANEPOOL_CASES") == nullptr && std::getenv("LANEPOOL_SEED") == nullptr;
  uint64_t first = 0;
  for (const support::Target& target : support::SupportedTargets()) {
    const uint64_t digest = DigestOf(target, cases);
    std::printf("%016" PRIx64 "  %" PRId64 " jobs, %s\n", digest, cases, target.name.c_str());
    std::fflush(stdout);
    if (first == 0) first = digest;
    EXPECT_EQ(digest, usual ? kExpected : first) << target.name;
  }
}

}  // namespace
