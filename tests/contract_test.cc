// What a call costs beside time: no allocation, no system call, a bounded piece of stack. Random
// jobs of every kind on every instruction set. A child process that may do nothing but read, write
// and exit makes the calls; the kernel ends it at the first other system call. LANEPOOL_CASES makes
// more jobs, LANEPOOL_SEED others.
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/any_case.h"
#include "support/job.h"
#include "support/random_case.h"
#include "support/run_job.h"
#include "support/targets.h"

// Sanitizers make calls of their own and replace malloc themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LANEPOOL_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define LANEPOOL_SANITIZED 1
#endif
#endif
#ifndef LANEPOOL_SANITIZED
#define LANEPOOL_SANITIZED 0
#endif

namespace {
volatile int64_t allocations = 0;
}

#if !LANEPOOL_SANITIZED
// Allocations of this process are counted on their way to the C library.
extern "C" {
void* __libc_malloc(size_t bytes);                  // NOLINT: their names in glibc
void* __libc_calloc(size_t count, size_t bytes);    // NOLINT
void* __libc_realloc(void* old, size_t bytes);      // NOLINT
void* __libc_memalign(size_t alignment, size_t n);  // NOLINT

void* malloc(size_t bytes) {
  allocations = allocations + 1;
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  allocations = allocations + 1;
  return __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) {
  allocations = allocations + 1;
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  allocations = allocations + 1;
  return __libc_memalign(alignment, bytes);
}
}
#endif

namespace {

using support::Bytes;
using support::Random;
using support::RandomCase;

constexpr int64_t kUsualCases = 1500;
constexpr size_t kMostStack = 16 * 1024;  // what lanepool.h says

// A job with all it needs.
struct Call {
  lanepool_params params;
  support::Planned planned;
  support::Table table;
  Bytes x, y, index, workspace;
  std::string text;

