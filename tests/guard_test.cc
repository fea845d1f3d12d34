// No byte outside the buffers is read or written, nor a gap of a strided y or index. Buffers lie
// against pages that end the process when touched; x is write-protected; what was going on is then
// on stderr. LANEPOOL_CASES makes more cases, LANEPOOL_SEED others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "oracle/window.h"
#include "support/any_case.h"
#include "support/check_job.h"
#include "support/crash_note.h"
#include "support/fill.h"
#include "support/guard_buffer.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/targets.h"

namespace {

using support::Bytes;
using support::GuardBuffer;
using support::Inputs;
using support::Max;
using support::Outputs;
using support::Placement;
using support::Random;
using support::RandomCase;

constexpr unsigned char kGap = 0xB6;

// Whether a byte that belongs to no element is not as it was.
bool IsGapWritten(Bytes bytes, const oracle::Tensor& tensor) {
  oracle::ForEachOutput(tensor, [&](const oracle::Position&, int64_t offset) {
    std::memset(bytes.data() + offset * tensor.element_bytes, kGap,
                static_cast<size_t>(tensor.element_bytes));
  });
  return std::any_of(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte != kGap; });
}

void FillWithGaps(GuardBuffer* buffer) { std::memset(buffer->data(), kGap, buffer->size()); }

bool IsUntouched(const GuardBuffer& buffer) {
  const auto* const bytes = static_cast<const unsigned char*>(buffer.data());
  return std::all_of(bytes, bytes + buffer.size(), [](unsigned char byte) { return byte == kGap; });
}

// The buffers of one call, all with the same placement. x, the table and the index of MAX_UNPOOL
// cannot be written.
struct Buffers {
  GuardBuffer x, y, index, workspace, table;

  Buffers(const lanepool_desc& desc, size_t more_y_bytes, Placement placement)
      : x(static_cast<size_t>(desc.x_bytes), placement),
        y(static_cast<size_t>(desc.y_bytes) + more_y_bytes, placement),
        index(static_cast<size_t>(desc.index_bytes), placement),
        workspace(static_cast<size_t>(desc.workspace_bytes), placement),
        table(static_cast<size_t>(desc.table_bytes), placement) {
    FillWithGaps(&y);
    FillWithGaps(&index);
  }

  void Fill(const Inputs& inputs, const support::Table& entries) {
    Copy(inputs.x.data(), &x);
    if (!inputs.index.empty()) Copy(inputs.index.data(), &index);
    if (!entries.empty()) Copy(entries.data(), &table);
  }

  void* Index() const { return index.size() == 0 ? nullptr : index.data(); }

  int32_t RunRange(const lanepool_desc& desc, int64_t begin, int64_t end) {
    return lanepool_run_table(&desc, table.size() == 0 ? nullptr : table.data(), table.size(),
                              x.data(), x.size(), y.data(), y.size(), Index(), index.size(),
                              workspace.data(), workspace.size(), begin, end);
  }

  int32_t Run(const lanepool_desc& desc) {
    if (table.size() != 0) return RunRange(desc, 0, desc.work_items);
    return lanepool_run(&desc, x.data(), x.size(), y.data(), y.size(), Index(), index.size(),
                        workspace.data(), workspace.size());
  }

  // Ranges of one work item, from the last to the first.
  int32_t RunItems(const lanepool_desc& desc) {
    int32_t status = LANEPOOL_OK;
    for (int64_t i = desc.work_items; i-- > 0 && status == LANEPOOL_OK;) {
      status = RunRange(desc, i, i + 1);
    }
    return status;
  }

  bool AreIntact() const {
    return x.IsIntact() && y.IsIntact() && index.IsIntact() && workspace.IsIntact() &&
           table.IsIntact();
  }

  // What a call wrote: not the index that MAX_UNPOOL reads. Leaves gaps for the next call.
  Outputs TakeOutputs(const Inputs& inputs) {
    const bool writes_index = inputs.index.empty();
    Outputs outputs = {BytesOf(y), writes_index ? BytesOf(index) : Bytes()};
    FillWithGaps(&y);
    if (writes_index) FillWithGaps(&index);
    return outputs;
  }

  static Bytes BytesOf(const GuardBuffer& buffer) {
    const auto* const bytes = static_cast<const unsigned char*>(buffer.data());
    return {bytes, bytes + buffer.size()};
  }

 private:
  static void Copy(const void* bytes, GuardBuffer* buffer) {
    std::memcpy(buffer->data(), bytes, buffer->size());
    buffer->MakeReadOnly();
  }
};

Inputs MakeInputs(const RandomCase& item, Random* random) {
  Inputs inputs = {support::MakeX(random, item)};
  inputs.index = support::MakeIndex(random, item.params);
  return inputs;
}

// Empty, or what is wrong with the outputs of the first call.
std::string OutputFault(const RandomCase& item, uint64_t target_mask, const Inputs& inputs,
                        const Outputs& outputs) {
  const oracle::Shape shape = oracle::ResolveShape(item.params);
  if (IsGapWritten(outputs.y, oracle::TensorOfY(item.params, shape))) return "a gap of y";
  if (!outputs.index.empty() &&
      IsGapWritten(outputs.index, oracle::TensorOfIndex(item.params, shape))) {
    return "a gap of the index";
  }
  return support::ValueFault(item, target_mask, inputs, outputs);
}

// On all instruction sets, at both ends of pages, at once and item by item: the same bytes, which
// the oracle has seen once.
void CheckCase(const RandomCase& item, uint64_t seed) {
  static const std::vector<support::Target> targets = support::SupportedTargets();
  Random random(seed);
  const Inputs inputs = MakeInputs(item, &random);
  Outputs expected;
  for (const support::Target& target : targets) {
    const support::Planned planned = support::Plan(item.params, target.mask);
    ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
    const lanepool_desc& desc = planned.desc;
    for (const Placement placement : {Placement::kPageEnd, Placement::kPageStart}) {
      const bool at_end = placement == Placement::kPageEnd;
      SCOPED_TRACE(target.name + (at_end ? " at the end of a page" : " at the start of a page"));
      support::SetCrashNote(target.name + (at_end ? " end: " : " start: ") + item.Text());
      Buffers buffers(desc, 0, placement);
      buffers.Fill(inputs, support::MakeTable(desc, item.arrays));
      for (const bool at_once : {true, false}) {
        ASSERT_EQ(at_once ? buffers.Run(desc) : buffers.RunItems(desc), LANEPOOL_OK);
        ASSERT_TRUE(buffers.AreIntact());
        const Outputs outputs = buffers.TakeOutputs(inputs);
        if (expected.y.empty()) {
          ASSERT_EQ(OutputFault(item, target.mask, inputs, outputs), "");
          expected = outputs;
        }
        ASSERT_TRUE(outputs.y == expected.y && outputs.index == expected.index)
            << (at_once ? "at once" : "item by item");
      }
    }
  }
}

using MakeCase = RandomCase (*)(Random*);

void CheckCases(MakeCase make, int64_t count, uint64_t step) {
  for (int64_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * step);
    const RandomCase item = make(&random);
    SCOPED_TRACE("case " + std::to_string(i) + ": " + item.Text());
    CheckCase(item, random.Bits());
  }
}

TEST(Guard, DenseTensors) {
  CheckCases(support::MakeDenseRandomCase, support::CaseCount(600), 2750159);
}

TEST(Guard, Views) { CheckCases(support::MakeRandomCase, support::CaseCount(600), 3628273); }

TEST(Guard, Quantized) { CheckCases(support::MakeQuantizedCase, support::CaseCount(600), 5915587); }

TEST(Guard, EveryKind) { CheckCases(support::MakeAnyCase, support::CaseCount(600) * 2, 7368787); }

TEST(Guard, Rows) { CheckCases(support::MakeRowsCase, support::CaseCount(600), 2654435); }

TEST(Guard, WideWindows) {
  CheckCases(support::MakeWideRandomCase, support::CaseCount(600) / 3, 4256233);
}

// The same job on floats and on bytes: a maximum that passes as it is, averages that are rounded;
// and on one more type, with indices if it is a maximum.
void CheckTypes(const support::Params& params, uint64_t seed) {
  CheckCase({params, support::Data::kUniform}, seed);
  const support::Params bytes =
      support::Params(params).Type(LANEPOOL_TYPE_UINT8).Scales(0.3f, 0.3f).ZeroPoints(7, 7);
  CheckCase({bytes, support::Data::kUniform}, seed);
  Random random(seed * 31);
  support::Params other = support::Params(params).Type(
      random.Pick({LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16, LANEPOOL_TYPE_DOUBLE,
                   LANEPOOL_TYPE_UINT16, LANEPOOL_TYPE_INT16}));
  const bool is_max = static_cast<lanepool_params>(params).op == LANEPOOL_OP_MAX;
  if (is_max) other.Index(random.Pick({LANEPOOL_TYPE_INT32, LANEPOOL_TYPE_INT64}));
  CheckCase({other, support::Data::kUniform}, seed);
}

// Windows of many channels that share no taps: folded whole, or a row or less at a time.
TEST(Guard, ManyChannels) {
  const support::Params::List kernels[] = {{2, 2},  {3, 7},    {5, 4},   {1, 17},
                                           {1, 40}, {2, 2, 2}, {3, 3, 3}};
  for (const support::Params::List& kernel : kernels) {
    for (int64_t channels = 100; channels <= 700 && !HasFailure(); channels += 1 + channels / 7) {
      for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
        const support::Params params =
            support::Params(op, kernel).Channels(channels).Kernel(kernel).Strides(kernel);
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, static_cast<uint64_t>(channels));
      }
    }
  }
}

// The same of 2 x 2 taps and whole vectors, which have loops of their own, one of them row by row.
TEST(Guard, ManyWholeVectors) {
  for (const int64_t channels : {64, 128, 160, 256, 384, 512, 1024, 1056, 2048}) {
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      const support::Params params =
          support::Params(op, {5, 6}).Channels(channels).Kernel({2, 2}).Strides({2, 2});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, static_cast<uint64_t>(channels));
      const int32_t type = channels % 128 == 0 ? LANEPOOL_TYPE_FLOAT16 : LANEPOOL_TYPE_DOUBLE;
      CheckCase({support::Params(params).Type(type), support::Data::kUniform}, 7);
      if (HasFailure()) return;
    }
  }
}

// Windows of two large columns, of which the second is the next one's first; along W or what takes
// its place, in several rows and passes, and such that lack taps or step too far to share any.
TEST(Guard, SharedColumns) {
  struct Job {
    support::Params::List input, kernel, strides, dilations, pads;
  };
  const Job jobs[] = {
      {{17, 5}, {17, 2}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
      {{20, 6}, {17, 2}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
      {{40, 4}, {40, 2}, {1, 1}, {1, 1}, {3, 1, 0, 1}},
      {{17, 9}, {17, 2}, {1, 2}, {1, 2}, {0, 0, 0, 0}},
      {{17, 9}, {17, 2}, {1, 2}, {1, 1}, {0, 0, 0, 0}},
      {{5, 7, 7}, {2, 7, 7}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}},
      {{6, 4, 5}, {6, 4, 2}, {1, 1, 1}, {1, 1, 1}, {0, 0, 1, 0, 0, 0}},
      {{7, 18, 3}, {6, 17, 2}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}},
  };
  for (const Job& job : jobs) {
    for (const int64_t channels : {128, 150, 331, 700}) {
      for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
        const support::Params params = support::Params(op, job.input)
                                           .Channels(channels)
                                           .Kernel(job.kernel)
                                           .Strides(job.strides)
                                           .Dilations(job.dilations)
                                           .Pads(job.pads);
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, static_cast<uint64_t>(channels));
        if (HasFailure()) return;
      }
    }
  }
}

// Windows that share nothing, of rows of many taps and pixels of more than four vectors of channels
// that are no stream, or hardly one: along one axis, two and three.
TEST(Guard, LongRows) {
  struct Job {
    support::Params::List input, kernel, strides;
  };
  const Job jobs[] = {
      {{70}, {30}, {40}},
      {{6, 61}, {3, 30}, {3, 31}},
      {{11, 10}, {5, 5}, {5, 5}},
      {{5, 3, 31}, {2, 3, 29}, {3, 1, 1}},
  };
  for (const Job& job : jobs) {
    for (const int64_t channels : {36, 72, 136, 192, 203, 256, 384}) {
      for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
        const support::Params params = support::Params(op, job.input)
                                           .Channels(channels)
                                           .Kernel(job.kernel)
                                           .Strides(job.strides);
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, static_cast<uint64_t>(channels));
        const int32_t type = channels % 8 == 0 ? LANEPOOL_TYPE_FLOAT16 : LANEPOOL_TYPE_DOUBLE;
        CheckCase({support::Params(params).Type(type), support::Data::kUniform}, 7);
        if (HasFailure()) return;
      }
    }
  }
}

// Windows that share no taps over more than what a second cache holds, which some cores read in
// other ways.
TEST(Guard, LargeInputs) {
  const struct {
    int64_t channels, size, kernel, dilation;
  } jobs[] = {{128, 57, 2, 1}, {128, 58, 2, 2}, {300, 39, 2, 1}, {700, 25, 5, 1}};
  for (const auto& job : jobs) {
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      const int64_t stride = job.kernel * job.dilation;
      const support::Params params = support::Params(op, {job.size, job.size})
                                         .Channels(job.channels)
                                         .Kernel({job.kernel, job.kernel})
                                         .Strides({stride, stride})
                                         .Dilations({job.dilation, job.dilation});
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, static_cast<uint64_t>(job.channels));
    }
  }
}

