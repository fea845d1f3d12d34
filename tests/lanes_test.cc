// What must not matter for a result: the position in batch and channels, and who computed the rest
// of y. LANEPOOL_CASES makes more cases, LANEPOOL_SEED others.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "oracle/types.h"
#include "support/any_case.h"
#include "support/check_job.h"
#include "support/crash_note.h"
#include "support/job.h"
#include "support/random_case.h"

namespace {

using support::Bytes;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 500;

// --- the position --------------------------------------------------------------------------------

// A dense tensor of `params`, with the element of the first image and channel in all of them.
Bytes Spread(const lanepool_params& params, const Bytes& tensor, int32_t type) {
  const auto element_bytes = static_cast<size_t>(oracle::ElementBytes(type));
  const auto channels = static_cast<size_t>(params.channels);
  const size_t plane = tensor.size() / element_bytes / static_cast<size_t>(params.batch) / channels;
  const bool nhwc = params.layout == LANEPOOL_LAYOUT_NHWC;
  Bytes result = tensor;
  for (size_t at = 0; at < tensor.size(); ++at) {
    const size_t element = at / element_bytes;
    const size_t source =
        nhwc ? element % (plane * channels) / channels * channels : element % plane;
    result[at] = tensor[source * element_bytes + at % element_bytes];
  }
  return result;
}

// Indices that do not count batch and channels, and scales that are the same in all of them.
void OnePlane(RandomCase* item) {
  lanepool_params& params = item->params;
  if (params.index_mode == LANEPOOL_INDEX_NCHW || params.index_mode == LANEPOOL_INDEX_NHWC) {
    params.index_mode = LANEPOOL_INDEX_PLANE;
  }
  item->arrays = {};
  params.x_scale_count = params.y_scale_count = 0;
}

// Equal planes in all channels and images give equal results, whatever lane they fall into.
void CheckPositions(RandomCase item, Random* random) {
  const lanepool_params& params = item.params;
  OnePlane(&item);
  SCOPED_TRACE(item.Text());
  support::SetCrashNote("equal planes: " + item.Text());
  const lanepool_desc desc = support::Plan(params).desc;
  const support::Inputs inputs = {
      Spread(params, support::MakeX(random, item), params.x_type),
      Spread(params, support::MakeIndex(random, params), params.index_type)};
  const support::Outputs outputs = support::RunOnce(desc, inputs);
  ASSERT_EQ(support::Difference(outputs.y, Spread(params, outputs.y, params.y_type),
                                oracle::ElementBytes(params.y_type)),
            "");
  ASSERT_EQ(support::Difference(outputs.index, Spread(params, outputs.index, params.index_type),
                                oracle::ElementBytes(params.index_type), "index"),
            "");
}

// One image of a dense batch.
Bytes ImageOf(const Bytes& tensor, int64_t batch, int64_t image) {
  const auto bytes = static_cast<std::ptrdiff_t>(tensor.size()) / batch;
  return {tensor.begin() + image * bytes, tensor.begin() + (image + 1) * bytes};
}

// An image gives what it gives alone, though the planes of a batch are walked as those of one.
void CheckAlone(RandomCase item, int64_t batch, Random* random) {
  lanepool_params& params = item.params;
  params.batch = batch;
  OnePlane(&item);
  SCOPED_TRACE(item.Text());
  support::SetCrashNote("an image alone: " + item.Text());
  const support::Inputs inputs = {support::MakeX(random, item), support::MakeIndex(random, params)};
  const support::Outputs together = support::RunOnce(support::Plan(params).desc, inputs);
  params.batch = 1;
  const lanepool_desc desc = support::Plan(params).desc;
  for (const int64_t image : {int64_t{0}, batch - 1}) {
    const support::Outputs alone = support::RunOnce(
        desc, {ImageOf(inputs.x, batch, image), ImageOf(inputs.index, batch, image)});
    ASSERT_EQ(support::Difference(alone.y, ImageOf(together.y, batch, image),
                                  oracle::ElementBytes(params.y_type)),
              "");
    ASSERT_EQ(support::Difference(alone.index, ImageOf(together.index, batch, image),
                                  oracle::ElementBytes(params.index_type), "index"),
              "");
  }
}

TEST(Lanes, ResultDoesNotDependOnTheBatch) {
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 6007);
    RandomCase item = support::MakeDenseRandomCase(&random);
    item.params.channels = random.Pick({1, 2, 3, 8});
    const int64_t batch = random.Pick({2, 5, 24});
    CheckAlone(item, batch, &random);
    support::Quantize(&random, support::Arrays::kPerTensor, &item);
    CheckAlone(item, batch, &random);
    CheckAlone(support::MakeDenseAnyCase(&random), batch, &random);
  }
}