  // Plans, checks and runs once more: whole, and in two ranges. The first status that is not OK.
  int32_t Repeat() {
    if (const int32_t status = Plan()) return status;
    if (const int32_t status = Check()) return status;
    const lanepool_desc& desc = planned.desc;
    const int64_t half = desc.work_items / 2;
    if (const int32_t status = RunRange(0, half)) return status;
    if (const int32_t status = RunRange(half, desc.work_items)) return status;
    return table.empty() ? Run() : LANEPOOL_OK;
  }
  int32_t Plan() { return lanepool_plan(&params, &planned.desc, &planned.error); }
  int32_t Check() const {
    lanepool_error error;
    return lanepool_desc_check(&planned.desc, sizeof planned.desc, &error);
  }
  int32_t Run() {
    return lanepool_run(&planned.desc, x.data(), x.size(), y.data(), y.size(), Index(),
                        index.size(), workspace.data(), workspace.size());
  }
  int32_t RunRange(int64_t begin, int64_t end) {
    return lanepool_run_table(&planned.desc, table.empty() ? nullptr : table.data(),
                              table.size() * sizeof(uint64_t), x.data(), x.size(), y.data(),
                              y.size(), Index(), index.size(), workspace.data(), workspace.size(),
                              begin, end);
  }
  void* Index() { return index.empty() ? nullptr : index.data(); }
};

RandomCase CaseAt(int64_t i, Random* random) {
  if (i % 8 == 0) return support::MakeWideRandomCase(random);
  if (i % 8 == 1) return support::MakeApartRandomCase(random);
  return i % 4 == 2 ? support::MakeQuantizedCase(random) : support::MakeAnyCase(random);
}

// Those with most on the stack: rings of rows, planes that are folded along D first, pixels of many
// channels.
std::vector<RandomCase> DeepestCases() {
  std::vector<RandomCase> cases;
  for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
    for (const int32_t type : {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_DOUBLE, LANEPOOL_TYPE_FLOAT16,
                               LANEPOOL_TYPE_BFLOAT16, LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT16}) {
      support::Params ring(op, {9, 30});
      ring.Type(type).Channels(333).Kernel({3, 3}).Pads({1, 1, 1, 1});
      support::Params planes(op, {4, 15, 15});
      planes.Type(type).Layout(LANEPOOL_LAYOUT_NCHW).Channels(7).Kernel({3, 3, 3});
      support::Params wide = ring;
      wide.Kernel({5, 5}).Pads({2, 2, 2, 2});
      support::Params pixels = ring;
      pixels.Channels(2048).Strides({2, 2});
      for (support::Params* params : {&ring, &wide, &pixels, &planes.Pads({1, 1, 1, 1, 1, 1})}) {
        if (type == LANEPOOL_TYPE_UINT8) params->Scales(0.3f, 0.3f).ZeroPoints(7, 7);
        cases.push_back({*params, support::Data::kUniform});
        if (type != LANEPOOL_TYPE_UINT8) continue;
        // Results of another type are staged, those of scales far apart have no formula.
        params->Scales(0.3f, 0.21f);
        cases.push_back({*params, support::Data::kUniform});
        params->Types(type, LANEPOOL_TYPE_FLOAT).ZeroPoints(7, 0);
        cases.push_back({*params, support::Data::kUniform});
        params->Types(LANEPOOL_TYPE_FLOAT, type).ZeroPoints(0, 7);
        cases.push_back({*params, support::Data::kUniform});
        params->Type(type).Scales(9e-44f, 5e-41f);
        cases.push_back({*params, support::Data::kUniform});
      }
    }
  }
  // Tables for each position of a small plane.
  support::Params small(LANEPOOL_OP_AVERAGE, {35, 2});
  small.Type(LANEPOOL_TYPE_UINT8).Layout(LANEPOOL_LAYOUT_NCHW).Channels(70).Kernel({3, 3});
  small.Pads({1, 1, 1, 1}).Scales(0.0286083296f, 0.457733274f).ZeroPoints(245, 113);
  cases.push_back({small, support::Data::kUniform});
  // Rows in packs, where blocks would divide.
  support::Params packs(LANEPOOL_OP_AVERAGE, {44, 6});
  packs.Types(LANEPOOL_TYPE_INT8, LANEPOOL_TYPE_UINT8).Layout(LANEPOOL_LAYOUT_NCHW).Channels(28);
  packs.Kernel({2, 5}).Strides({9, 1}).AutoPad(LANEPOOL_AUTO_PAD_SAME_LOWER);
  packs.Scales(0.159611583f, 0.186486855f).ZeroPoints(52, 127);
  cases.push_back({packs, support::Data::kUniform});
  // Outputs that are picked, of planes that are folded along D first, for a stage.
  support::Params picked(LANEPOOL_OP_AVERAGE, {37, 5, 3});
  picked.Types(LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_INT8).Channels(4).Kernel({3, 3, 3});
  picked.Strides({2, 2, 2}).AutoPad(LANEPOOL_AUTO_PAD_SAME_LOWER).Ceil();
  picked.Scales(0.116315775f, 0.0615447983f).ZeroPoints(0, -127);
  cases.push_back({picked, support::Data::kUniform});
  // A ring of windows that lack taps at every side.
  support::Params ring(LANEPOOL_OP_AVERAGE, {19, 11});
  ring.Type(LANEPOOL_TYPE_INT8).Batch(3).Channels(71).Kernel({2, 2}).Dilations({2, 2});
  ring.Pads({1, 1, 1, 2}).Scales(9.24856986e-44f, 5.35590286e-41f).ZeroPoints(-127, -127);
  cases.push_back({ring, support::Data::kUniform});
  // Rows that are chained, of one row of taps and of several.
  for (const int32_t type : {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_UINT8}) {
    for (const int32_t op : {LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX}) {
      support::Params row(op, {22});
      row.Type(type).Layout(LANEPOOL_LAYOUT_NCHW).Channels(300).Kernel({7}).Pads({3, 3});
      support::Params planes(op, {20, 35});
      planes.Type(type).Layout(LANEPOOL_LAYOUT_NCHW).Channels(32).Kernel({5, 5});
      for (support::Params* params : {&row, &planes.Pads({2, 2, 2, 2})}) {
        if (type == LANEPOOL_TYPE_UINT8) params->Scales(0.3f, 0.3f).ZeroPoints(7, 7);
        cases.push_back({*params, support::Data::kUniform});
      }
    }
  }
  return cases;
}

std::vector<Call> MakeCalls(const support::Target& target, int64_t count) {
  const std::vector<RandomCase> deepest = DeepestCases();
  std::vector<Call> calls;
  for (int64_t i = 0; i < count; ++i) {
    Random random(support::FirstSeed() + static_cast<uint64_t>(i) * 15485863);
    const size_t place = static_cast<size_t>(i);
    const RandomCase item = place < deepest.size() ? deepest[place] : CaseAt(i, &random);
    Call call = {};
    call.params = item.params;
    call.params.target_mask = target.mask;
    call.planned = support::Plan(call.params);
    EXPECT_EQ(call.planned.status, LANEPOOL_OK) << item.Text();
    call.table = support::MakeTable(call.planned.desc, item.arrays);
    call.x = support::MakeX(&random, item);
    call.y.resize(static_cast<size_t>(call.planned.desc.y_bytes));
    call.index = support::MakeIndex(&random, item.params);
    call.index.resize(static_cast<size_t>(call.planned.desc.index_bytes));
    call.workspace.resize(static_cast<size_t>(call.planned.desc.workspace_bytes));
    call.text = target.name + ": " + item.Text();
    calls.push_back(std::move(call));
  }
  return calls;
}

struct Report {
  int64_t calls;
  int64_t allocations;
  int32_t status;
};

