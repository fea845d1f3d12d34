// Tensors that do not fit the caches, whose results may be written past them: that changes no byte
// and touches no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "support/fill.h"
#include "support/job.h"
#include "support/random.h"
#include "support/targets.h"

namespace {

using support::Average;
using support::Max;

constexpr size_t kLine = 64;
constexpr float kPoison = -12345.5f;

// y begins `shift` elements behind a multiple of a cache line.
std::vector<float> Results(const lanepool_desc& desc, const std::vector<float>& x, size_t shift,
                           int64_t ranges) {
  const auto elements = static_cast<size_t>(desc.y_bytes) / sizeof(float);
  std::vector<float> buffer(elements + kLine, kPoison);
  void* place = buffer.data();
  size_t space = buffer.size() * sizeof(float);
  float* const y = static_cast<float*>(std::align(kLine, elements * sizeof(float), place, space));
  for (int64_t i = 0; i < ranges; ++i) {
    EXPECT_EQ(support::RunRange(desc, x.data(), y + shift, desc.work_items * i / ranges,
                                desc.work_items * (i + 1) / ranges),
              LANEPOOL_OK);
  }
  const std::vector<float> result(y + shift, y + shift + elements);
  for (float* p = y; p < y + shift; ++p) EXPECT_EQ(*p, kPoison);
  for (float* p = y + shift + elements; p < buffer.data() + buffer.size(); ++p) {
    EXPECT_EQ(*p, kPoison);
  }
  return result;
}

void CheckJob(const lanepool_params& params) {
  const support::Planned planned = support::Plan(params);
  ASSERT_EQ(planned.status, LANEPOOL_OK);
  ASSERT_GT(planned.desc.x_bytes + planned.desc.y_bytes, int64_t{32} << 20);
  std::vector<float> x(static_cast<size_t>(planned.desc.x_bytes) / sizeof(float));
  support::Random random(1);
  support::Fill(&random, support::Data::kUniform, x.data(), static_cast<int64_t>(x.size()));
  x[x.size() / 2] = std::nanf("");  // one job is repeated
  std::vector<float> first;
  for (const support::Target& target : support::SupportedTargets()) {
    SCOPED_TRACE(target.name);
    const lanepool_desc desc = support::Plan(params, target.mask).desc;
    for (const size_t shift : {size_t{0}, size_t{1}}) {
      const std::vector<float> y = Results(desc, x, shift, shift == 0 ? 3 : 1);
      if (first.empty()) first = y;
      EXPECT_EQ(std::memcmp(y.data(), first.data(), y.size() * sizeof(float)), 0) << shift;
    }
  }
}

TEST(Streams, WindowsThatSlide) {
  CheckJob(Average({160, 170}).Channels(192).Kernel({3, 3}).Pads({1, 1, 1, 1}));
  CheckJob(Max({251, 250}).Channels(80).Kernel({3, 3}).Pads({1, 1, 1, 1}));
  CheckJob(Max({390, 320}).Channels(64).Kernel({3, 3}).Strides({2, 2}).Pads({1, 1, 1, 1}));
}

TEST(Streams, WindowsSideBySide) {
  CheckJob(Average({320, 320}).Channels(80).Kernel({2, 2}).Strides({2, 2}));
  CheckJob(Max({80, 80}).Batch(2).Channels(640).Kernel({2, 2}).Strides({2, 2}));
}

// Pixels of y with other elements between them.
TEST(Streams, Gaps) {
  lanepool_params params = Max({300, 300}).Channels(96).Kernel({2, 2}).Strides({2, 2});
  const int64_t strides[] = {150 * 150 * 112, 1, 150 * 112, 112};
  std::copy(std::begin(strides), std::end(strides), params.y_strides);
  CheckJob(params);
}

}  // namespace