// Windows of 3 x 3 taps over many channels: rows go in pairs, also those that lack taps.
TEST(Guard, PairsOfRows) {
  for (const int64_t channels : {16, 64, 100, 256, 333}) {
    for (const int64_t height : {2, 3, 4, 5, 8}) {
      for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
        const support::Params params =
            support::Params(op, {height, 4}).Channels(channels).Kernel({3, 3}).Pads({1, 1, 1, 1});
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, static_cast<uint64_t>(channels + height));
      }
    }
  }
}

// The same with more rows, which are kept in a ring: of one tile and of several, with and without
// windows that lack taps, one after the other where a dilation interleaves them.
TEST(Guard, RingsOfRows) {
  struct Window {
    int64_t taps, dilation, before, after;
  };
  const Window windows[] = {{3, 1, 0, 1}, {3, 1, 1, 0}, {3, 1, 1, 1}, {3, 2, 2, 2}, {3, 3, 0, 2},
                            {2, 1, 0, 1}, {2, 1, 1, 0}, {2, 1, 1, 1}, {4, 1, 1, 2}, {4, 1, 2, 0},
                            {4, 2, 2, 3}, {5, 1, 2, 2}, {5, 1, 1, 3}, {5, 2, 4, 4}, {5, 1, 0, 0}};
  for (const int64_t channels : {12, 15, 16, 40, 100, 333}) {
    for (const int64_t width : {2, 5, 9, 23, 47}) {
      const bool once = channels < 16 || channels > 100;
      if ((width > 23 && channels != 40) || (once && width != 9)) continue;
      for (const Window& window : windows) {
        const int64_t height = 3 + window.taps + 7 * window.dilation;
        const int64_t reach = (window.taps - 1) * window.dilation;
        if (width + window.before + window.after <= reach) continue;
        const int32_t op = (channels + width) % 2 == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX;
        const support::Params params =
            support::Params(op, {height, width})
                .Channels(channels)
                .Kernel({window.taps, window.taps})
                .Dilations({window.dilation, window.dilation})
                .Pads({window.before, window.before, window.after, window.after});
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, static_cast<uint64_t>(channels + width));
        if (window.taps != 3 || window.dilation > 1 || width > 9) continue;
        CheckTypes(support::Params(op, {3, 6, width})
                       .Channels(channels)
                       .Kernel({2, 3, 3})
                       .Pads({1, window.before, 1, 0, window.after, 1}),
                   static_cast<uint64_t>(channels + width));
      }
    }
  }
}

// Windows of 3 x 3 taps in four rows at a time and what is left of them, pixel by pixel, with and
// without rows and columns that lack taps; of one tile of channels and of several.
TEST(Guard, BandsOfRows) {
  for (const int64_t channels : {20, 33, 48, 50, 100, 320, 700, 1300}) {
    for (const int64_t height : {6, 11, 14, 15, 16, 17}) {
      const int64_t width = height % 2 == 0 ? 9 : 3, places = channels + height;
      const int64_t above = places & 1, below = places >> 1 & 1, before = places >> 2 & 1,
                    behind = height & 1;
      for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
        const support::Params params = support::Params(op, {height, width})
                                           .Channels(channels)
                                           .Kernel({3, 3})
                                           .Pads({above, before, below, behind});
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, static_cast<uint64_t>(channels + height));
        const int32_t type = height % 2 == 0 ? LANEPOOL_TYPE_FLOAT16 : LANEPOOL_TYPE_DOUBLE;
        CheckCase({support::Params(params).Type(type), support::Data::kUniform}, 7);
      }
    }
  }
}

// Windows of 3 x 3 taps that step by two, in rows by themselves and in pairs, by pieces of pixels
// and pixel by pixel, whatever is kept of many channels.
TEST(Guard, WholePixels) {
  const support::Params::List pads[] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {1, 0, 0, 1}};
  const int32_t types[] = {LANEPOOL_TYPE_DOUBLE, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16,
                           LANEPOOL_TYPE_INT16};
  for (const int64_t channels : {17, 33, 40, 65, 100, 129, 150, 1000, 1025, 2048, 2049}) {
    for (const int64_t width : {3, 4, 9}) {
      const int64_t height = 5 + 2 * ((channels + width) % 4);
      const int64_t step = channels == 40 ? 2 : 1;
      const support::Params::List& around = pads[(channels + width) % 3];
      for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
        const support::Params params = support::Params(op, {step * height, step * width})
                                           .Channels(channels)
                                           .Kernel({3, 3})
                                           .Strides({2 * step, 2 * step})
                                           .Dilations({step, step})
                                           .Pads(around);
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, static_cast<uint64_t>(channels + width));
        const int32_t type = types[(channels + width) % 4];
        CheckCase({support::Params(params).Type(type), support::Data::kUniform}, 7);
        if (HasFailure()) return;
      }
    }
  }
}

// The same where all rows are one, in views that repeat it: those that step are no pairs of rows
// that follow each other.
TEST(Guard, RowsThatRepeat) {
  for (const int64_t channels : {17, 40, 64, 150, 1025}) {
    for (const int64_t stride : {1, 2, 3}) {
      for (const int32_t type :
           {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT16}) {
        for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
          support::Params rows(op, {17, 9});
          rows.Type(type).Channels(channels).Kernel({3, 3}).Strides({stride, stride});
          rows.Pads({1, 1, 1, 1});
          if (type == LANEPOOL_TYPE_UINT8) rows.Scales(0.3f, 0.3f).ZeroPoints(7, 7);
          lanepool_params params = rows;
          const int64_t repeated[4] = {9 * channels, 1, 0, channels};
          std::copy(std::begin(repeated), std::end(repeated), params.x_strides);
          SCOPED_TRACE(support::ParamsText(params));
          CheckCase({params, support::Data::kUniform}, static_cast<uint64_t>(channels + stride));
          if (HasFailure()) return;
        }
      }
    }
  }
}

// Planes of windows of 3 x 3 taps that step by two, in strips, over more than a second cache holds.
TEST(Guard, WideStrips) {
  const struct {
    int64_t channels, height, width, before, behind;
  } jobs[] = {{9, 230, 230, 1, 1}, {9, 221, 233, 0, 0}, {70, 81, 84, 1, 0}, {34, 100, 131, 0, 1}};
  for (const auto& job : jobs) {
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      const support::Params params = support::Params(op, {job.height, job.width})
                                         .Layout(LANEPOOL_LAYOUT_NCHW)
                                         .Channels(job.channels)
                                         .Kernel({3, 3})
                                         .Strides({2, 2})
                                         .Pads({job.before, job.before, job.behind, job.behind});
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, static_cast<uint64_t>(job.channels));
    }
  }
}

// Windows of many taps along rows of bytes of up to a vector, and of more than that: around each
// position, only before it and only behind it. And of few taps along W, but many along H.
TEST(Guard, LongWindowsOfShortRows) {
  for (const int64_t width : {9, 24, 33, 63, 64, 65}) {
    for (const int64_t taps : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 25, 50, 64, 91}) {
      // Without pads, and with as many before as there may be, half of them, a third and none.
      for (const int64_t before : {int64_t{-1}, taps - 1, taps / 2, (taps - 1) / 3, int64_t{0}}) {
        const int64_t after = before < 0 ? 0 : taps - 1 - before;
        if (before < 0 && width < taps) continue;
        const bool is_max = (width + taps) % 3 != 0;
        const support::Params params =
            support::Params(is_max ? LANEPOOL_OP_MAX : LANEPOOL_OP_MIN, {10, width})
                .Type(is_max ? LANEPOOL_TYPE_UINT8 : LANEPOOL_TYPE_INT8)
                .Channels(9)
                .Layout(LANEPOOL_LAYOUT_NCHW)
                .Kernel({taps < 6 ? 8 : 3, taps})
                .Pads({0, before < 0 ? 0 : before, 0, after});
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, support::Data::kUniform}, static_cast<uint64_t>(width + taps));
        if (HasFailure()) return;
      }
    }
  }
}

// Windows whose columns are moved to each tap: of one vector of columns and of several, with all
// steps, taps before and behind the row and between those that are, and rows of few outputs.
TEST(Guard, MovedColumns) {
  constexpr int32_t kTypes[] = {LANEPOOL_TYPE_UINT8,    LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_INT8,
                                LANEPOOL_TYPE_FLOAT16,  LANEPOOL_TYPE_INT8,  LANEPOOL_TYPE_FLOAT,
                                LANEPOOL_TYPE_BFLOAT16, LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_UINT16};
  uint64_t seed = 0;
  for (const int64_t width : {1, 2, 9, 15, 31, 32, 33, 63, 64, 65, 100, 127, 300}) {
    for (const int64_t taps : {1, 2, 3, 5, 7, 10, 11, 16}) {
      for (const int64_t stride : {1, 2, 3, 4, 7, 16}) {
        for (const int64_t dilation : {1, 2, 5}) {
          const int64_t reach = (taps - 1) * dilation;
          // Of long rows a part.
          if (reach > 130 || (++seed % 3 != 0 && width > 100)) continue;
          const int32_t type = kTypes[seed % 9];
          const bool averages = seed % 2 == 0 && type != LANEPOOL_TYPE_UINT16;
          const int64_t height = seed % 4 == 0 ? 1 : 11;
          const int64_t before = seed % 5 == 0 ? 0 : reach / static_cast<int64_t>(1 + seed % 3);
          const int64_t behind = width + before > reach ? reach / 2 : reach - before;
          const support::Params params =
              support::Params(averages        ? LANEPOOL_OP_AVERAGE
                              : seed % 7 == 0 ? LANEPOOL_OP_MIN
                                              : LANEPOOL_OP_MAX,
                              {height, width})
                  .Type(type)
                  .Channels(3)
                  .Layout(LANEPOOL_LAYOUT_NCHW)
                  .Kernel({height == 1 ? 1 : 3, taps})
                  .Strides({static_cast<int64_t>(1 + seed % 3), stride})
                  .Dilations({seed % 2 == 0 ? 1 : dilation, dilation})
                  .Pads({height == 1 ? 0 : 2, before, height == 1 ? 0 : 1, behind});
          SCOPED_TRACE(support::ParamsText(params));
          CheckCase({params, seed % 11 == 0 ? support::Data::kEverything : support::Data::kUniform},
                    seed);
          if (HasFailure()) return;
        }
      }
    }
  }
}

// The same of single rows, of which several parts are taken as if they were those of other planes.
TEST(Guard, MovedPartsOfRows) {
  Random random(20261130);
  for (int i = 0; i < 400; ++i) {
    const int64_t kernel = random.Between(2, 9), dilation = random.Between(1, 3);
    const int64_t reach = (kernel - 1) * dilation;
    const int64_t before = random.Between(0, reach), behind = random.Between(0, reach);
    const int64_t width = random.Between(2 * reach + 1, 300);
    const int32_t type =
        random.Pick({LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16,
                     LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8});
    const int32_t op = random.Pick({LANEPOOL_OP_MAX, LANEPOOL_OP_AVERAGE});
    const support::Params params = support::Params(op, {1, width})
                                       .Layout(LANEPOOL_LAYOUT_NCHW)
                                       .Type(type)
                                       .Channels(random.Between(1, 9))
                                       .Kernel({1, kernel})
                                       .Strides({1, random.Between(1, 5)})
                                       .Dilations({1, dilation})
                                       .Pads({0, before, 0, behind});
    SCOPED_TRACE(support::ParamsText(params));
    CheckCase({params, support::Data::kUniform}, static_cast<uint64_t>(i));
    if (HasFailure()) return;
  }
}

// Rows so short that a vector has the outputs of several: of a plane, of two, and the only ones of
// many, with borders along both axes, of positions and of pixels. Of pixels also rows of parts.
TEST(Guard, ShortRowsTogether) {
  constexpr int32_t kTypes[] = {LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16,
                                LANEPOOL_TYPE_INT8, LANEPOOL_TYPE_BFLOAT16};
  Random random(support::FirstSeed());
  for (int64_t i = 0; i < support::CaseCount(700); ++i) {
    const bool pixels = i % 2 == 0;
    const int64_t group = pixels ? random.Pick({2, 3, 4, 5, 8, 16}) : 1;
    const int64_t most = pixels && i % 3 == 0 ? 240 : 32;
    const int64_t width = random.Between(1, pixels ? most / group : most);
    // Sometimes more rows than a job has packs.
    const int64_t height =
        i % 13 == 0 ? random.Between(65, 200) : random.Pick({1, 2, 3, 7, 12, 29});
    const int64_t taps_w = random.Between(1, 5);
    const int64_t taps_h = random.Pick<int64_t>({1, 2, 3, taps_w});
    const int64_t step = random.Pick({1, 1, 2, 3}), dilation = random.Pick({1, 1, 2, 3});
    const int64_t reach_h = (taps_h - 1) * dilation, reach_w = (taps_w - 1) * dilation;
    const bool same = random.Percent(66) || reach_h >= height || reach_w >= width;
    const int64_t planes = random.Pick({1, 7, 32, 101});
    support::Params params = support::Params(random.Percent(50) ? LANEPOOL_OP_AVERAGE
                                             : i % 7 == 0       ? LANEPOOL_OP_MIN
                                                                : LANEPOOL_OP_MAX,
                                             {height, width})
                                 .Type(kTypes[i % 5])
                                 .Channels(pixels ? group : planes)
                                 .Layout(pixels ? LANEPOOL_LAYOUT_NHWC : LANEPOOL_LAYOUT_NCHW)
                                 .Kernel({taps_h, taps_w})
                                 .Strides({random.Pick<int64_t>({1, step}), step})
                                 .Dilations({dilation, dilation});
    if (same) {
      params =
          params.Pads({reach_h / 2, reach_w / 2, reach_h - reach_h / 2, reach_w - reach_w / 2});
    }
    if (pixels) params = params.Batch(planes);
    SCOPED_TRACE(support::ParamsText(params));
    CheckCase({params, i % 9 == 0 ? support::Data::kEverything : support::Data::kUniform},
              static_cast<uint64_t>(i));
    if (HasFailure()) return;
  }
}

