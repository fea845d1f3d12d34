// No byte outside the buffers is read or written, nor a gap of a strided y. Buffers lie against
// pages that end the process when touched; x is write-protected; what was going on is then on
// stderr. LANEPOOL_CASES makes more cases, LANEPOOL_SEED others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "oracle/oracle.h"
#include "support/check_job.h"
#include "support/crash_note.h"
#include "support/fill.h"
#include "support/guard_buffer.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random_case.h"
#include "support/targets.h"

namespace {

using support::GuardBuffer;
using support::Max;
using support::Placement;
using support::Random;
using support::RandomCase;

constexpr unsigned char kGap = 0xB6;

// Which bytes of y belong to an output.
std::vector<bool> OutputBytes(const lanepool_params& params, size_t y_bytes) {
  const oracle::Tensor y = oracle::TensorOfY(params, oracle::ResolveShape(params));
  std::vector<bool> used(y_bytes);
  int64_t outputs = 1;
  for (const int64_t size : y.sizes) outputs *= size;
  for (int64_t i = 0; i < outputs; ++i) {
    int64_t rest = i;
    int64_t offset = 0;
    for (int axis = 4; axis >= 0; --axis) {
      offset += rest % y.sizes[axis] * y.strides[axis];
      rest /= y.sizes[axis];
    }
    for (int64_t byte = 0; byte < y.element_bytes; ++byte) {
      used[static_cast<size_t>(offset * y.element_bytes + byte)] = true;
    }
  }
  return used;
}

int64_t WrittenGaps(const GuardBuffer& y, const std::vector<bool>& used) {
  const auto* const bytes = static_cast<const unsigned char*>(y.data());
  int64_t written = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    const bool gap = i >= used.size() || !used[i];
    if (gap && bytes[i] != kGap) ++written;
  }
  return written;
}

// The buffers of one call, all with the same placement. x and the table cannot be written.
struct Buffers {
  GuardBuffer x, y, workspace, table;

  Buffers(const lanepool_desc& desc, size_t more_y_bytes, Placement placement)
      : x(static_cast<size_t>(desc.x_bytes), placement),
        y(static_cast<size_t>(desc.y_bytes) + more_y_bytes, placement),
        workspace(static_cast<size_t>(desc.workspace_bytes), placement),
        table(static_cast<size_t>(desc.table_bytes), placement) {
    std::memset(y.data(), kGap, y.size());
  }

  void FillInputs(const lanepool_desc& desc, const RandomCase& item, uint64_t seed) {
    Random random(seed);
    const support::Bytes bytes = support::MakeX(&random, item);
    std::memcpy(x.data(), bytes.data(), x.size());
    x.MakeReadOnly();
    const support::Table entries = support::MakeTable(desc, item.arrays);
    if (!entries.empty()) std::memcpy(table.data(), entries.data(), table.size());
    table.MakeReadOnly();
  }

  int32_t RunRange(const lanepool_desc& desc, int64_t begin, int64_t end) {
    return lanepool_run_table(&desc, table.size() == 0 ? nullptr : table.data(), table.size(),
                              x.data(), x.size(), y.data(), y.size(), nullptr, 0, workspace.data(),
                              workspace.size(), begin, end);
  }

  int32_t Run(const lanepool_desc& desc) {
    if (table.size() != 0) return RunRange(desc, 0, desc.work_items);
    return lanepool_run(&desc, x.data(), x.size(), y.data(), y.size(), nullptr, 0, workspace.data(),
                        workspace.size());
  }

  // Ranges of one work item, from the last to the first.
  int32_t RunItems(const lanepool_desc& desc) {
    int32_t status = LANEPOOL_OK;
    for (int64_t i = desc.work_items; i-- > 0 && status == LANEPOOL_OK;) {
      status = RunRange(desc, i, i + 1);
    }
    return status;
  }
};