// The loop that a window of so many taps has decides on the order of additions.
TEST(Lanes, SumsOfAnyWindowDoNotDependOnTheBatch) {
  for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
    for (int64_t taps = 1; taps <= 16; ++taps) {
      Random random(support::FirstSeed() + static_cast<uint64_t>(taps));
      const support::Params params =
          support::Average({20, 36}).Channels(2).Layout(layout).Kernel({taps, taps});
      CheckAlone({params, support::Data::kUniform}, 24, &random);
    }
  }
}

// Pixels of two of the shortest vectors, and fewer, in rows of a few outputs, for which a single
// image and many might take different loops.
TEST(Lanes, SumsOfFewOutputsDoNotDependOnTheBatch) {
  for (const int64_t channels : {4, 6, 8, 12}) {
    for (const int64_t taps : {2, 3, 5, 7, 8, 9, 12}) {
      for (const int64_t step : {int64_t{2}, taps - 1, taps, taps + 1}) {
        for (int64_t i = 0; i < 20; ++i) {
          Random random(support::FirstSeed() + static_cast<uint64_t>(taps));
          const int64_t rows = i % 2 == 0 ? taps : 2, outputs = 1 + i / 4;
          const int64_t pad = i / 2 % 2, width = (outputs - 1) * step + taps - 2 * pad;
          if (width < 1) continue;
          const support::Params params = support::Average({2 * outputs * step + rows, width})
                                             .Channels(channels)
                                             .Layout(LANEPOOL_LAYOUT_NHWC)
                                             .Kernel({rows, taps})
                                             .Pads({0, pad, 0, pad})
                                             .Strides({step, step});
          CheckAlone({params, support::Data::kUniform}, 3, &random);
        }
      }
    }
  }
}

// Windows that share nothing, over so few channels that a small image alone goes another way than
// many do.
TEST(Lanes, SumsOfSmallWholeWindowsDoNotDependOnTheBatch) {
  for (const int32_t type : {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16}) {
    for (const int64_t channels : {4, 5, 8, 13}) {
      for (int64_t i = 0; i < 4 * 3 * 3 * 3 * 4; ++i) {
        const int64_t rows = 1 + i % 4, taps = 2 + i / 4 % 3;
        const int64_t width = taps + 2 * (i / 12 % 3), step = taps + i / 36 % 3;
        const int64_t height = rows * (i / 108 % 2 == 0 ? 2 : 7);
        Random random(support::FirstSeed() + static_cast<uint64_t>(i));
        const support::Params params = support::Average({height, width})
                                           .Type(type)
                                           .Channels(channels)
                                           .Layout(LANEPOOL_LAYOUT_NHWC)
                                           .Kernel({rows, taps})
                                           .Strides({i / 216 == 0 ? 1 : rows, step});
        CheckAlone({params, support::Data::kUniform}, 3, &random);
      }
    }
  }
}

// Images of one row, or one column, of which many are walked together.
TEST(Lanes, SumsOfSingleRowsDoNotDependOnTheBatch) {
  for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
    for (const int64_t channels : {1, 3, 8, 20}) {
      for (int64_t i = 0; i < 8 * 3 * 3 * 2; ++i) {
        const int64_t taps = 2 + i % 8, step = 1 + i / 8 % 3, size = 7 + 6 * (i / 24 % 3);
        const bool is_column = i / 72 == 1;
        Random random(support::FirstSeed() + static_cast<uint64_t>(i));
        const support::Params params =
            support::Average({is_column ? size : 1, is_column ? 1 : size})
                .Channels(channels)
                .Layout(layout)
                .Kernel({taps, taps})
                .Strides({step, step})
                .AutoPad(LANEPOOL_AUTO_PAD_SAME_UPPER);
        CheckAlone({params, support::Data::kUniform}, 40, &random);
      }
    }
  }
}

