// The index buffer of a call: statuses, sizes, alignment, overlap. What is in it is in
// cases_test.cc, kinds_test.cc and unpool_test.cc.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "lanepool/lanepool.h"
#include "support/job.h"

namespace {

using support::Max;
using support::MaxUnpool;

constexpr int32_t kS32 = LANEPOOL_TYPE_INT32;
constexpr int32_t kS64 = LANEPOOL_TYPE_INT64;

// x, y and index side by side in one block, to be moved onto each other.
struct Call {
  lanepool_desc desc;
  std::vector<int64_t> memory;
  char* x;
  char* y;
  char* index;
  size_t index_bytes;
  std::vector<char> workspace;

  explicit Call(const lanepool_params& params)
      : desc(support::Plan(params).desc),
        memory(static_cast<size_t>(desc.x_bytes + desc.y_bytes + desc.index_bytes) / 8 + 8),
        x(reinterpret_cast<char*>(memory.data())),
        y(x + Aligned(desc.x_bytes)),
        index(y + Aligned(desc.y_bytes)),
        index_bytes(static_cast<size_t>(desc.index_bytes)),
        workspace(static_cast<size_t>(desc.workspace_bytes)) {}

  static int64_t Aligned(int64_t bytes) { return (bytes + 7) / 8 * 8; }

  int32_t Run() const {
    std::vector<char> work = workspace;
    return lanepool_run(&desc, x, static_cast<size_t>(desc.x_bytes), y,
                        static_cast<size_t>(desc.y_bytes), index, index_bytes, work.data(),
                        work.size());
  }
  int32_t Range(int64_t begin, int64_t end) const {
    std::vector<char> work = workspace;
    return lanepool_run_range(&desc, x, static_cast<size_t>(desc.x_bytes), y,
                              static_cast<size_t>(desc.y_bytes), index, index_bytes, work.data(),
                              work.size(), begin, end);
  }
};

// Both ways to run answer alike, and nothing is written.
void ExpectRefused(const Call& call, int32_t status) {
  const std::vector<int64_t> before = call.memory;
  EXPECT_STREQ(lanepool_status_name(call.Run()), lanepool_status_name(status));
  EXPECT_STREQ(lanepool_status_name(call.Range(0, 1)), lanepool_status_name(status));
  EXPECT_EQ(call.memory, before);
}

// A job that writes an index, and one that reads it. The memory is 0: all indices are valid.
std::vector<lanepool_params> Jobs(int32_t index_type) {
  return {Max({6, 8}).Kernel({2, 2}).Index(index_type),
          MaxUnpool({6, 8}).OutputSize({9, 9}).Index(index_type, LANEPOOL_INDEX_PLANE)};
}

TEST(IndexCalls, Sizes) {
  for (const int32_t index_type : {kS32, kS64}) {
    const int64_t element = index_type == kS32 ? 4 : 8;
    const lanepool_desc max = support::Plan(Jobs(index_type)[0]).desc;
    EXPECT_EQ(max.index_bytes, 5 * 7 * element);
    EXPECT_EQ(lanepool_desc_get(&max, LANEPOOL_GET_INDEX_BYTES), max.index_bytes);
    const lanepool_desc unpool = support::Plan(Jobs(index_type)[1]).desc;
    EXPECT_EQ(unpool.index_bytes, 6 * 8 * element);  // the shape of x
  }
}

TEST(IndexCalls, MissingOrSmall) {
  for (const int32_t index_type : {kS32, kS64}) {
    for (const lanepool_params& params : Jobs(index_type)) {
      Call call(params);
      char* const index = call.index;
      EXPECT_EQ(call.Run(), LANEPOOL_OK);
      call.index = nullptr;
      ExpectRefused(call, LANEPOOL_NULL);
      call.index = index;
      call.index_bytes -= 1;
      ExpectRefused(call, LANEPOOL_INDEX_SIZE);
      call.index_bytes = 0;
      ExpectRefused(call, LANEPOOL_INDEX_SIZE);
    }
  }
}

TEST(IndexCalls, Alignment) {
  for (const int32_t index_type : {kS32, kS64}) {
    const int64_t element = index_type == kS32 ? 4 : 8;
    for (const lanepool_params& params : Jobs(index_type)) {
      Call call(params);
      for (int64_t shift = 1; shift < element; ++shift) {
        call.index += 1;
        ExpectRefused(call, LANEPOOL_ALIGNMENT);
      }
      call.index += 1;  // one element
      std::memset(call.memory.data(), 0, call.memory.size() * sizeof(int64_t));
      EXPECT_EQ(call.Run(), LANEPOOL_OK);
    }
  }
}

TEST(IndexCalls, Overlap) {
  for (const int32_t index_type : {kS32, kS64}) {
    for (const lanepool_params& params : Jobs(index_type)) {
      Call call(params);
      char* const index = call.index;
      for (char* const place : {call.x, call.y}) {
        call.index = place;
        ExpectRefused(call, LANEPOOL_OVERLAP);
      }
      call.index = call.y + Call::Aligned(call.desc.y_bytes) - 8;
      ExpectRefused(call, LANEPOOL_OVERLAP);
      call.index = index;
      EXPECT_EQ(call.Run(), LANEPOOL_OK);  // side by side is fine
    }
  }
}

TEST(IndexCalls, NothingToDo) {
  for (const int32_t index_type : {kS32, kS64}) {
    for (const lanepool_params& job : Jobs(index_type)) {
      for (int64_t lanepool_params::* const size :
           {&lanepool_params::batch, &lanepool_params::channels}) {
        lanepool_params params = job;
        params.*size = 0;
        const support::Planned planned = support::Plan(params);
        ASSERT_EQ(planned.status, LANEPOOL_OK);
        EXPECT_EQ(planned.desc.index_bytes, 0);
        EXPECT_EQ(lanepool_run(&planned.desc, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0),
                  LANEPOOL_OK);
      }
    }
  }
}

TEST(IndexCalls, LargerBuffersAreFine) {
  for (const lanepool_params& params : Jobs(kS64)) {
    Call call(params);
    call.memory.back() = -5;
    call.index_bytes += 8;
    EXPECT_EQ(call.Run(), LANEPOOL_OK);
    EXPECT_EQ(call.memory.back(), -5);
  }
}

}  // namespace