// The same of averages of bytes with scales and borders of their own, whose outputs have formulas:
// up to 63 positions, rows that have one vector of results or two of columns for themselves, rows
// of parts that do, and windows that go by blocks elsewhere.
TEST(Guard, ShortRowsOfAveragesOfBytes) {
  Random random(support::FirstSeed());
  for (int64_t i = 0; i < support::CaseCount(500); ++i) {
    const int64_t width = random.Between(1, i % 5 == 0 ? 140 : i % 3 == 0 ? 63 : 33);
    const int64_t height =
        i % 11 == 0 ? random.Between(65, 200) : random.Pick({1, 2, 3, 7, 13, 28});
    // With all taps but one before the input there are as many kinds of windows as taps, more than
    // a plan has formulas for.
    const bool many = i % 8 == 0;
    const int64_t taps_w = many ? 7 : random.Between(1, 7);
    const int64_t taps_h = many ? 7 : random.Pick<int64_t>({1, 2, taps_w, random.Between(1, 7)});
    const int64_t step = random.Pick({1, 2, 3, 4}), dilation = random.Pick({1, 1, 2, 3});
    const int64_t reach_h = (taps_h - 1) * dilation, reach_w = (taps_w - 1) * dilation;
    const bool same = many || random.Percent(66) || reach_h >= height || reach_w >= width;
    support::Params params = support::Params(LANEPOOL_OP_AVERAGE, {height, width})
                                 .Type(LANEPOOL_TYPE_UINT8)
                                 .Channels(random.Pick({1, 3, 16, 67, 128}))
                                 .Layout(LANEPOOL_LAYOUT_NCHW)
                                 .Kernel({taps_h, taps_w})
                                 .Strides({random.Pick<int64_t>({1, step}), step})
                                 .Dilations({dilation, dilation});
    if (same) {
      const int64_t h = many ? reach_h : reach_h / 2, w = many ? reach_w : reach_w / 2;
      params = params.Pads({h, w, reach_h - h, reach_w - w});
    }
    if (random.Percent(30)) params = params.Include();
    support::RandomCase item = {params, support::Data::kIntegers};
    if (random.Percent(80)) support::Quantize(&random, support::Arrays::kPerTensor, &item);
    SCOPED_TRACE(item.Text());
    CheckCase(item, static_cast<uint64_t>(i));
    if (HasFailure()) return;
  }
}

// Averages of bytes in pixels of three and four channels, which are read as if rows went on:
// windows of all kinds, some rows of which lack taps.
TEST(Guard, AveragesOfPixelsOfBytes) {
  Random random(support::FirstSeed());
  for (int64_t i = 0; i < support::CaseCount(200); ++i) {
    const int64_t taps = random.Pick({3, 3, 5, 5, 2});
    const int64_t taps_h = random.Percent(85) ? taps : random.Between(1, 5);
    const int64_t width = random.Between(taps, random.Percent(70) ? 220 : 60);
    const int64_t height = random.Pick<int64_t>({taps_h, taps_h + 1, 7, 9});
    const int64_t dilation = random.Pick({1, 1, 1, 2});
    support::Params params = support::Params(LANEPOOL_OP_AVERAGE, {height * dilation, width})
                                 .Type(LANEPOOL_TYPE_UINT8)
                                 .Batch(random.Between(1, 2))
                                 .Channels(random.Pick({3, 3, 4, 2}))
                                 .Layout(LANEPOOL_LAYOUT_NHWC)
                                 .Kernel({taps_h, taps})
                                 .Strides({random.Pick<int64_t>({1, 1, 2}), 1})
                                 .Dilations({dilation, 1});
    if (random.Percent(60)) {
      const int64_t h = random.Between(0, taps_h - 1), w = random.Between(0, taps - 1);
      params = params.Pads({h * dilation, w, (taps_h - 1 - h) * dilation, taps - 1 - w});
    }
    if (random.Percent(30)) params = params.Include();
    support::RandomCase item = {params, support::Data::kIntegers};
    if (random.Percent(60)) support::Quantize(&random, support::Arrays::kPerTensor, &item);
    SCOPED_TRACE(item.Text());
    CheckCase(item, static_cast<uint64_t>(i));
    if (HasFailure()) return;
  }
}