TEST(Lanes, ResultDoesNotDependOnThePosition) {
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 7919);
    RandomCase item = support::MakeDenseRandomCase(&random);
    CheckPositions(item, &random);
    support::Quantize(&random, support::Arrays::kPerTensor, &item);
    CheckPositions(item, &random);
    CheckPositions(support::MakeDenseAnyCase(&random), &random);
    CheckPositions(support::MakeDenseAnyCase(&random), &random);
  }
}

// --- work items ----------------------------------------------------------------------------------

// One buffer that a call writes.
using Written = std::vector<bool>;

Written EqualBytes(const Bytes& one, const Bytes& two) {
  Written equal(one.size());
  for (size_t i = 0; i < one.size(); ++i) equal[i] = one[i] == two[i];
  return equal;
}

struct WrittenBuffers {
  Written y, index;
};

// Runs one work item over two different backgrounds: what is equal afterwards was written.
WrittenBuffers WrittenBy(const lanepool_desc& desc, const support::Inputs& inputs, int64_t work) {
  const auto over = [&](unsigned char background) {
    const bool reads = !inputs.index.empty();
    support::Outputs outputs = {
        Bytes(static_cast<size_t>(desc.y_bytes), background),
        reads ? inputs.index : Bytes(static_cast<size_t>(desc.index_bytes), background)};
    void* const index = outputs.index.empty() ? nullptr : outputs.index.data();
    EXPECT_EQ(support::RunRange(desc, inputs.x.data(), outputs.y.data(), work, work + 1,
                                inputs.table, index),
              LANEPOOL_OK);
    if (reads) outputs.index.clear();
    return outputs;
  };
  const support::Outputs one = over(0x3A);
  const support::Outputs two = over(0xC5);
  return {EqualBytes(one.y, two.y), EqualBytes(one.index, two.index)};
}

// How often each byte of a buffer was written.
class Writers {
 public:
  explicit Writers(int64_t bytes) : times_(static_cast<size_t>(bytes)) {}

  void Add(const Written& written) {
    for (size_t i = 0; i < written.size(); ++i) times_[i] += written[i] ? 1 : 0;
  }
  int Most() const { return times_.empty() ? 0 : *std::max_element(times_.begin(), times_.end()); }
  int64_t Bytes() const {
    return std::count_if(times_.begin(), times_.end(), [](int times) { return times > 0; });
  }

 private:
  std::vector<int> times_;
};

void CheckWorkItems(const RandomCase& item, Random* random) {
  SCOPED_TRACE(item.Text());
  support::SetCrashNote("single work items: " + item.Text());
  const lanepool_params& params = item.params;
  const lanepool_desc desc = support::Plan(params).desc;
  if (desc.work_items > 400) return;
  const support::Inputs inputs = {support::MakeX(random, item), support::MakeIndex(random, params),
                                  support::MakeTable(desc, item.arrays)};
  const bool writes_index = params.op == LANEPOOL_OP_MAX && desc.index_bytes > 0;
  Writers y(desc.y_bytes);
  Writers index(writes_index ? desc.index_bytes : 0);
  for (int64_t work = 0; work < desc.work_items; ++work) {
    const WrittenBuffers mine = WrittenBy(desc, inputs, work);
    y.Add(mine.y);
    index.Add(mine.index);
  }
  EXPECT_LE(y.Most(), 1);
  EXPECT_LE(index.Most(), 1);
  EXPECT_EQ(y.Bytes(), desc.element_count * oracle::ElementBytes(params.y_type));
  const int64_t index_bytes = desc.element_count * oracle::ElementBytes(params.index_type);
  EXPECT_EQ(index.Bytes(), writes_index ? index_bytes : 0);
}

TEST(Lanes, WorkItemsWriteSeparateOutputs) {
  for (int64_t i = 0; i < support::CaseCount(kUsualCases) * 2 / 3 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 104729);
    CheckWorkItems(support::MakeRandomCase(&random), &random);
    CheckWorkItems(support::MakeQuantizedCase(&random), &random);
    CheckWorkItems(support::MakeAnyCase(&random), &random);
    CheckWorkItems(support::MakeAnyCase(&random), &random);
  }
}

}  // namespace