// Runs `work` in a child that may only read, write and exit. False: the machine has no such thing.
bool RunConfined(const std::function<Report()>& work, Report* report, bool* killed) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) syscall(SYS_exit, 2);
    const Report result = work();
    const ssize_t written = write(ends[1], &result, sizeof result);
    syscall(SYS_exit, written == sizeof result ? 0 : 3);
  }
  close(ends[1]);
  const ssize_t got = read(ends[0], report, sizeof *report);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  *killed = WIFSIGNALED(status);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) return false;
  EXPECT_TRUE(*killed || got == static_cast<ssize_t>(sizeof *report));
  return true;
}

constexpr const char* kNotHere = "sanitizers take part in calls, or there is no strict seccomp";

// The child is really watched.
TEST(Contract, SystemCallsAndAllocationsAreNoticed) {
  if (LANEPOOL_SANITIZED) GTEST_SKIP() << kNotHere;
  Report report = {};
  bool killed = false;
  const auto ask = [] {
    syscall(SYS_getpid);
    return Report();
  };
  if (!RunConfined(ask, &report, &killed)) GTEST_SKIP() << kNotHere;
  EXPECT_TRUE(killed);
  const auto allocate = [] {
    const int64_t before = allocations;
    std::unique_ptr<volatile char> byte(new volatile char(1));
    return Report{1, allocations - before, LANEPOOL_OK};
  };
  ASSERT_TRUE(RunConfined(allocate, &report, &killed));
  EXPECT_FALSE(killed);
  EXPECT_EQ(report.allocations, 1);
}

TEST(Contract, NoAllocationAndNoSystemCall) {
  if (LANEPOOL_SANITIZED) GTEST_SKIP() << kNotHere;
  for (const support::Target& target : support::SupportedTargets()) {
    std::vector<Call> calls = MakeCalls(target, support::CaseCount(kUsualCases));
    const auto work = [&calls] {
      Report report = {};
      const int64_t before = allocations;
      for (Call& call : calls) {
        report.status = call.Repeat();
        if (report.status != LANEPOOL_OK) break;
        ++report.calls;
      }
      report.allocations = allocations - before;
      return report;
    };
    Report report = {};
    bool killed = false;
    if (!RunConfined(work, &report, &killed)) GTEST_SKIP() << kNotHere;
    ASSERT_FALSE(killed) << target.name << ": a system call";
    EXPECT_STREQ(lanepool_status_name(report.status), lanepool_status_name(LANEPOOL_OK));
    EXPECT_EQ(report.calls, static_cast<int64_t>(calls.size()));
    EXPECT_EQ(report.allocations, 0) << target.name;
  }
}

// Runs work on a stack of its own and says how deep it went.
class PaintedStack {
 public:
  PaintedStack() : stack_(kBytes) {}

  size_t DepthOf(const std::function<void()>& work) {
    std::memset(stack_.data(), kPaint, stack_.size());
    getcontext(&there_);
    there_.uc_stack.ss_sp = stack_.data();
    there_.uc_stack.ss_size = stack_.size();
    there_.uc_link = &here_;
    work_ = &work;
    current_ = this;
    makecontext(&there_, &PaintedStack::Enter, 0);
    swapcontext(&here_, &there_);
    const auto touched =
        std::find_if(stack_.begin(), stack_.end(), [](unsigned char c) { return c != kPaint; });
    return static_cast<size_t>(stack_.end() - touched);
  }

 private:
  static constexpr size_t kBytes = 1 << 18;
  static constexpr unsigned char kPaint = 0xA5;

  static void Enter() { (*current_->work_)(); }

  static PaintedStack* current_;
  const std::function<void()>* work_ = nullptr;
  std::vector<unsigned char> stack_;
  ucontext_t here_, there_;
};
PaintedStack* PaintedStack::current_ = nullptr;

TEST(Contract, StackIsBounded) {
  if (LANEPOOL_SANITIZED) GTEST_SKIP() << kNotHere;
  PaintedStack stack;
  const size_t none = stack.DepthOf([] {});
  EXPECT_GE(stack.DepthOf([] {
    volatile char bytes[5000];
    for (volatile char& byte : bytes) byte = 1;
  }),
            none + 5000);
  for (const support::Target& target : support::SupportedTargets()) {
    size_t plan = 0, run = 0;
    std::string plan_text, run_text;
    for (Call& call : MakeCalls(target, support::CaseCount(kUsualCases))) {
      const size_t planning = stack.DepthOf([&call] {
        call.Plan();
        call.Check();
      });
      const size_t running =
          stack.DepthOf([&call] { call.RunRange(0, call.planned.desc.work_items); });
      if (planning > plan) plan = planning, plan_text = call.text;
      if (running > run) run = running, run_text = call.text;
    }
    std::printf("%s: a plan takes %zu bytes of stack at most, a run %zu: %s\n", target.name.c_str(),
                plan - none, run - none, run_text.c_str());
    EXPECT_LE(plan - none, kMostStack) << plan_text;
    EXPECT_LE(run - none, kMostStack) << run_text;
  }
}

}  // namespace