// The same of windows far longer than their row, all of them before it, around it and behind it:
// more than positions of bytes count.
TEST(Guard, MovedColumnsOfFarTaps) {
  uint64_t seed = 0;
  for (const int64_t width : {7, 20, 33, 60, 64, 100}) {
    for (const int64_t taps : {3, 4, 9, 12, 14, 16}) {
      for (const int64_t dilation : {width, width - 1, width / 2 + 1}) {
        const int64_t reach = (taps - 1) * dilation;
        for (const int64_t before : {reach, reach / 2, int64_t{0}}) {
          for (const int64_t step : {1, 2, 3}) {
            const int64_t behind = reach - before + (before == reach / 2 ? 0 : ++seed % 3);
            const support::Params params =
                support::Params(LANEPOOL_OP_MAX, {3, width})
                    .Type(seed % 4 == 0 ? LANEPOOL_TYPE_FLOAT16 : LANEPOOL_TYPE_UINT8)
                    .Channels(seed % 5 < 2 ? 3 : 70)
                    .Layout(LANEPOOL_LAYOUT_NCHW)
                    .Kernel({static_cast<int64_t>(1 + seed % 2), taps})
                    .Strides({1, step})
                    .Dilations({1, dilation})
                    .Pads({0, before, 0, behind});
            SCOPED_TRACE(support::ParamsText(params));
            CheckCase({params, support::Data::kUniform}, ++seed);
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

// Maxima in rows of up to 32 bytes, of which several are one vector of results: as many rows in a
// plane as are kept together, more and fewer, in one plane, a few and many. Also of zeros and of
// two scales.
TEST(Guard, ShortRowsOfMaxima) {
  struct Window {
    int64_t taps, stride, before, after;
  };
  const Window windows[] = {{2, 2, 0, 0}, {2, 2, 0, 1}, {3, 1, 0, 0}, {3, 1, 1, 0},
                            {3, 1, 0, 1}, {3, 1, 1, 1}, {3, 2, 0, 0}, {3, 2, 1, 0},
                            {3, 2, 0, 1}, {3, 2, 1, 1}, {3, 2, 2, 1}, {3, 2, 1, 2}};
  struct Kind {
    int32_t op, type;
  };
  const Kind kinds[] = {
      {LANEPOOL_OP_MAX, LANEPOOL_TYPE_UINT8},   {LANEPOOL_OP_MIN, LANEPOOL_TYPE_INT8},
      {LANEPOOL_OP_MAX, LANEPOOL_TYPE_FLOAT16}, {LANEPOOL_OP_MAX, LANEPOOL_TYPE_INT8},
      {LANEPOOL_OP_MIN, LANEPOOL_TYPE_UINT16},  {LANEPOOL_OP_MIN, LANEPOOL_TYPE_UINT8},
      {LANEPOOL_OP_MAX, LANEPOOL_TYPE_INT16}};
  const support::Data data[] = {support::Data::kUniform, support::Data::kZeros,
                                support::Data::kEverything};
  uint64_t seed = 0;
  for (int64_t width = 2; width <= 34; ++width) {
    for (const Window& window : windows) {
      for (const int64_t channels : {1, 5, 31}) {
        if (width + window.before + window.after < window.taps) continue;
        Random random(++seed);
        const Kind& kind = kinds[seed % std::size(kinds)];
        const int64_t outputs = random.Pick({1, 2, 3, 7, 10, 21,
                                             channels == 31  ? 33
                                             : channels == 5 ? 63
                                                             : 64});
        const int64_t height = (outputs - 1) * window.stride + window.taps - random.Pick({0, 1});
        support::Params params = support::Params(kind.op, {height, width})
                                     .Type(kind.type)
                                     .Channels(channels)
                                     .Batch(random.Pick({1, 1, 2}))
                                     .Layout(LANEPOOL_LAYOUT_NCHW)
                                     .Kernel({window.taps, window.taps})
                                     .Strides({window.stride, window.stride})
                                     .Pads({1, window.before, 1, window.after});
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, data[seed % std::size(data)]}, seed);
        if (kind.type == LANEPOOL_TYPE_UINT8) {
          CheckCase({params.Scales(0.0235f, 0.0187f).ZeroPoints(7, 9), support::Data::kUniform},
                    seed);
        }
        if (HasFailure()) return;
      }
    }
  }
}

// Maxima of many taps along rows of floats, of halves and of integers, which grow level by level:
// of every length around whole vectors, and with as many taps before a position as behind it, one
// more, fewer and none. Of rows that are folded along H first, and of such that are not.
TEST(Guard, LongWindowsOfRows) {
  struct Kind {
    int32_t op, type;
  };
  const Kind kinds[] = {
      {LANEPOOL_OP_MAX, LANEPOOL_TYPE_FLOAT},   {LANEPOOL_OP_MIN, LANEPOOL_TYPE_FLOAT},
      {LANEPOOL_OP_MAX, LANEPOOL_TYPE_FLOAT16}, {LANEPOOL_OP_MIN, LANEPOOL_TYPE_BFLOAT16},
      {LANEPOOL_OP_MAX, LANEPOOL_TYPE_INT16},   {LANEPOOL_OP_MIN, LANEPOOL_TYPE_UINT16},
      {LANEPOOL_OP_MAX, LANEPOOL_TYPE_INT32}};
  const support::Data data[] = {support::Data::kUniform, support::Data::kZeros,
                                support::Data::kNans, support::Data::kInfinities,
                                support::Data::kEverything};
  uint64_t seed = 0;
  for (const int64_t width : {33, 47, 48, 49, 64, 65, 97, 130}) {
    for (const int64_t taps : {6, 7, 8, 16, 17, 31, 32, 33, 51, 64, 65, 95, 96, 97, 129}) {
      for (const int64_t before : {int64_t{-1}, taps / 2, (taps - 1) / 2, taps / 3, int64_t{0}}) {
        if (before < 0 && width < taps) continue;
        const Kind& kind = kinds[seed % std::size(kinds)];
        const int64_t after = before < 0 ? 0 : taps - 1 - before;
        const support::Params params = support::Params(kind.op, {5, width})
                                           .Type(kind.type)
                                           .Channels(6)
                                           .Layout(LANEPOOL_LAYOUT_NCHW)
                                           .Kernel({seed % 4 == 0 ? 1 : 3, taps})
                                           .Pads({0, before < 0 ? 0 : before, 0, after});
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, data[seed % std::size(data)]}, seed);
        ++seed;
        if (HasFailure()) return;
      }
    }
  }
}

// Averages of floats along rows that are long, or few: taps that are powers of two, and that are
// not, more than rows have, apart, and of pixels of several channels; more outputs than are added
// together; divisors that have no reciprocals.
TEST(Guard, RowsAddedByLevels) {
  const support::Data data[] = {support::Data::kUniform, support::Data::kIntegers,
                                support::Data::kZeros, support::Data::kMagnitudes,
                                support::Data::kEverything};
  struct Planes {
    int64_t channels, height, least_width;
  };
  const Planes of_planes[] = {{1, 1, 32}, {2, 1, 64}, {1, 3, 96}, {9, 1, 288}, {16, 4, 128}};
  uint64_t seed = 0;
  for (const Planes& planes : of_planes) {
    for (const int64_t more : {0, 1, 37, 300, 700}) {
      for (const int64_t taps : {1, 2, 3, 6, 9, 11, 12, 16, 25, 31, 40, 63, 64, 200}) {
        Random random(++seed);
        const bool pixels = planes.channels == 1 && seed % 5 == 0;
        const int64_t height = planes.height * (pixels ? 2 : 1);
        const int64_t width = planes.least_width + more, dilation = random.Pick({1, 1, 1, 2, 3});
        if (planes.height > 1 && more > 300) continue;
        const int64_t before = random.Pick({int64_t{0}, taps / 2, (taps - 1) / 3, taps - 1});
        const bool fits = taps * dilation < width;
        const int64_t after = random.Pick({taps - 1 - before, fits ? taps / 2 : taps - 1 - before});
        const int64_t rows = planes.height > 1 ? random.Pick({1, 3, 7}) : 1;
        const int64_t above = rows / 2;
        support::Params params = support::Params(LANEPOOL_OP_AVERAGE, {height, width})
                                     .Channels(pixels ? random.Pick({2, 3}) : planes.channels)
                                     .Batch(random.Pick({1, 1, 2}))
                                     .Kernel({rows, taps})
                                     .Dilations({1, dilation})
                                     .Pads({above, before * dilation, above, after * dilation});
        params.Layout(pixels ? LANEPOOL_LAYOUT_NHWC : LANEPOOL_LAYOUT_NCHW);
        if (seed % 7 == 0) params.Divisor(LANEPOOL_DIVISOR_CONSTANT, 70001);
        if (seed % 7 == 1) params.Divisor(LANEPOOL_DIVISOR_INCLUDE_PAD);
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, data[seed % std::size(data)]}, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// The same in parts of rows, of which the last one is shorter: more rows of it fit the scratch that
// there is for the others.
TEST(Guard, PartsOfRowsAddedByLevels) {
  struct Planes {
    int64_t channels, height, width, taps;
  };
  uint64_t seed = 0;
  for (const Planes& planes : {Planes{102, 1, 949, 10}, Planes{83, 1, 980, 16},
                               Planes{44, 3, 930, 9}, Planes{99, 1, 882, 33}}) {
    const support::Params params =
        support::Params(LANEPOOL_OP_AVERAGE, {planes.height, planes.width})
            .Channels(planes.channels)
            .Batch(3)
            .Layout(LANEPOOL_LAYOUT_NCHW)
            .Kernel({planes.height, planes.taps});
    SCOPED_TRACE(support::ParamsText(params));
    CheckCase({params, support::Data::kUniform}, ++seed);
    if (HasFailure()) return;
  }
}

// Planes that are folded one by one, several in an item: of as many rows as fill lines, and a few
// less, of rows that are not short. Also with gaps in y, and of values that kernels give up on.
TEST(Guard, PlanesOneByOne) {
  struct Kind {
    int32_t op, type;
    int64_t bytes;  // of a lane
  };
  const Kind kinds[] = {{LANEPOOL_OP_AVERAGE, LANEPOOL_TYPE_FLOAT, 4},
                        {LANEPOOL_OP_AVERAGE, LANEPOOL_TYPE_FLOAT16, 4},
                        {LANEPOOL_OP_AVERAGE, LANEPOOL_TYPE_DOUBLE, 8},
                        {LANEPOOL_OP_AVERAGE, LANEPOOL_TYPE_FLOAT, 4},
                        {LANEPOOL_OP_MAX, LANEPOOL_TYPE_DOUBLE, 8},
                        {LANEPOOL_OP_MAX, LANEPOOL_TYPE_FLOAT, 4},
                        {LANEPOOL_OP_AVERAGE, LANEPOOL_TYPE_BFLOAT16, 4}};
  const support::Data data[] = {support::Data::kUniform, support::Data::kIntegers,
                                support::Data::kMagnitudes, support::Data::kEverything};
  uint64_t seed = 0;
  for (const Kind& kind : kinds) {
    for (const int64_t taps : {9, 12, 25}) {
      Random random(++seed);
      const int64_t lanes = 256 / kind.bytes, rows = lanes - random.Pick({0, 1, 2}) * lanes / 16;
      const int64_t width = random.Pick({16, 24, 31}) * 8 / kind.bytes + 1;
      const int64_t row_taps = random.Pick({taps, int64_t{11}, width - 1});
      const int64_t stride = random.Pick({1, 1, 2}), dilation = random.Pick({1, 1, 2});
      const int64_t height = rows * stride + (taps - 1) * dilation - taps / 2 * 2;
      lanepool_params params = support::Params(kind.op, {height, width})
                                   .Type(kind.type)
                                   .Channels(random.Pick({8, 9, 13}))
                                   .Layout(LANEPOOL_LAYOUT_NCHW)
                                   .Kernel({taps, row_taps})
                                   .Strides({stride, 1})
                                   .Dilations({dilation, 1})
                                   .Pads({taps / 2, row_taps / 2, taps / 2, (row_taps - 1) / 2});
      if (seed % 5 == 0) params.divisor = LANEPOOL_DIVISOR_INCLUDE_PAD;
      if (seed % 3 == 0) {
        const lanepool_desc desc = support::Plan(params).desc;
        const int64_t row = desc.output[1] + 3, plane = desc.output[0] * row + 5;
        const int64_t strides[] = {params.channels * plane, plane, row, 1};
        std::copy(std::begin(strides), std::end(strides), params.y_strides);
      }
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, data[seed % std::size(data)]}, seed);
      if (HasFailure()) return;
    }
  }
}

// Rows and pixels of every length up to a few vectors, ended by the end of the buffer; and with 3 x
// 3 taps, which have loops of their own, also where they step as far along H as along W.
TEST(Guard, EveryTail) {
  for (int64_t size = 1; size <= 140 && !HasFailure(); ++size) {
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      for (const int64_t stride : {1, 2, 3}) {
        for (const int64_t taps : {2, 3}) {
          const support::Params::List kernel = {taps, 3};
          const support::Params row = support::Params(op, {3, size})
                                          .Layout(LANEPOOL_LAYOUT_NCHW)
                                          .Kernel(kernel)
                                          .Strides({1, stride})
                                          .Pads({taps - 2, 1, taps - 2, 1});
          const support::Params pixels =
              support::Params(op, {taps + 1, 4}).Channels(size).Kernel(kernel).Strides({1, stride});
          CheckTypes(row, static_cast<uint64_t>(size));
          CheckTypes(pixels, static_cast<uint64_t>(size));
          if (taps == 2 || stride == 1) continue;
          CheckTypes(support::Params(row).Strides({stride, stride}), static_cast<uint64_t>(size));
        }
        // Windows of one tap and of four that step by two, the latter within the row and beyond it.
        for (const int64_t pad : {0, 1}) {
          const int64_t taps = pad == 0 && size % 2 == 0 ? 1 : 4;
          if (stride != 2 || size + 2 * pad < taps) continue;
          CheckTypes(support::Params(op, {5, size})
                         .Layout(LANEPOOL_LAYOUT_NCHW)
                         .Kernel({taps, taps})
                         .Strides({2, 2})
                         .Pads({pad, pad, pad, pad}),
                     static_cast<uint64_t>(size));
        }
        // Windows of whole runs, which share some of them.
        if (size < 9) continue;
        CheckTypes(support::Params(op, {2, size})
                       .Layout(LANEPOOL_LAYOUT_NCHW)
                       .Kernel({2, 9})
                       .Strides({1, 4 + stride}),
                   static_cast<uint64_t>(size));
      }
    }
  }
}

// Small planes side by side, whose rows may share a vector.
TEST(Guard, SmallPlanes) {
  for (int64_t width = 2; width <= 18 && !HasFailure(); ++width) {
    for (const int64_t channels : {2, 3}) {
      for (const int64_t apart : {1, 2}) {
        for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
          CheckTypes(support::Params(op, {5, width})
                         .Channels(channels)
                         .Layout(LANEPOOL_LAYOUT_NCHW)
                         .Kernel({3, 3})
                         .Dilations({apart, apart})
                         .Pads({apart, apart, apart, apart}),
                     static_cast<uint64_t>(width));
          // Rows that are folded into a strip, some planes at a time.
          const support::Params by_two = support::Params(op, {4 + apart, width})
                                             .Channels(channels * channels * width)
                                             .Layout(LANEPOOL_LAYOUT_NCHW)
                                             .Kernel({channels, 2})
                                             .Strides({2, 2});
          CheckTypes(by_two, static_cast<uint64_t>(width));
        }
      }
    }
  }
}

// Planes of many channels that are turned, so that channels are lanes, whether windows share taps
// or not.
TEST(Guard, TurnedPlanes) {
  struct Window {
    support::Params::List kernel, strides, pads;
  };
  const Window windows[] = {{{2, 2}, {2, 2}, {0, 0, 0, 0}}, {{3, 3}, {2, 2}, {1, 1, 1, 1}},
                            {{2, 2}, {1, 1}, {0, 1, 1, 0}}, {{3, 3}, {1, 1}, {1, 1, 1, 1}},
                            {{4, 4}, {2, 2}, {1, 1, 1, 1}}, {{5, 4}, {1, 1}, {2, 1, 2, 2}},
                            {{3, 2}, {1, 2}, {1, 0, 1, 0}}, {{1, 3}, {2, 2}, {0, 1, 0, 0}}};
  for (const int64_t channels : {9, 16, 33, 64, 100}) {
    for (const int64_t width : {3, 4, 7, 10, 15}) {
      const uint64_t seed = static_cast<uint64_t>(channels + width);
      Random random(seed);
      for (const Window& window : windows) {
        const int32_t op = random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX});
        const support::Params params = support::Params(op, {6, width})
                                           .Channels(channels)
                                           .Batch(channels < 64 ? random.Pick({1, 3}) : 1)
                                           .Layout(LANEPOOL_LAYOUT_NCHW)
                                           .Kernel(window.kernel)
                                           .Strides(window.strides)
                                           .Pads(window.pads);
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// Short rows in windows that share little, which are turned where lanes do not move.
TEST(Guard, TurnedRows) {
  constexpr int32_t kTypes[] = {LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_INT8,
                                LANEPOOL_TYPE_BFLOAT16};
  uint64_t seed = 0;
  for (const int64_t width : {2, 4, 7, 8, 12, 15, 16, 20, 24}) {
    for (const int64_t channels : {64, 130, 300}) {
      for (const int64_t stride : {1, 2, 3, 4}) {
        for (const int64_t height : {1, 9}) {
          const int32_t type = kTypes[++seed % 4];
          const bool bytes = type == LANEPOOL_TYPE_UINT8 || type == LANEPOOL_TYPE_INT8;
          const int64_t taps = 2 + static_cast<int64_t>(seed / 4 % 3);
          const int64_t side = width == 2 ? 1 : seed % 5 < 2 ? 0 : taps / 2;
          support::Params params = bytes && seed % 3 == 0
                                       ? support::Average({height, width})
                                       : support::Params(LANEPOOL_OP_MAX, {height, width});
          params.Type(type)
              .Channels(channels)
              .Batch(1 + static_cast<int64_t>(seed % 2))
              .Layout(LANEPOOL_LAYOUT_NCHW)
              .Kernel({height == 1 ? 1 : 3, width == 2 ? 2 : taps})
              .Strides({stride, stride})
              .Pads({height == 1 ? 0 : side / 2, side, height == 1 ? 0 : 1, side});
          SCOPED_TRACE(support::ParamsText(params));
          CheckCase({params, seed % 2 == 0 ? support::Data::kNans : support::Data::kUniform}, seed);
          if (HasFailure()) return;
        }
      }
    }
  }
}

// Planes that are turned, or moved, all items of a call in one, until there is a NaN.
TEST(Guard, JoinedPlanes) {
  for (const int64_t width : {4, 7, 10, 16}) {
    for (const int64_t channels : {150, 300}) {
      const support::Params params = support::Params(LANEPOOL_OP_MAX, {width, width})
                                         .Channels(channels)
                                         .Layout(LANEPOOL_LAYOUT_NCHW)
                                         .Kernel({5, 5})
                                         .Strides({2, 2})
                                         .Pads({2, 2, 2, 2});
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kNans}, static_cast<uint64_t>(width + channels));
      if (HasFailure()) return;
    }
  }
}

// Windows of bytes that are one run: of whole vectors, and of what is left.
TEST(Guard, RunsOfBytes) {
  for (const int64_t vector : {16, 32, 64}) {
    for (const int64_t vectors : {1, 2, 3, 4, 5, 6, 31, 32}) {
      for (const int64_t more : {-1, 0, 1}) {
        for (const int64_t channels : {1, 2, 7}) {
          const int64_t length = vector * vectors + more;
          const support::Params params =
              support::Average({1, length})
                  .Type(channels == 2 ? LANEPOOL_TYPE_INT8 : LANEPOOL_TYPE_UINT8)
                  .Scales(0.1f, 0.1f)
                  .Channels(channels)
                  .Layout(LANEPOOL_LAYOUT_NCHW)
                  .Kernel({1, length});
          SCOPED_TRACE(support::ParamsText(params));
          CheckCase({params, support::Data::kIntegers}, static_cast<uint64_t>(length + channels));
          if (HasFailure()) return;
        }
      }
    }
  }
}

// Rows whose sums along W come first, up to the last byte of the last row.
TEST(Guard, SumsAlongRows) {
  for (const int64_t width : {9, 16, 30, 32, 33, 50, 64, 65, 96, 129}) {
    for (const int64_t height : {8, 13}) {
      const support::Params base = support::Params(LANEPOOL_OP_AVERAGE, {height, width})
                                       .Channels(width % 2 + 1)
                                       .Layout(LANEPOOL_LAYOUT_NCHW);
      const auto seed = static_cast<uint64_t>(width + height);
      CheckTypes(support::Params(base).Kernel({6, 6}).Pads({2, 3, 3, 2}), seed);
      CheckTypes(support::Params(base).Kernel({7, 8}).Pads({3, 7, 3, 7}), seed);
      if (HasFailure()) return;
    }
  }
}

// Tall planes of two and three positions, of several images: turned together, or columns walked.
TEST(Guard, NarrowPlanes) {
  for (const int64_t channels : {1, 4, 16, 24, 64}) {
    for (const int64_t taps : {2, 3, 5, 6, 8}) {
      for (const int64_t width : {2, 3}) {
        const uint64_t seed = static_cast<uint64_t>(channels * 16 + taps * 4 + width);
        Random random(seed);
        const support::Params params =
            support::Params(random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}), {13, width})
                .Channels(channels)
                .Batch(random.Pick({1, 2, 9}))
                .Layout(LANEPOOL_LAYOUT_NCHW)
                .Kernel({taps, taps})
                .Strides({random.Pick({1, 2, 3}), random.Pick({1, 2})})
                .Pads({taps / 2, taps / 2, taps / 2, taps / 2});
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, seed);
        const support::Params two_scales = support::Params(params)
                                               .Type(LANEPOOL_TYPE_UINT8)
                                               .Scales(0.0235f, 0.0187f)
                                               .ZeroPoints(7, 9);
        CheckCase({two_scales, support::Data::kUniform}, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// Dilated squares of taps in planes of few rows, some of them as few positions wide: what is beside
// a row is read with it, but not before the first of all rows nor behind the last.
TEST(Guard, BesideRows) {
  for (const int64_t taps : {2, 3, 4, 5, 7}) {
    for (const int64_t dilation : {1, 2, 3}) {
      for (const int64_t width : {3, 4, 6, 9, 11, 14, 18, 28}) {
        const uint64_t seed = static_cast<uint64_t>(taps * 256 + dilation * 64 + width);
        Random random(seed);
        const int64_t reach = (taps - 1) * dilation, pad = reach / 2, end = reach - pad;
        const support::Params params =
            support::Params(random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}),
                            {random.Pick({1, 2, 4, 9, 12}), width})
                .Channels(random.Pick({1, 2, 5}))
                .Layout(LANEPOOL_LAYOUT_NCHW)
                .Kernel({taps, taps})
                .Dilations({dilation, dilation})
                .Pads({pad, pad, end, end});
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, seed);
        const support::Params halves = support::Params(params).Type(LANEPOOL_TYPE_FLOAT16);
        CheckCase({halves, support::Data::kUniform}, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// Four to seven taps of f32 and maxima of bytes, in rows of vectors and less: windows beyond the
// row at its begin, its end, both and none.
TEST(Guard, SlidPlanes) {
  for (const int64_t taps : {4, 5, 6, 7}) {
    for (const int64_t width :
         {9, 12, 15, 16, 17, 21, 24, 31, 32, 33, 35, 47, 58, 63, 64, 66, 70, 97, 128, 130}) {
      const uint64_t seed = static_cast<uint64_t>(taps * 256 + width);
      Random random(seed);
      const int64_t pad = random.Pick({0, 0, 1, 2, 3}), dilation = random.Pick({1, 1, 1, 2, 3});
      const int64_t reach = (taps - 1) * dilation;
      for (const bool centred : {true, false}) {
        const int64_t before = centred ? (taps - 1) / 2 : pad;
        const int64_t behind = centred ? reach - before : random.Pick({0, 1, 3});
        if (width + before + behind <= reach) continue;
        support::Params planes =
            support::Params(LANEPOOL_OP_MAX, {random.Pick({13, 14, 21}), width})
                .Channels(random.Pick({1, 2, 3, 64}))
                .Layout(LANEPOOL_LAYOUT_NCHW)
                .Kernel({taps, taps})
                .Dilations({random.Pick({1, 1, 2}), dilation})
                .Pads({before, before, taps / 2, behind});
        lanepool_params floats = planes;
        floats.op = random.Pick({LANEPOOL_OP_MAX, LANEPOOL_OP_AVERAGE, LANEPOOL_OP_AVERAGE});
        lanepool_params bytes = planes.Type(random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}))
                                    .Scales(0.0235f, random.Pick({0, 1}) == 0 ? 0.0235f : 0.0187f)
                                    .ZeroPoints(7, 9);
        bytes.op = random.Pick({LANEPOOL_OP_MAX, LANEPOOL_OP_MIN});
        for (const lanepool_params& params : {floats, bytes}) {
          SCOPED_TRACE(support::ParamsText(params));
          CheckCase({params, support::Data::kUniform}, seed);
          if (HasFailure()) return;
        }
      }
    }
  }
}

// The same of pixels, in tiles that begin within the row: what a strip of the last tile has beyond
// the row is more than what the tile has before it. y lies apart, or is made from a tile of bytes.
TEST(Guard, SlidTiles) {
  for (const int64_t channels : {2, 3, 5, 7, 11, 17, 25, 31, 40}) {
    for (int64_t width = 3; width <= 31; width += 2) {
      const uint64_t seed = static_cast<uint64_t>(channels * 256 + width);
      Random random(seed);
      const int64_t taps = random.Pick({4, 4, 5, 6, 7}), dilation = random.Pick({1, 2});
      const int64_t reach = (taps - 1) * dilation, behind = random.Between(0, reach);
      if (width + 4 + behind <= reach) continue;
      const support::Params pixels = Max({random.Pick({2, 9, 14}), width})
                                         .Channels(channels)
                                         .Layout(LANEPOOL_LAYOUT_NHWC)
                                         .Kernel({taps, taps})
                                         .Dilations({1, dilation})
                                         .Pads({taps - 1, 4, taps - 1, behind});
      lanepool_params apart = pixels;
      const oracle::Shape shape = oracle::ResolveShape(apart);
      apart.y_strides[3] = channels + random.Between(1, 3);
      apart.y_strides[2] = apart.y_strides[3] * shape.output[1];
      apart.y_strides[0] = apart.y_strides[2] * shape.output[0];
      apart.y_strides[1] = 1;
      const support::Params bytes = support::Params(pixels)
                                        .Types(LANEPOOL_TYPE_INT8, LANEPOOL_TYPE_FLOAT)
                                        .Scales(0.0353f, 0.1187f)
                                        .ZeroPoints(-118, 0);
      for (const lanepool_params& params : {apart, lanepool_params(bytes)}) {
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, support::Data::kUniform}, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// Rows of so few channels that blocks take several of them at once, where there are not that many:
// parts of a row are taken side by side, and each number of windows leaves another rest.
TEST(Guard, PartsOfLines) {
  for (const int64_t channels : {8, 16, 24, 32, 40, 64}) {
    for (int64_t width = 40; width <= 100; ++width) {
      const uint64_t seed = static_cast<uint64_t>(channels * 256 + width);
      Random random(seed);
      const int64_t taps = random.Pick({6, 8, 9, 11}), rows = random.Between(1, 3);
      const int32_t op = random.Pick({LANEPOOL_OP_MAX, LANEPOOL_OP_MAX, LANEPOOL_OP_AVERAGE});
      const support::Params params =
          support::Params(op, {rows, width})
              .Type(random.Pick({LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_UINT8}))
              .Channels(channels)
              .Layout(LANEPOOL_LAYOUT_NHWC)
              .Kernel({1, taps})
              .Strides({1, random.Pick({1, 1, 2})})
              .Pads({0, random.Between(0, taps - 1), 0, random.Between(0, taps - 1)});
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// Windows of one column, channels last: floats that become bytes are added as those that do not.
TEST(Guard, BytesOfColumns) {
  for (const int64_t channels : {3, 9, 20, 31, 40, 70}) {
    for (int64_t taps = 2; taps <= 12; ++taps) {
      const uint64_t seed = static_cast<uint64_t>(channels * 256 + taps);
      Random random(seed);
      const int64_t pad = random.Between(0, taps - 1), dilation = random.Pick({1, 1, 3});
      const support::Params params =
          support::Average({taps * dilation + random.Between(1, 20), random.Between(1, 9)})
              .Channels(channels)
              .Layout(LANEPOOL_LAYOUT_NHWC)
              .Kernel({taps, 1})
              .Strides({random.Between(1, 4), 1})
              .Dilations({dilation, 1})
              .Pads({pad, 0, pad, 0})
              .Types(LANEPOOL_TYPE_FLOAT, random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_FLOAT}))
              .Scales(1, 0.01f);
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// Windows of bytes that lie side by side, and have whole eighths of each row or are laid out: rows
// of less than a vector and of many, with and without a rest, planes and rows that go on from each
// other.
TEST(Guard, WindowsSideBySide) {
  for (const int64_t length :
       {3, 5, 6, 7, 8, 9, 12, 16, 17, 21, 24, 28, 31, 32, 40, 48, 64, 88, 128, 264}) {
    for (int64_t round = 0; round < 60; ++round) {
      const uint64_t seed = static_cast<uint64_t>(length * 64 + round);
      Random random(seed);
      const int64_t outputs = random.Between(1, random.Pick({4, 12, 40}));
      const int64_t taps = random.Pick({1, 2, 3, 8, 16, 17}), step = taps + random.Pick({0, 0, 2});
      const int64_t rows = random.Between(1, 4);
      const int32_t type = random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8});
      const int32_t op =
          random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX, LANEPOOL_OP_MIN});
      const int32_t to = op == LANEPOOL_OP_AVERAGE
                             ? random.Pick({type, type, int32_t{LANEPOOL_TYPE_FLOAT}})
                             : type;
      const support::Params params =
          support::Params(op, {(rows - 1) * step + taps + random.Pick({0, 0, 1}),
                               outputs * length + random.Pick({0, 0, 5})})
              .Batch(random.Between(1, 2))
              .Channels(random.Between(1, 5))
              .Layout(LANEPOOL_LAYOUT_NCHW)
              .Kernel({taps, length})
              .Strides({step, length})
              .Types(type, to)
              .Scales(0.02f, random.Pick({0.02f, 0.02f, 0.013f}));
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// Maxima of bytes in planes of one window each, which follow each other or have a row between them.
TEST(Guard, SmallPlanesOfBytes) {
  for (int64_t length = 5; length <= 34; ++length) {
    for (const int64_t between : {0, 1}) {
      const uint64_t seed = static_cast<uint64_t>(length * 2 + between);
      Random random(seed);
      const int64_t rows = random.Between(1, 3);
      const support::Params params =
          support::Params(random.Pick({LANEPOOL_OP_MAX, LANEPOOL_OP_MIN}), {rows + between, length})
              .Batch(random.Between(1, 2))
              .Channels(random.Between(2, 20))
              .Layout(LANEPOOL_LAYOUT_NCHW)
              .Kernel({rows, length})
              .Strides({rows + between, length})
              .Type(random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}))
              .Scales(0.02f, 0.02f);
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// Rows that go on in each other and have as many outputs as positions, in planes of one row and of
// several, of all types that chain them.
TEST(Guard, ChainedRows) {
  for (int64_t width = 4; width <= 90; ++width) {
    for (int round = 0; round < 10; ++round) {
      const uint64_t seed = static_cast<uint64_t>(width * 16 + round);
      Random random(seed);
      const bool alone = round % 2 == 0;
      const int64_t taps = random.Between(2, 7), dilation = random.Pick({1, 1, 2, 3});
      const int64_t rows = alone ? random.Pick({1, 1, 3}) : random.Between(13, 40);
      const int64_t along_h = alone ? 1 : random.Between(1, taps);
      // Enough of them, see chain_rules.cc.
      const int64_t least = alone ? random.Pick({2048, 4096, 16384}) / (rows * width) + 1 : 16;
      const int32_t type =
          random.Pick({LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16,
                       LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8, LANEPOOL_TYPE_INT16});
      const bool is_float = type == LANEPOOL_TYPE_FLOAT || type == LANEPOOL_TYPE_FLOAT16 ||
                            type == LANEPOOL_TYPE_BFLOAT16;
      const int32_t op = is_float && random.Between(0, 1) == 0 ? LANEPOOL_OP_AVERAGE
                         : random.Between(0, 3) == 0           ? LANEPOOL_OP_MIN
                                                               : LANEPOOL_OP_MAX;
      support::Params params(op, {rows, width});
      params.Channels(least + random.Between(0, 3)).Kernel({along_h, taps});
      params.Layout(LANEPOOL_LAYOUT_NCHW).Dilations({random.Pick({1, 1, 2}), dilation});
      params.AutoPad(random.Pick({LANEPOOL_AUTO_PAD_SAME_UPPER, LANEPOOL_AUTO_PAD_SAME_LOWER}));
      params.Type(type);
      if (random.Between(0, 1) == 0) params.Include();
      if (type == LANEPOOL_TYPE_UINT8 || type == LANEPOOL_TYPE_INT8) params.Scales(0.02f, 0.02f);
      // Planes that have gaps between them do not go on in each other.
      lanepool_params views = params;
      for (int64_t* strides : {views.x_strides, views.y_strides}) {
        if (random.Between(0, 3) > 0) continue;
        const int64_t plane = rows * width + random.Between(1, 40);
        const int64_t apart[] = {plane * views.channels, plane, width, 1};
        std::copy(std::begin(apart), std::end(apart), strides);
      }
      SCOPED_TRACE(support::ParamsText(views));
      CheckCase({views, random.Pick({support::Data::kUniform, support::Data::kEverything})}, seed);
      if (HasFailure()) return;
    }
  }
}

// Averages of bytes of pixels in whole windows of few taps along W: rows of one vector, of two and
// of many, full and not, in several rows and images.
TEST(Guard, PairsOfPixels) {
  for (int64_t channels = 2; channels <= 32; ++channels) {
    for (int round = 0; round < 12; ++round) {
      const uint64_t seed = static_cast<uint64_t>(channels * 64 + round);
      Random random(seed);
      const int64_t along_h = random.Between(1, 3), along_w = random.Between(1, 4);
      const int64_t dilation = random.Pick({1, 1, 2}), rows = random.Between(1, 7);
      const int64_t outputs = random.Between(1, random.Pick({9, 40}));
      const int64_t step_h = random.Between(1, 3), step_w = random.Between(1, 4);
      const int64_t height = (rows - 1) * step_h + (along_h - 1) * dilation + 1;
      const int64_t width = (outputs - 1) * step_w + (along_w - 1) * dilation + 1;
      const int32_t type = random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8});
      const support::Params params = support::Average({height + random.Between(0, step_h - 1),
                                                       width + random.Between(0, step_w - 1)})
                                         .Batch(random.Between(1, 3))
                                         .Channels(channels)
                                         .Kernel({along_h, along_w})
                                         .Strides({step_h, step_w})
                                         .Dilations({dilation, dilation})
                                         .Type(type)
                                         .Scales(0.02f, random.Pick({0.02f, 0.013f}));
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// Large windows whose lanes are less than four vectors: several lines at a time, vectors that
// overlap and lines that are taken twice.
TEST(Guard, LinesOfFewVectors) {
  for (const int32_t type : {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_INT16,
                             LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_DOUBLE}) {
    for (int64_t lanes = 3; lanes < 140; lanes += 1 + lanes / 9) {
      const uint64_t seed = static_cast<uint64_t>(type * 1000 + lanes);
      Random random(seed);
      const int64_t taps = random.Pick({8, 9, 11, 13}), lines = random.Pick({13, 14, 17, 22});
      const int32_t op = random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX, LANEPOOL_OP_MAX});
      const int64_t pad = random.Pick({0, 3, 5}), stride = random.Pick({1, 1, 2});
      const support::Params pixels = support::Params(op, {lines, 14}).Channels(lanes);
      const support::Params planes = support::Params(op, {lines, lanes})
                                         .Channels(random.Pick({1, 2, 5, 7, 19}))
                                         .Layout(LANEPOOL_LAYOUT_NCHW);
      for (support::Params params : {pixels, planes}) {
        const int64_t along_w = random.Pick({0, 1}) == 0 ? 1 : taps;
        params.Kernel({taps, along_w}).Strides({stride, 1}).Type(type);
        if (type == LANEPOOL_TYPE_UINT8) params.Scales(0.0235f, 0.0235f).ZeroPoints(7, 7);
        params.Pads({pad, along_w / 2, pad, along_w / 2});
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, support::Data::kUniform}, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// Pairs of columns of 16-bit types, all of them whole, and three by two of doubles.
TEST(Guard, PairsAndDoubles) {
  for (int64_t width = 2; width <= 70; width += 1 + width / 12) {
    const uint64_t seed = static_cast<uint64_t>(width);
    Random random(seed);
    const int64_t height = random.Pick({2, 5, 8}), pad = random.Pick({0, 1});
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      const support::Params pairs = support::Params(op, {height, width})
                                        .Channels(random.Pick({1, 3, 40}))
                                        .Layout(LANEPOOL_LAYOUT_NCHW)
                                        .Kernel({random.Pick({1, 2, 2}), 2})
                                        .Strides({random.Pick({1, 2, 2}), 2});
      SCOPED_TRACE(support::ParamsText(pairs));
      for (const int32_t type :
           {LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16, LANEPOOL_TYPE_INT16}) {
        CheckCase({support::Params(pairs).Type(type), support::Data::kUniform}, seed);
      }
      if (width < 3) continue;
      const support::Params doubles = support::Params(op, {height + 1, width})
                                          .Channels(random.Pick({1, 3, 40}))
                                          .Layout(LANEPOOL_LAYOUT_NCHW)
                                          .Kernel({3, 3})
                                          .Strides({2, 2})
                                          .Pads({pad, pad, 1, 1})
                                          .Type(LANEPOOL_TYPE_DOUBLE);
      CheckCase({doubles, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// Windows of 5x5 taps that step by 2: those that lack up to two rows and columns at either end, or
// more, in rows of less than a vector and more, and of several planes along D.
TEST(Guard, FiveByTwo) {
  const support::Params::List pads[] = {{0, 0, 0, 0}, {1, 1, 2, 2}, {2, 2, 2, 2},
                                        {2, 1, 1, 2}, {0, 2, 1, 0}, {3, 3, 3, 3}};
  uint64_t seed = 0;
  for (const int64_t width : {15, 16, 17, 31, 32, 40, 64, 65, 131}) {
    for (const int64_t height : {5, 6, 8, 13}) {
      for (const support::Params::List& pad : pads) {
        const int32_t op = ++seed % 2 == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX;
        const support::Params params = support::Params(op, {height, width})
                                           .Channels(1 + static_cast<int64_t>(seed % 3))
                                           .Layout(LANEPOOL_LAYOUT_NCHW)
                                           .Kernel({5, 5})
                                           .Strides({2, 2})
                                           .Pads(pad);
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, seed);
        if (HasFailure()) return;
      }
    }
    const support::Params deep = support::Params(LANEPOOL_OP_MAX, {4, 21, width})
                                     .Channels(2)
                                     .Layout(LANEPOOL_LAYOUT_NCHW)
                                     .Kernel({3, 5, 5})
                                     .Strides({1, 4, 2})
                                     .Dilations({1, 2, 1})
                                     .Pads({1, 4, 2, 1, 4, 2});
    SCOPED_TRACE(support::ParamsText(deep));
    CheckTypes(deep, seed);
    if (HasFailure()) return;
  }
}

// 2x2 averages of bytes in short rows, of which a vector holds several: planes that are one, planes
// with a row more, and views whose planes lie apart.
TEST(Guard, RowsOfPairs) {
  for (int64_t width = 2; width <= 23; ++width) {
    for (const int64_t height : {2, 5, 8, 13, 40}) {
      const uint64_t seed = static_cast<uint64_t>(width * 64 + height);
      Random random(seed);
      const int64_t channels = random.Pick({1, 7, 30, 97});
      const int32_t type = random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8});
      lanepool_params params = support::Params(LANEPOOL_OP_AVERAGE, {height, width})
                                   .Channels(channels)
                                   .Layout(LANEPOOL_LAYOUT_NCHW)
                                   .Kernel({2, 2})
                                   .Strides({2, 2})
                                   .Type(type)
                                   .Scales(0.0235f, random.Pick({0.0235f, 0.0187f}))
                                   .ZeroPoints(7, 9);
      if (random.Percent(40)) {
        params.x_strides[3] = 1;
        params.x_strides[2] = width;
        params.x_strides[1] = height * width + random.Between(0, 9);
        params.x_strides[0] = channels * params.x_strides[1];
      }
      if (random.Percent(20)) {
        params.y_strides[3] = 1;
        params.y_strides[2] = width / 2;
        params.y_strides[1] = height / 2 * (width / 2) + random.Between(0, 9);
        params.y_strides[0] = channels * params.y_strides[1];
      }
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// Averages of every other byte of a row, of odd rows also of the last one, behind which nothing is.
TEST(Guard, EveryOtherByte) {
  for (const int64_t width : {14, 15, 16, 17, 29, 31, 33, 62, 63, 64, 65, 129, 130}) {
    for (const int64_t taps : {1, 2, 3}) {
      for (const int32_t type : {LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}) {
        const uint64_t seed = static_cast<uint64_t>(width * 8 + taps * 2 + type);
        Random random(seed);
        const support::Params params = support::Params(LANEPOOL_OP_AVERAGE, {5, width})
                                           .Channels(random.Pick({1, 3, 16}))
                                           .Batch(random.Pick({1, 2}))
                                           .Layout(LANEPOOL_LAYOUT_NCHW)
                                           .Kernel({taps, 1})
                                           .Strides({random.Pick({1, 2, 3}), 2})
                                           .Pads({taps / 2, 0, taps / 2, 0})
                                           .Type(type)
                                           .Scales(0.0235f, 0.0187f)
                                           .ZeroPoints(7, 9);
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, support::Data::kUniform}, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// Averages of bytes in rows of four to eight taps that step by two, of which the first and the last
// windows lack some; rows of less than a vector, and gaps between planes.
TEST(Guard, BytesByTwo) {
  Random random(20261130);
  for (int i = 0; i < 600; ++i) {
    const int64_t taps = random.Between(4, 8), height = random.Between(1, 4);
    const int64_t width = random.Pick<int64_t>({18, 19, 24, 31, 33, 40, 64, 65, 100, 131, 300});
    const float y_scale = random.Percent(50) ? 0.0235f : 0.0187f;
    const int32_t type = random.Percent(50) ? LANEPOOL_TYPE_UINT8 : LANEPOOL_TYPE_INT8;
    const support::Params made =
        support::Params(LANEPOOL_OP_AVERAGE, {height, width})
            .Channels(random.Between(1, 9))
            .Layout(LANEPOOL_LAYOUT_NCHW)
            .Kernel({1, taps})
            .Strides({random.Between(1, 2), 2})
            .Pads({0, random.Between(0, taps - 1), 0, random.Between(0, 3)})
            .Type(type)
            .Scales(0.0235f, y_scale)
            .ZeroPoints(7, 9);
    lanepool_params params = made;
    const int64_t plane = height * width + (random.Percent(30) ? 3 : 0);
    const int64_t apart[4] = {params.channels * plane, plane, width, 1};
    std::copy(std::begin(apart), std::end(apart), params.x_strides);
    SCOPED_TRACE(support::ParamsText(params));
    CheckCase({params, support::Data::kUniform}, static_cast<uint64_t>(i));
    if (HasFailure()) return;
  }
}

// Averages of bytes in windows of many taps along a row of pixels, which are sums that run on:
// parts of a vector of channels, one, two, and more; dilated, and of rows that are broadcast.
TEST(Guard, LongLinesOfBytes) {
  Random random(20261201);
  for (int i = 0; i < 500; ++i) {
    const int64_t taps = random.Between(8, 40), dilation = random.Percent(70) ? 1 : 2;
    const int64_t width = (taps - 1) * dilation + random.Between(2, 90);
    const int64_t channels = random.Pick<int64_t>({5, 15, 16, 31, 32, 33, 64, 65, 96, 130, 200});
    const float y_scale = random.Percent(50) ? 0.0235f : 0.0187f;
    const int32_t type = random.Percent(50) ? LANEPOOL_TYPE_UINT8 : LANEPOOL_TYPE_INT8;
    const support::Params made =
        support::Params(LANEPOOL_OP_AVERAGE, {random.Between(1, 2), width})
            .Channels(channels)
            .Kernel({1, taps})
            .Strides({1, random.Percent(80) ? dilation : 1})
            .Dilations({1, dilation})
            .Pads({0, random.Between(0, taps / 2), 0, random.Between(0, taps / 2)})
            .Type(type)
            .Scales(0.0235f, y_scale)
            .ZeroPoints(7, 9);
    lanepool_params params = made;
    if (random.Percent(10)) {
      const int64_t broadcast[4] = {2 * channels, 1, channels, 0};
      std::copy(std::begin(broadcast), std::end(broadcast), params.x_strides);
    }
    SCOPED_TRACE(support::ParamsText(params));
    CheckCase({params, support::Data::kUniform}, static_cast<uint64_t>(i));
    if (HasFailure()) return;
  }
}

// Empty windows, side by side in a row and channels last: less than a line of bytes of them, some
// lines, and parts.
TEST(Guard, EmptyLines) {
  Random random(20261202);
  for (int i = 0; i < 300; ++i) {
    const bool is_max = random.Percent(50);
    const int64_t width = random.Percent(50) ? 1 : random.Between(2, 40);
    const int32_t type = random.Pick<int32_t>(
        {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_DOUBLE, LANEPOOL_TYPE_UINT8});
    support::Params params =
        support::Params(is_max ? LANEPOOL_OP_MAX : LANEPOOL_OP_AVERAGE, {2, width})
            .Channels(random.Between(1, 100))
            .Layout(random.Percent(50) ? LANEPOOL_LAYOUT_NCHW : LANEPOOL_LAYOUT_NHWC)
            .Kernel({1, 2})
            .Dilations({1, 2 * width + 1})
            .Pads({0, width + random.Between(0, 40), 0, width + random.Between(0, 40)})
            .Type(type);
    if (type == LANEPOOL_TYPE_UINT8) params.Scales(0.0235f, 0.0187f).ZeroPoints(7, 9);
    SCOPED_TRACE(support::ParamsText(params));
    CheckCase({params, support::Data::kUniform}, static_cast<uint64_t>(i));
    if (HasFailure()) return;
  }
}

// Windows of one tap, channels last: rows of as many channels as a tile takes, and of more.
TEST(Guard, SingleElements) {
  for (const int64_t channels : {2, 17, 64, 255, 256, 257, 600}) {
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      const support::Params params = support::Params(op, {3, 5}).Channels(channels).Kernel({1, 1});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, static_cast<uint64_t>(channels));
      CheckCase({params, support::Data::kNans}, static_cast<uint64_t>(channels));
    }
  }
}

// Rows shorter than a vector, or a little longer than some: with lanes along W, and with pixels of
// few channels, which are lanes together.
TEST(Guard, RowsOfParts) {
  struct Window {
    int64_t taps, stride, before, after;
  };
  const Window windows[] = {{1, 2, 0, 0}, {2, 1, 0, 0}, {2, 1, 0, 1}, {2, 2, 0, 0}, {2, 2, 1, 1},
                            {3, 1, 1, 1}, {3, 2, 0, 1}, {3, 2, 1, 0}, {3, 2, 1, 1}, {4, 1, 1, 2},
                            {4, 2, 0, 0}, {4, 2, 0, 1}, {4, 2, 1, 0}, {4, 2, 1, 1}, {5, 1, 2, 2}};
  for (int64_t width = 1; width <= 70 && !HasFailure(); width += width < 34 ? 1 : 5) {
    for (const Window& window : windows) {
      if (width + window.before + window.after < window.taps) continue;
      const int32_t op = (width + window.before) % 2 == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX;
      const support::Params params =
          support::Params(op, {7, width})
              .Kernel({window.taps, window.taps})
              .Strides({window.stride, window.stride})
              .Pads({window.before, window.before, window.after, window.after});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(support::Params(params).Channels(3).Layout(LANEPOOL_LAYOUT_NCHW),
                 static_cast<uint64_t>(width));
      if (width % 3 == 0) {
        CheckTypes(support::Params(params).Channels(2 + width % 29), static_cast<uint64_t>(width));
      }
    }
  }
}

// Pixels of a few channels whose windows step by two: rows of any number of them, and of several
// images.
TEST(Guard, PixelsByTwo) {
  for (int64_t channels = 2; channels <= 17 && !HasFailure(); ++channels) {
    for (int64_t width = 2; width <= 72; width += width < 24 ? 1 : 7) {
      const int32_t op = (width + channels) % 2 == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX;
      const int64_t taps = 1 + (width + channels) / 2 % 4, along_w = 1 + width % 3 % 2;
      if (width < along_w) continue;
      const support::Params params = support::Params(op, {taps + 2, width})
                                         .Batch(1 + width % 2)
                                         .Channels(channels)
                                         .Kernel({taps, along_w})
                                         .Strides({1 + width % 2, 2});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, static_cast<uint64_t>(width));
    }
    // A single row, of several tiles.
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      const support::Params params =
          support::Params(op, {1200}).Channels(channels).Kernel({2}).Strides({2});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, static_cast<uint64_t>(channels));
    }
  }
}

// Pixels of any windows that step: with gaps, that lack taps at either end, in rows of a vector, of
// several and of several tiles, of few channels and of more than a vector.
TEST(Guard, PixelsBySteps) {
  for (const int64_t channels : {2, 3, 4, 5, 7, 8, 11, 16, 17, 24, 31, 33, 48}) {
    for (int64_t width = 3; width <= 90 && !HasFailure(); width += width < 40 ? 3 : 13) {
      const uint64_t seed = static_cast<uint64_t>(width * 64 + channels);
      Random random(seed);
      const int32_t op = random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX});
      const int64_t taps = random.Pick({1, 2, 3, 3, 4, 5, 7, 11}), step = random.Pick({2, 2, 3, 5});
      const int64_t gap = random.Pick({1, 1, 2, 3}), along_h = random.Pick({1, 2, 3, 4, 6});
      const int64_t reach = (taps - 1) * gap, before = reach * random.Pick({0, 1, 1, 2}) / 2;
      const int64_t after = reach * random.Pick({0, 1, 1, 2}) / 2, above = random.Pick({0, 1, 3});
      support::Params params = support::Params(op, {along_h + 5, width + reach})
                                   .Batch(random.Pick({1, 3}))
                                   .Channels(channels)
                                   .Kernel({along_h, taps})
                                   .Strides({random.Pick({1, 2, 3}), step})
                                   .Dilations({random.Pick({1, 1, 2}), gap})
                                   .Pads({above % along_h, before, along_h / 2, after});
      if (random.Pick({0, 1}) == 1) params.Include();
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, seed);
      CheckCase({params, support::Data::kNans}, seed);
    }
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      const support::Params params = support::Params(op, {2, 3, 700})
                                         .Channels(channels)
                                         .Kernel({2, 2, 3})
                                         .Strides({1, 1, 2})
                                         .Pads({1, 0, 1, 0, 1, 1});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, static_cast<uint64_t>(channels));
    }
    // Many short rows.
    const support::Params tall = support::Params(LANEPOOL_OP_AVERAGE, {400, 6})
                                     .Channels(channels)
                                     .Kernel({3, 3})
                                     .Strides({2, 2})
                                     .Pads({1, 1, 1, 1});
    SCOPED_TRACE(support::ParamsText(tall));
    CheckTypes(tall, static_cast<uint64_t>(channels));
  }
}

// Pixels of a few channels in windows of many taps that share none: four vectors of columns and
// what is left of them, few outputs, taps apart.
TEST(Guard, PixelsOfManyTaps) {
  for (const int64_t taps : {9, 16, 17, 32, 50, 64, 100, 128, 129}) {
    for (const int64_t channels : {2, 3, 4, 5, 7, 8, 15, 16, 31}) {
      const uint64_t seed = static_cast<uint64_t>(taps * 32 + channels);
      Random random(seed);
      const int64_t gap = random.Pick({1, 1, 1, 2}), reach = (taps - 1) * gap + 1;
      const int64_t step = reach + random.Pick({0, 0, 1, 9}), along_h = random.Pick({1, 2, 5, 12});
      const int64_t outputs = random.Pick({1, 2, 3, 5}), pad = random.Pick({0, 0, 3, 8});
      const support::Params params =
          support::Params(random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}),
                          {along_h * 2 + 3, (outputs - 1) * step + reach - pad})
              .Channels(channels)
              .Kernel({along_h, taps})
              .Strides({random.Pick({int64_t{1}, along_h}), step})
              .Dilations({1, gap})
              .Pads({1 % along_h, pad, 0, 0});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, seed);
      CheckCase({params, support::Data::kNans}, seed);
      if (HasFailure()) return;
    }
  }
}

// Sums of bytes that go on from row to row: of pixels as they lie, and of some channels at a time.
TEST(Guard, SumsInTurn) {
  for (const int64_t channels : {40, 100, 200}) {
    for (const int64_t taps : {9, 14}) {
      const uint64_t seed = static_cast<uint64_t>(taps * 256 + channels);
      Random random(seed);
      const int64_t width = 5000 / std::min<int64_t>(channels, 64) + random.Between(1, 3);
      const int64_t dilation = random.Pick({1, 1, 2}), reach = (taps - 1) * dilation;
      const int64_t before = random.Pick({int64_t{0}, reach / 2, reach}), after = reach - before;
      lanepool_params params =
          support::Average({(2 * taps + random.Between(0, 3)) * dilation, width})
              .Channels(channels)
              .Type(random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}))
              .Scales(0.0235f, random.Pick({0, 1}) == 0 ? 0.0235f : 0.0187f)
              .ZeroPoints(7, 9)
              .Kernel({taps, 7})
              .Dilations({dilation, 1})
              .Pads({before, 3, after, 3});
      if (random.Percent(50)) params.divisor = LANEPOOL_DIVISOR_INCLUDE_PAD;
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// Rows by themselves, as one-dimensional networks have them: several taps that step by one, and
// three and four that step by two, in rows of less than a vector, of some and of several tiles.
TEST(Guard, RowsAlone) {
  for (const int64_t taps : {2, 3, 4, 5, 6, 7}) {
    for (int64_t width = 1; width < 640; width += 1 + width / 5) {
      const uint64_t seed = static_cast<uint64_t>(taps * 1000 + width);
      Random random(seed);
      const bool steps = (taps == 3 || taps == 4) && random.Pick({0, 1}) == 1;
      const int64_t gap = steps ? 1 : random.Pick({1, 1, 1, 2, 3, 9}), reach = (taps - 1) * gap;
      const int64_t before = random.Pick({int64_t{0}, int64_t{1}, reach / 2, reach});
      const int64_t behind = random.Pick({int64_t{0}, int64_t{1}, reach - reach / 2, reach});
      if (width + before + behind <= reach || before > reach || behind > reach) continue;
      support::Params params =
          support::Params(random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}),
                          {random.Pick({1, 1, 3, 40}), width})
              .Batch(random.Pick({1, 2}))
              .Channels(random.Pick({1, 2, 3, 7}))
              .Layout(random.Pick({LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}))
              .Kernel({1, taps})
              .Strides({random.Pick({1, 1, 2}), steps ? 2 : 1})
              .Dilations({1, gap})
              .Pads({0, before, 0, behind});
      if (random.Pick({0, 1}) == 1) params.Include();
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, seed);
      params.Type(random.Pick(
          {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_INT16, LANEPOOL_TYPE_DOUBLE}));
      CheckCase({params, support::Data::kNans}, seed);
      if (HasFailure()) return;
    }
  }
}

// Averages of bytes in long rows, of pixels of a few channels too: one tile and several, windows
// that lack taps on either side, above and below, or none.
TEST(Guard, TilesOfSums) {
  for (const int64_t channels : {1, 2, 3, 4, 5, 8, 13, 16, 24}) {
    for (int64_t lanes = 150; lanes < 1400; lanes += 1 + lanes / 7) {
      const uint64_t seed = static_cast<uint64_t>(lanes * 32 + channels);
      Random random(seed);
      const int64_t taps = random.Pick({2, 3, 3, 5, 7}), along_h = random.Pick({1, 2, 3, 5});
      const int64_t gap = random.Pick({1, 1, 2}), reach = (taps - 1) * gap;
      const bool same = random.Pick({0, 1}) == 1;
      const int64_t before = same ? reach / 2 : random.Pick({int64_t{0}, int64_t{0}, reach});
      const int64_t behind = same ? reach - before : random.Pick({int64_t{0}, reach});
      const int32_t type = random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8});
      support::Params params =
          support::Params(LANEPOOL_OP_AVERAGE, {along_h + 3, lanes / channels + reach})
              .Batch(random.Pick({1, 2}))
              .Channels(channels)
              .Kernel({along_h, taps})
              .Strides({random.Pick({1, 1, 2}), 1})
              .Dilations({1, gap})
              .Pads({along_h / 2, before, (along_h - 1) / 2, behind})
              .Type(type)
              .Scales(0.0235f, random.Pick({0, 1}) == 0 ? 0.0235f : 0.0187f)
              .ZeroPoints(7, 9);
      if (random.Pick({0, 1}) == 1) params.Include();
      SCOPED_TRACE(support::ParamsText(params));
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
      params.Layout(LANEPOOL_LAYOUT_NCHW);
      if (channels > 3 || lanes > 600) continue;
      CheckCase({params, support::Data::kUniform}, seed);
      if (HasFailure()) return;
    }
  }
}

// The same where outputs lie side by side as the inputs do, so that rows follow each other, however
// long they are; and rows of which a plane has only one.
TEST(Guard, LongFlatRows) {
  for (const int64_t width :
       {79, 80, 128, 200, 256, 257, 258, 259, 260, 300, 512, 513, 1025, 2049}) {
    for (const int64_t taps : {2, 3, 4, 5}) {
      const uint64_t seed = static_cast<uint64_t>(width * 8 + taps);
      Random random(seed);
      const int64_t along_h = random.Pick({1, 2, 3, 5}), before = (taps - random.Pick({0, 1})) / 2;
      const int64_t gap = random.Pick({1, 1, 2}), above = (along_h - 1) * gap / 2;
      for (const int64_t height : {int64_t{1}, 2 * along_h * gap + 1, int64_t{270}}) {
        if (height > 200 && width > 260) continue;
        support::Params params =
            support::Params(LANEPOOL_OP_AVERAGE, {height, width})
                .Batch(random.Pick({1, 2}))
                .Channels(random.Pick({1, 2, 3}))
                .Layout(LANEPOOL_LAYOUT_NCHW)
                .Kernel({along_h, taps})
                .Dilations({gap, 1})
                .Pads({above, before, (along_h - 1) * gap - above, taps - 1 - before})
                .Type(random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}))
                .Scales(0.0235f, random.Pick({0, 1}) == 0 ? 0.0235f : 0.0187f)
                .ZeroPoints(7, 9);
        if (random.Pick({0, 1}) == 1) params.Include();
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, support::Data::kUniform}, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// Averages of bytes in windows with all their taps along W: rows of less than a vector and of
// several, planes that go on in the next ones and planes with pads along H.
TEST(Guard, WholeFlatRows) {
  for (const int64_t width : {2,  3,  5,  7,   8,   15,  16,  17,  19,  31,  33,  36,
                              63, 64, 66, 100, 255, 256, 257, 260, 300, 511, 513, 600}) {
    for (const int64_t taps : {1, 2, 3, 4, 5}) {
      if (width < taps) continue;
      const uint64_t seed = static_cast<uint64_t>(width * 8 + taps);
      Random random(seed);
      const int64_t along_h = taps == 1 ? random.Pick({2, 3, 5}) : random.Pick({1, 2, 3, 5});
      const int64_t gap = random.Pick({1, 1, 2}), reach = (along_h - 1) * gap;
      for (const int64_t outputs : {1, random.Pick({2, 3, 4}), 9}) {
        const int64_t above = random.Pick({0, 0, 1}) * reach / 2;
        support::Params params = support::Params(LANEPOOL_OP_AVERAGE, {outputs + reach, width})
                                     .Batch(random.Pick({1, 2}))
                                     .Channels(random.Pick({1, 2, 3, 5, 40}))
                                     .Layout(LANEPOOL_LAYOUT_NCHW)
                                     .Kernel({along_h, taps})
                                     .Dilations({gap, 1})
                                     .Pads({above, 0, above, 0})
                                     .Type(random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}))
                                     .Scales(0.0235f, random.Pick({0, 1}) == 0 ? 0.0235f : 0.0187f)
                                     .ZeroPoints(7, 7);
        if (random.Pick({0, 1}) == 1) params.Include();
        SCOPED_TRACE(support::ParamsText(params));
        CheckCase({params, support::Data::kUniform}, seed);
        if (HasFailure()) return;
      }
    }
  }
}

// Whole windows that step by three and four, in rows of a few vectors and of several tiles.
TEST(Guard, RowsBySteps) {
  for (const int64_t step : {3, 4}) {
    for (int64_t outputs = 1; outputs <= 150 && !HasFailure(); outputs += outputs < 70 ? 1 : 9) {
      const int32_t op = outputs % 2 == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX;
      const int64_t taps = 1 + outputs / 2 % step, along_h = 1 + outputs % 5;
      // Some rows end with their last tap, some later, and some with all that it steps over.
      const int64_t rest = outputs / 3 % (step - taps + 1);
      const support::Params params = support::Params(op, {along_h + 3, outputs * step - rest})
                                         .Channels(2)
                                         .Layout(LANEPOOL_LAYOUT_NCHW)
                                         .Kernel({along_h, taps})
                                         .Strides({1 + outputs % 2, step});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, static_cast<uint64_t>(outputs));
    }
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      for (const int64_t rest : {0, 2}) {
        const support::Params params = support::Params(op, {step * 1000 - rest})
                                           .Channels(2)
                                           .Layout(LANEPOOL_LAYOUT_NCHW)
                                           .Kernel({step - rest})
                                           .Strides({step});
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, static_cast<uint64_t>(step));
      }
    }
  }
}