void CheckCase(const RandomCase& item, uint64_t seed) {
  static const std::vector<support::Target> targets = support::SupportedTargets();
  for (const support::Target& target : targets) {
    const support::Planned planned = support::Plan(item.params, target.mask);
    ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
    const lanepool_desc& desc = planned.desc;
    const std::vector<bool> used = OutputBytes(item.params, static_cast<size_t>(desc.y_bytes));
    for (const Placement placement : {Placement::kPageEnd, Placement::kPageStart}) {
      const bool at_end = placement == Placement::kPageEnd;
      SCOPED_TRACE(target.name + (at_end ? " at the end of a page" : " at the start of a page"));
      support::SetCrashNote(target.name + (at_end ? " end: " : " start: ") + item.Text());
      Buffers buffers(desc, 0, placement);
      buffers.FillInputs(desc, item, seed);
      ASSERT_EQ(buffers.Run(desc), LANEPOOL_OK);
      ASSERT_EQ(WrittenGaps(buffers.y, used), 0);
      ASSERT_TRUE(buffers.x.IsIntact() && buffers.y.IsIntact() && buffers.workspace.IsIntact() &&
                  buffers.table.IsIntact());
      ASSERT_EQ(buffers.RunItems(desc), LANEPOOL_OK);
      std::string why;
      const bool best = target.mask == targets[0].mask;
      ASSERT_TRUE(!best || oracle::Agrees(item.params, buffers.x.data(), buffers.y.data(), &why,
                                          item.arrays))
          << why;
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

TEST(Guard, WideWindows) {
  CheckCases(support::MakeWideRandomCase, support::CaseCount(600) / 3, 4256233);
}

// The same job on floats and on bytes: a maximum that passes as it is, averages that are rounded.
void CheckTypes(const support::Params& params, uint64_t seed) {
  CheckCase({params, support::Data::kUniform}, seed);
  const support::Params bytes =
      support::Params(params).Type(LANEPOOL_TYPE_UINT8).Scales(0.3f, 0.3f).ZeroPoints(7, 7);
  CheckCase({bytes, support::Data::kUniform}, seed);
}

// Rows and pixels of every length up to a few vectors, ended by the end of the buffer.
TEST(Guard, EveryTail) {
  for (int64_t size = 1; size <= 140 && !HasFailure(); ++size) {
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      for (const int64_t stride : {1, 2, 3}) {
        const support::Params::List kernel = {2, 3};
        const support::Params row = support::Params(op, {3, size})
                                        .Layout(LANEPOOL_LAYOUT_NCHW)
                                        .Kernel(kernel)
                                        .Strides({1, stride})
                                        .Pads({0, 1, 0, 1});
        const support::Params pixels =
            support::Params(op, {3, 4}).Channels(size).Kernel(kernel).Strides({1, stride});
        CheckTypes(row, static_cast<uint64_t>(size));
        CheckTypes(pixels, static_cast<uint64_t>(size));
      }
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
  return random->Percent(50) ? support::MakeQuantizedCase(random) : support::MakeRandomCase(random);
}

// y may be larger than needed; the rest belongs to the caller.
TEST(Guard, BytesBehindY) {
  for (int64_t i = 0; i < support::CaseCount(600) / 2 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 49979687);
    const RandomCase item = AnyCase(&random);
    SCOPED_TRACE(item.Text());
    const lanepool_desc desc = support::Plan(item.params).desc;
    Buffers buffers(desc, static_cast<size_t>(4 * random.Between(1, 300)), Placement::kPageEnd);
    buffers.FillInputs(desc, item, random.Bits());
    ASSERT_EQ(buffers.Run(desc), LANEPOOL_OK);
    const std::vector<bool> used = OutputBytes(item.params, static_cast<size_t>(desc.y_bytes));
    EXPECT_EQ(WrittenGaps(buffers.y, used), 0);
    EXPECT_TRUE(buffers.y.IsIntact());
  }
}

// A call that fails writes nothing, and touches no buffer that is too small.
TEST(Guard, FailedCallsWriteNothing) {
  for (int64_t i = 0; i < support::CaseCount(600) / 4 && !HasFailure(); ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 32452843);
    const RandomCase item = AnyCase(&random);
    SCOPED_TRACE(item.Text());
    const lanepool_desc desc = support::Plan(item.params).desc;
    Buffers buffers(desc, 0, Placement::kPageEnd);
    const void* const x = buffers.x.data();
    void* const y = buffers.y.data();
    const size_t x_bytes = buffers.x.size();
    const size_t y_bytes = buffers.y.size();
    void* const work = buffers.workspace.data();
    const size_t work_bytes = buffers.workspace.size();
    const support::Table table = support::MakeTable(desc, item.arrays);
    const size_t table_bytes = table.size() * sizeof(uint64_t);
    const auto run = [&](const void* from, size_t from_bytes, void* to, size_t to_bytes) {
      return lanepool_run_table(&desc, table.data(), table_bytes, from, from_bytes, to, to_bytes,
                                nullptr, 0, work, work_bytes, 0, desc.work_items);
    };
    const auto range = [&](int64_t begin, int64_t end) {
      return lanepool_run_table(&desc, table.data(), table_bytes, x, x_bytes, y, y_bytes, nullptr,
                                0, work, work_bytes, begin, end);
    };
    support::SetCrashNote("failing calls: " + item.Text());
    EXPECT_EQ(run(nullptr, x_bytes, y, y_bytes), LANEPOOL_NULL);
    EXPECT_EQ(run(x, x_bytes, nullptr, y_bytes), LANEPOOL_NULL);
    EXPECT_EQ(run(static_cast<const char*>(x) + 1, x_bytes - 1, y, y_bytes), LANEPOOL_X_SIZE);
    EXPECT_EQ(run(x, x_bytes, static_cast<char*>(y) + 1, y_bytes - 1), LANEPOOL_Y_SIZE);
    EXPECT_EQ(range(-1, 0), LANEPOOL_RANGE);
    EXPECT_EQ(range(0, desc.work_items + 1), LANEPOOL_RANGE);
    EXPECT_EQ(range(1, 0), LANEPOOL_RANGE);
    EXPECT_EQ(WrittenGaps(buffers.y, {}), 0);
    EXPECT_TRUE(buffers.y.IsIntact() && buffers.workspace.IsIntact());
  }
}

}  // namespace
