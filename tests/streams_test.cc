// Tensors that do not fit the caches, whose results may be written past them, or that are fetched
// ahead: that changes no byte and touches no other.
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

// Rows that begin anywhere in a line, and parts of them.
TEST(Streams, RowsAddedByLevels) {
  CheckJob(Average({1010, 1430}).Channels(3).Layout(LANEPOOL_LAYOUT_NCHW).Kernel({11, 11}));
  CheckJob(Average({2, 7000}).Channels(320).Layout(LANEPOOL_LAYOUT_NCHW).Kernel({1, 9}));
  CheckJob(Average({900, 1600}).Channels(3).Kernel({3, 10}).Pads({1, 4, 1, 5}));
}

// Pixels of y with other elements between them.
TEST(Streams, Gaps) {
  lanepool_params params = Max({300, 300}).Channels(96).Kernel({2, 2}).Strides({2, 2});
  const int64_t strides[] = {150 * 150 * 112, 1, 150 * 112, 112};
  std::copy(std::begin(strides), std::end(strides), params.y_strides);
  CheckJob(params);
}

// Planes of a tensor from which rows are fetched ahead, and each by itself, which fits the caches.
void CheckPlanes(support::Params whole, int64_t channels) {
  const lanepool_params plane = support::Params(whole).Channels(1).Layout(LANEPOOL_LAYOUT_NCHW);
  const lanepool_params params = whole.Channels(channels).Layout(LANEPOOL_LAYOUT_NCHW);
  const lanepool_desc all = support::Plan(params).desc, one = support::Plan(plane).desc;
  ASSERT_GT(all.x_bytes, int64_t{8} << 20);
  ASSERT_LT(one.x_bytes, int64_t{2} << 20);
  std::vector<float> x(static_cast<size_t>(all.x_bytes) / sizeof(float));
  support::Random random(2);
  support::Fill(&random, support::Data::kUniform, x.data(), static_cast<int64_t>(x.size()));
  const size_t x_step = x.size() / static_cast<size_t>(channels);
  for (const support::Target& target : support::SupportedTargets()) {
    SCOPED_TRACE(target.name);
    const std::vector<float> y = Results(support::Plan(params, target.mask).desc, x, 0, 2);
    const size_t y_step = y.size() / static_cast<size_t>(channels);
    for (size_t c = 0; c < static_cast<size_t>(channels); ++c) {
      const auto from = x.begin() + static_cast<std::ptrdiff_t>(c * x_step);
      const std::vector<float> x_one(from, from + static_cast<std::ptrdiff_t>(x_step));
      const std::vector<float> y_one = Results(support::Plan(plane, target.mask).desc, x_one, 0, 1);
      ASSERT_EQ(std::memcmp(y_one.data(), &y[c * y_step], y_step * sizeof(float)), 0) << c;
    }
  }
}

// Long rows, few of which are walked at a time.
TEST(Streams, FewRowsAtATime) {
  CheckPlanes(Average({150, 600}).Kernel({5, 5}).Pads({2, 2, 2, 2}), 25);
  CheckPlanes(Max({90, 1100}).Kernel({2, 3}), 24);
  CheckPlanes(Average({101, 900}).Kernel({4, 4}).Strides({2, 2}).Pads({1, 1, 1, 1}), 48);
}

TEST(Streams, RowsFetchedAhead) {
  CheckPlanes(Max({331, 333}).Kernel({2, 2}).Strides({2, 2}), 21);
  CheckPlanes(Average({300, 1250}).Kernel({2, 2}).Strides({2, 2}), 7);
  CheckPlanes(Average({12, 100, 101}).Kernel({2, 3, 2}).Strides({2, 3, 2}), 20);
}

}  // namespace