// Positions of one channel that step by 5 and more, as pixels do; long rows too, in blocks where
// those fit.
TEST(Guard, StepsFar) {
  for (const int64_t step : {5, 6, 7, 8, 11, 20}) {
    for (int64_t outputs = 8; outputs <= 150 && !HasFailure(); outputs += outputs < 40 ? 3 : 23) {
      const uint64_t seed = static_cast<uint64_t>(outputs * 64 + step);
      Random random(seed);
      const int32_t op = random.Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX});
      const int64_t taps = (step + 1) / 2 + random.Pick({0, 1, 3}),
                    along_h = random.Pick({1, 2, 4});
      const int64_t before = taps * random.Pick({0, 0, 1}) / 2, after = random.Pick({0, 1, 2});
      const int64_t width = (outputs - 1) * step + taps - before + random.Pick({0, 1});
      support::Params params = support::Params(op, {along_h + 4, width})
                                   .Channels(random.Pick({1, 3}))
                                   .Layout(LANEPOOL_LAYOUT_NCHW)
                                   .Kernel({along_h, taps})
                                   .Strides({random.Pick({1, 2}), step})
                                   .Pads({0, before, along_h / 2, after});
      if (random.Pick({0, 1}) == 1) params.Include();
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, seed);
      CheckCase({params, support::Data::kNans}, seed);
    }
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      const support::Params params = support::Params(op, {step * 300})
                                         .Channels(2)
                                         .Layout(LANEPOOL_LAYOUT_NCHW)
                                         .Kernel({step / 2 + 2})
                                         .Strides({step});
      SCOPED_TRACE(support::ParamsText(params));
      CheckTypes(params, static_cast<uint64_t>(step));
    }
  }
}

// Calls that are one small job of planes or of pixels of few channels, whose windows are all whole.
TEST(Guard, SmallCalls) {
  for (const int64_t taps : {1, 2, 3}) {
    for (const int64_t stride : {1, 2}) {
      for (const int64_t width : {3, 4, 6, 7, 8, 11, 16, 17, 33}) {
        for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
          const uint64_t seed = static_cast<uint64_t>(taps * 256 + stride * 64 + width);
          Random random(seed);
          for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
            const support::Params floats = support::Params(op, {random.Pick({3, 5, 8, 9}), width})
                                               .Batch(random.Pick({1, 1, 3}))
                                               .Channels(random.Pick({1, 2, 5, 8, 16}))
                                               .Layout(layout)
                                               .Kernel({random.Pick({2, 3}), taps})
                                               .Strides({random.Pick({1, 2}), stride});
            const support::Params bytes =
                support::Params(floats)
                    .Type(random.Pick({LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8}))
                    .Scales(0.0235f, random.Pick({0, 1}) == 0 ? 0.0235f : 0.0187f)
                    .ZeroPoints(7, 9);
            for (const support::Params& params : {floats, bytes}) {
              SCOPED_TRACE(support::ParamsText(params));
              CheckCase({params, support::Data::kUniform}, seed);
              if (HasFailure()) return;
            }
          }
        }
      }
    }
  }
}

// Small planes of many images, which are walked as planes of one; with gaps between the images,
// too.
TEST(Guard, Images) {
  struct Window {
    int64_t taps, stride, dilation;
  };
  const Window windows[] = {{1, 2, 1}, {2, 1, 1}, {2, 2, 1}, {2, 3, 2}, {3, 1, 1}, {3, 1, 2},
                            {3, 2, 1}, {3, 5, 1}, {4, 2, 1}, {5, 1, 1}, {6, 1, 1}, {7, 3, 1}};
  Random random(20);
  for (int i = 0; i < 480 && !HasFailure(); ++i) {
    const Window& window = windows[i % 12];
    const int64_t width = random.Pick({1, 2, 3, 5, 9, 14, 20, 33}),
                  height = random.Pick({1, 4, 13, 40});
    const int64_t pad = window.taps / 2, channels = random.Pick({1, 2, 3, 7});
    if (std::min(width, height) + 2 * pad < (window.taps - 1) * window.dilation + 1) continue;
    const bool nchw = i / 12 % 2 == 0;
    const support::Params params =
        support::Params(i % 5 < 3 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX, {height, width})
            .Batch(random.Pick({2, 5, 24}))
            .Channels(channels)
            .Layout(nchw ? LANEPOOL_LAYOUT_NCHW : LANEPOOL_LAYOUT_NHWC)
            .Kernel({window.taps, window.taps})
            .Strides({window.stride, window.stride})
            .Dilations({window.dilation, window.dilation})
            .Pads({pad, pad, pad, pad});
    SCOPED_TRACE(support::ParamsText(params));
    CheckTypes(params, static_cast<uint64_t>(i));
    support::Params apart = params;
    if (i % 4 == 0) apart.Type(LANEPOOL_TYPE_UINT8).Scales(0.3f, 0.2f).ZeroPoints(9, 120);
    lanepool_params view = apart;
    const int64_t image = channels * height * width;
    const int64_t strides[][4] = {{image + 3, height * width, width, 1},
                                  {image + 3, 1, width * channels, channels}};
    std::copy_n(strides[nchw ? 0 : 1], 4, view.x_strides);
    CheckCase({view, support::Data::kUniform}, static_cast<uint64_t>(i));
  }
}

// A row of one output steps by more than any tile is long, and stays as it is for the indices.
TEST(Guard, OneOutputOfAStep) {
  for (const int64_t stride : {int64_t{1000}, INT64_MAX / 2}) {
    for (const int64_t kernel : {2, 3}) {
      const support::Params params = support::Params(LANEPOOL_OP_MAX, {7, 9})
                                         .Channels(3)
                                         .Kernel({kernel, kernel})
                                         .Strides({1, stride})
                                         .Index(LANEPOOL_TYPE_INT32);
      CheckCase({params, support::Data::kUniform}, 1);
    }
  }
}

// Planes that are folded along D first: some at a time, and, where they are large, some rows.
TEST(Guard, DeepPlanes) {
  for (const int64_t width : {2, 5, 14, 17, 33, 90, 300}) {
    for (const int64_t depths : {2, 3}) {
      for (const int64_t pad : {0, 1}) {
        const int32_t op = (width + depths + pad) % 2 == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX;
        CheckTypes(support::Params(op, {4, 11, width})
                       .Channels(3)
                       .Layout(LANEPOOL_LAYOUT_NCHW)
                       .Kernel({depths, 3, 2 + pad})
                       .Pads({1, pad, pad, 1, pad, pad}),
                   static_cast<uint64_t>(width));
      }
    }
  }
  // Planes of less than a vector, as many as there is scratch for.
  CheckTypes(support::Params(LANEPOOL_OP_AVERAGE, {3, 3, 4})
                 .Channels(300)
                 .Layout(LANEPOOL_LAYOUT_NCHW)
                 .Kernel({2, 2, 2}),
             1);
}

// Planes that are one window each, of few elements and more; windows of one row beside each other;
// and windows of several planes.
TEST(Guard, ShortRuns) {
  for (int64_t length = 1; length <= 70 && !HasFailure(); ++length) {
    for (const int64_t channels : {5, 8, 19}) {
      const int32_t op = (length + channels) % 2 == 0 ? LANEPOOL_OP_AVERAGE : LANEPOOL_OP_MAX;
      const support::Params planes = support::Params(op, {length})
                                         .Channels(channels)
                                         .Layout(LANEPOOL_LAYOUT_NCHW)
                                         .Kernel({length});
      CheckTypes(planes, static_cast<uint64_t>(length * channels));
      const support::Params row = support::Params(op, {(length + 1) * channels})
                                      .Channels(1)
                                      .Layout(LANEPOOL_LAYOUT_NCHW)
                                      .Kernel({length})
                                      .Strides({length + 1});
      CheckTypes(row, static_cast<uint64_t>(length * channels));
      if (length < 45) continue;
      const support::Params rows = support::Params(op, {3, 2, length})
                                       .Channels(channels)
                                       .Layout(LANEPOOL_LAYOUT_NCHW)
                                       .Kernel({2, 2, length});
      CheckTypes(rows, static_cast<uint64_t>(length * channels));
    }
  }
}

// Strides that lead far out of what was read of a row.
TEST(Guard, EveryStride) {
  for (int64_t stride = 1; stride <= 2100 && !HasFailure(); stride += 1 + stride / 12) {
    for (const int64_t windows : {1, 2, 3}) {
      for (const int32_t layout : {LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC}) {
        const support::Params params = Max({2 + (windows - 1) * stride})
                                           .Channels(3)
                                           .Layout(layout)
                                           .Kernel({2})
                                           .Strides({stride});
        SCOPED_TRACE(support::ParamsText(params));
        CheckTypes(params, 1);
      }
    }
  }
}

RandomCase AnyCase(Random* random) {
  if (random->Percent(50)) return support::MakeAnyCase(random);
  return random->Percent(50) ? support::MakeQuantizedCase(random) : support::MakeRandomCase(random);
}

// y may be larger than needed; the rest belongs to the caller.
TEST(Guard, BytesBehindY) {
  for (int64_t i = 0; i < support::CaseCount(600) / 2 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 49979687);
    const RandomCase item = AnyCase(&random);
    SCOPED_TRACE(item.Text());
    const lanepool_desc desc = support::Plan(item.params).desc;
    Buffers buffers(desc, static_cast<size_t>(8 * random.Between(1, 300)), Placement::kPageEnd);
    buffers.Fill(MakeInputs(item, &random), support::MakeTable(desc, item.arrays));
    ASSERT_EQ(buffers.Run(desc), LANEPOOL_OK);
    const oracle::Tensor y = oracle::TensorOfY(item.params, oracle::ResolveShape(item.params));
    EXPECT_FALSE(IsGapWritten(Buffers::BytesOf(buffers.y), y));
    EXPECT_TRUE(buffers.y.IsIntact());
  }
}

// The arguments of a call on guarded buffers, to be spoilt one by one.
struct Call {
  const lanepool_desc& desc;
  const support::Table& table;
  const void* x;
  size_t x_bytes;
  void* y;
  size_t y_bytes;
  void* index;
  size_t index_bytes;
  void* workspace;
  size_t workspace_bytes;
  int64_t begin = 0;
  int64_t end = desc.work_items;

  int32_t Run() const {
    return lanepool_run_table(&desc, table.data(), table.size() * sizeof(uint64_t), x, x_bytes, y,
                              y_bytes, index, index_bytes, workspace, workspace_bytes, begin, end);
  }
};

using Spoil = void (*)(Call*);

void ExpectFailure(Call call, Spoil spoil, int32_t status) {
  spoil(&call);
  EXPECT_STREQ(lanepool_status_name(call.Run()), lanepool_status_name(status));
}

// A call that fails writes nothing, and touches no buffer that is too small.
TEST(Guard, FailedCallsWriteNothing) {
  for (int64_t i = 0; i < support::CaseCount(600) / 4 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 32452843);
    const RandomCase item = AnyCase(&random);
    SCOPED_TRACE(item.Text());
    const lanepool_desc desc = support::Plan(item.params).desc;
    Buffers buffers(desc, 0, Placement::kPageEnd);
    const support::Table table = support::MakeTable(desc, item.arrays);
    const Call good = {desc,
                       table,
                       buffers.x.data(),
                       buffers.x.size(),
                       buffers.y.data(),
                       buffers.y.size(),
                       buffers.Index(),
                       buffers.index.size(),
                       buffers.workspace.data(),
                       buffers.workspace.size()};
    support::SetCrashNote("failing calls: " + item.Text());
    ExpectFailure(good, [](Call* call) { call->x = nullptr; }, LANEPOOL_NULL);
    ExpectFailure(good, [](Call* call) { call->y = nullptr; }, LANEPOOL_NULL);
    ExpectFailure(good, [](Call* call) { call->x_bytes -= 1; }, LANEPOOL_X_SIZE);
    ExpectFailure(good, [](Call* call) { call->y_bytes -= 1; }, LANEPOOL_Y_SIZE);
    if (desc.index_bytes > 0) {
      ExpectFailure(good, [](Call* call) { call->index = nullptr; }, LANEPOOL_NULL);
      ExpectFailure(good, [](Call* call) { call->index_bytes -= 1; }, LANEPOOL_INDEX_SIZE);
    }
    ExpectFailure(good, [](Call* call) { call->begin = -1; }, LANEPOOL_RANGE);
    ExpectFailure(good, [](Call* call) { call->end += 1; }, LANEPOOL_RANGE);
    ExpectFailure(
        good,
        [](Call* call) {
          call->begin = 1;
          call->end = 0;
        },
        LANEPOOL_RANGE);
    EXPECT_TRUE(IsUntouched(buffers.y));
    EXPECT_TRUE(IsUntouched(buffers.index));
    EXPECT_TRUE(buffers.AreIntact());
  }
}

}  // namespace
