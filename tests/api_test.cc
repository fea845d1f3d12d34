// The functions of lanepool.h around planning and running: presets, sizes of structs, descs that
// are stored, texts, targets, statuses of a run, threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "lanepool/lanepool.h"
#include "oracle/oracle.h"
#include "support/any_case.h"
#include "support/check_job.h"
#include "support/fill.h"
#include "support/guard_buffer.h"
#include "support/job.h"
#include "support/params_text.h"
#include "support/random.h"
#include "support/random_case.h"
#include "support/targets.h"

namespace {

using support::Average;
using support::Max;
using support::Random;

// No struct_size holds it.
constexpr size_t kBeyond32Bits = static_cast<size_t>(uint64_t{UINT32_MAX} + 1);

support::Params Example() {
  return Average({12, 13}).Channels(19).Batch(2).Kernel({3, 3}).Pads({1, 1, 1, 1});
}

std::vector<float> ExampleData(const lanepool_desc& desc) {
  std::vector<float> x(static_cast<size_t>(desc.x_bytes) / sizeof(float));
  Random random(5);
  support::Fill(&random, support::Data::kUniform, x.data(), static_cast<int64_t>(x.size()));
  return x;
}

// The same window on bytes, with scales that have nothing to do with each other.
support::Params QuantizedExample() {
  return Example()
      .Types(LANEPOOL_TYPE_UINT8, LANEPOOL_TYPE_INT8)
      .Scales(0.02f, 0.03f)
      .ZeroPoints(100, -5);
}

// One job of floats, one of bytes, one of anything.
std::vector<support::RandomCase> RandomCases(uint64_t seed) {
  Random random(seed);
  return {support::MakeRandomCase(&random), support::MakeQuantizedCase(&random),
          support::MakeAnyCase(&random)};
}

std::vector<float> Output(const lanepool_desc& desc) {
  return std::vector<float>(static_cast<size_t>(desc.y_bytes) / sizeof(float), -1);
}

// A valid desc whose workspace is not empty.
lanepool_desc DescWithWorkspace() {
  for (uint64_t seed = 1; seed < 2000; ++seed) {
    Random random(seed);
    const support::Planned planned = support::Plan(support::MakeWideRandomCase(&random).params);
    if (planned.status == LANEPOOL_OK && planned.desc.workspace_bytes > 0) return planned.desc;
  }
  ADD_FAILURE() << "no job needs a workspace";
  return {};
}

// --- params_init ---------------------------------------------------------------------------------

TEST(ParamsInit, OnnxDefaults) {
  lanepool_params p;
  std::memset(&p, 0xEE, sizeof p);
  ASSERT_EQ(lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX), LANEPOOL_OK);
  lanepool_params expected;
  std::memset(&expected, 0, sizeof expected);
  expected.struct_size = sizeof expected;
  expected.batch = expected.channels = 1;
  std::fill_n(expected.strides, 3, 1);
  std::fill_n(expected.dilations, 3, 1);
  expected.x_scale = expected.y_scale = 1;
  expected.lp_order = 2;
  EXPECT_EQ(std::memcmp(&p, &expected, sizeof p), 0);
}

TEST(ParamsInit, DialectsPresetPoliciesOnly) {
  const struct {
    int32_t dialect;
    std::function<void(lanepool_params*)> change;
  } dialects[] = {
      {LANEPOOL_DIALECT_ONNX, [](lanepool_params*) {}},
      {LANEPOOL_DIALECT_ORT,
       [](lanepool_params* p) {
         p->rounding = LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT;
         p->oversize_kernel = LANEPOOL_OVERSIZE_TRUNCATE;
       }},
      {LANEPOOL_DIALECT_TORCH,
       [](lanepool_params* p) {
         p->divisor = LANEPOOL_DIVISOR_INCLUDE_PAD;
         p->index_mode = LANEPOOL_INDEX_PLANE;
       }},
      {LANEPOOL_DIALECT_TFLITE,
       [](lanepool_params* p) {
         p->rounding = LANEPOOL_ROUND_HALF_AWAY;
         p->empty_window = LANEPOOL_EMPTY_REJECT;
       }},
      {LANEPOOL_DIALECT_ONEDNN,
       [](lanepool_params* p) { p->empty_window = LANEPOOL_EMPTY_REJECT; }},
  };
  for (const auto& dialect : dialects) {
    lanepool_params expected, p;
    ASSERT_EQ(lanepool_params_init(&expected, sizeof expected, LANEPOOL_DIALECT_ONNX), 0);
    dialect.change(&expected);
    ASSERT_EQ(lanepool_params_init(&p, sizeof p, dialect.dialect), LANEPOOL_OK);
    EXPECT_EQ(std::memcmp(&p, &expected, sizeof p), 0) << "dialect " << dialect.dialect;
  }
}

TEST(ParamsInit, RefusesAndWritesNothing) {
  lanepool_params p;
  std::memset(&p, 0xEE, sizeof p);
  const lanepool_params before = p;
  EXPECT_EQ(lanepool_params_init(nullptr, sizeof p, LANEPOOL_DIALECT_ONNX), LANEPOOL_NULL);
  EXPECT_EQ(lanepool_params_init(&p, sizeof p, -1), LANEPOOL_POLICY);
  EXPECT_EQ(lanepool_params_init(&p, sizeof p, 5), LANEPOOL_POLICY);
  EXPECT_EQ(lanepool_params_init(&p, 0, LANEPOOL_DIALECT_ONNX), LANEPOOL_STRUCT_SIZE);
  EXPECT_EQ(lanepool_params_init(&p, 3, LANEPOOL_DIALECT_ONNX), LANEPOOL_STRUCT_SIZE);
  EXPECT_EQ(lanepool_params_init(&p, sizeof p - 1, LANEPOOL_DIALECT_ONNX), LANEPOOL_STRUCT_SIZE);
  EXPECT_EQ(lanepool_params_init(&p, kBeyond32Bits, LANEPOOL_DIALECT_ONNX), LANEPOOL_STRUCT_SIZE);
  EXPECT_EQ(std::memcmp(&p, &before, sizeof p), 0);
}

TEST(ParamsInit, WhatTheCallerMustSetIsRefused) {
  lanepool_params p;
  ASSERT_EQ(lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX), LANEPOOL_OK);
  EXPECT_NE(support::Plan(p).status, LANEPOOL_OK);
}

// --- struct_size ---------------------------------------------------------------------------------

// Params of a later header: the same, and 64 bytes that this version does not know.
struct LaterParams {
  lanepool_params known;
  unsigned char tail[64];
};

TEST(StructSize, LongerWithZeroTail) {
  LaterParams later;
  std::memset(&later, 0xEE, sizeof later);
  ASSERT_EQ(lanepool_params_init(&later.known, sizeof later, LANEPOOL_DIALECT_ONNX), LANEPOOL_OK);
  EXPECT_EQ(later.known.struct_size, sizeof later);
  EXPECT_EQ(std::count(later.tail, later.tail + sizeof later.tail, 0), 64);
  later.known = Example();
  later.known.struct_size = sizeof later;
  lanepool_desc desc;
  ASSERT_EQ(lanepool_plan(&later.known, &desc, nullptr), LANEPOOL_OK);
  const lanepool_desc plain = support::Plan(Example()).desc;
  EXPECT_EQ(std::memcmp(&desc, &plain, sizeof desc), 0);
}

TEST(StructSize, LongerWithSomethingInTheTail) {
  for (size_t at = 0; at < sizeof LaterParams::tail; ++at) {
    LaterParams later = {};
    later.known = Example();
    later.known.struct_size = sizeof later;
    later.tail[at] = 1;
    lanepool_desc desc;
    lanepool_error error;
    EXPECT_EQ(lanepool_plan(&later.known, &desc, &error), LANEPOOL_STRUCT_SIZE);
    EXPECT_EQ(support::ErrorText(error),
              "struct_size is " + std::to_string(sizeof later) +
                  "; no version has that size with a tail that is not 0");
  }
}

TEST(StructSize, TheLongest) {
  std::vector<unsigned char> bytes(5000);
  const auto plan = [&bytes](uint32_t size) {
    lanepool_params params = Example();
    params.struct_size = size;
    std::memcpy(bytes.data(), &params, sizeof params);
    lanepool_desc desc;
    return lanepool_plan(reinterpret_cast<const lanepool_params*>(bytes.data()), &desc, nullptr);
  };
  EXPECT_EQ(plan(4096), LANEPOOL_OK);
  EXPECT_EQ(plan(4097), LANEPOOL_STRUCT_SIZE);
}

// 472 bytes is the first version: nothing shorter has ever been a lanepool_params.
TEST(StructSize, ShorterThanTheFirstVersion) {
  for (const uint32_t size : {0u, 1u, 4u, 72u, 440u, 471u}) {
    lanepool_params p = Example();
    p.struct_size = size;
    lanepool_desc desc;
    EXPECT_EQ(lanepool_plan(&p, &desc, nullptr), LANEPOOL_STRUCT_SIZE) << size;
  }
}

TEST(StructSize, SizesOfTheLibrary) {
  EXPECT_EQ(lanepool_params_size(), sizeof(lanepool_params));
  EXPECT_EQ(lanepool_desc_size(), sizeof(lanepool_desc));
}

// --- descs ---------------------------------------------------------------------------------------

TEST(Desc, SamePlanSameBytes) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    for (const support::RandomCase& item : RandomCases(seed)) {
      lanepool_desc one, two;
      std::memset(&one, 0x11, sizeof one);
      std::memset(&two, 0x22, sizeof two);
      ASSERT_EQ(lanepool_plan(&item.params, &one, nullptr), LANEPOOL_OK);
      ASSERT_EQ(lanepool_plan(&item.params, &two, nullptr), LANEPOOL_OK);
      ASSERT_EQ(std::memcmp(&one, &two, sizeof one), 0) << item.Text();
    }
  }
}

// Leaves bytes on the stack where the next call has its variables.
__attribute__((noinline)) void SoilStack(unsigned char byte) {
  volatile unsigned char bytes[16384];
  for (volatile unsigned char& at : bytes) at = byte;
}

TEST(Desc, NothingOfTheStackIsInIt) {
  for (const support::Params& params : {Example(), QuantizedExample(), Max({9}).Kernel({3})}) {
    const lanepool_params plain = params;
    lanepool_desc descs[2];
    for (const int i : {0, 1}) {
      SoilStack(i == 0 ? 0x55 : 0xAA);
      ASSERT_EQ(lanepool_plan(&plain, &descs[i], nullptr), LANEPOOL_OK);
    }
    EXPECT_EQ(std::memcmp(&descs[0], &descs[1], sizeof descs[0]), 0);
  }
}

TEST(Desc, CheckAcceptsWhatPlanMade) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    for (const support::RandomCase& item : RandomCases(seed)) {
      const lanepool_desc desc = support::Plan(item.params).desc;
      std::vector<unsigned char> moved(sizeof desc + 1);  // any alignment
      std::memcpy(moved.data() + 1, &desc, sizeof desc);
      lanepool_error error;
      ASSERT_EQ(lanepool_desc_check(moved.data() + 1, sizeof desc, &error), LANEPOOL_OK)
          << support::ErrorText(error) << " " << item.Text();
      ASSERT_EQ(lanepool_desc_check(&desc, sizeof desc, nullptr), LANEPOOL_OK);
    }
  }
}

// Whether these bytes are what lanepool_plan makes of the params inside: another valid desc.
bool IsGenuine(const lanepool_desc& desc) {
  lanepool_params params;
  if (lanepool_desc_params(&desc, &params, sizeof params) != LANEPOOL_OK) return false;
  const support::Planned planned = support::Plan(params);
  return planned.status == LANEPOOL_OK && std::memcmp(&planned.desc, &desc, sizeof desc) == 0;
}

// A changed byte is refused, unless it makes another job of which every byte is right, as when it
// is in a policy that the job does not use. The documented fields follow from the params.
TEST(Desc, CheckRefusesEveryChangedByte) {
  for (const support::Params& example :
       {Example(), Max({40}).Kernel({5}).Strides({2}), QuantizedExample(),
        QuantizedExample().ScaleCounts(19, 0),
        Max({9, 7}).Adaptive({4, 2}).Index(LANEPOOL_TYPE_INT64),
        support::MaxUnpool({5, 6}).Kernel({2, 2}).Strides({2, 2}).Channels(3)}) {
    const lanepool_desc desc = support::Plan(example).desc;
    int refused = 0;
    for (size_t at = 0; at < sizeof desc; ++at) {
      for (const int change : {0x01, 0x80, 0xFF}) {
        lanepool_desc changed = desc;
        reinterpret_cast<unsigned char*>(&changed)[at] ^= static_cast<unsigned char>(change);
        const int32_t status = lanepool_desc_check(&changed, sizeof changed, nullptr);
        refused += status != LANEPOOL_OK ? 1 : 0;
        if (status == LANEPOOL_OK) {
          ASSERT_GE(at, offsetof(lanepool_desc, sealed)) << "byte " << at;
          ASSERT_TRUE(IsGenuine(changed)) << "byte " << at;
        }
      }
    }
    EXPECT_GT(refused, static_cast<int>(2 * sizeof desc));
  }
}

TEST(Desc, CheckRefusesOtherBytes) {
  const lanepool_desc desc = support::Plan(Example()).desc;
  EXPECT_EQ(lanepool_desc_check(nullptr, sizeof desc, nullptr), LANEPOOL_NULL);
  EXPECT_EQ(lanepool_desc_check(&desc, sizeof desc - 1, nullptr), LANEPOOL_DESC);
  EXPECT_EQ(lanepool_desc_check(&desc, 0, nullptr), LANEPOOL_DESC);
  // Of another size, of which nothing is read.
  const support::GuardBuffer few(7, support::Placement::kPageEnd);
  EXPECT_EQ(lanepool_desc_check(few.data(), few.size(), nullptr), LANEPOOL_DESC);
  std::vector<unsigned char> longer(sizeof desc + 8);
  std::memcpy(longer.data(), &desc, sizeof desc);
  EXPECT_EQ(lanepool_desc_check(longer.data(), longer.size(), nullptr), LANEPOOL_DESC);
  lanepool_error error;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    lanepool_desc noise = desc;
    auto* const bytes = reinterpret_cast<unsigned char*>(&noise);
    for (int i = 0; i < 40; ++i) {
      const auto at = static_cast<size_t>(random.Between(8, sizeof noise - 1));
      bytes[at] = static_cast<unsigned char>(random.Bits());
    }
    const int32_t status = lanepool_desc_check(&noise, sizeof noise, &error);
    ASSERT_EQ(error.status, status);
    ASSERT_TRUE(status != LANEPOOL_OK || IsGenuine(noise));
  }
}

// Of params inside that no plan accepts, the report is the plan's; their own size is not believed.
TEST(Desc, CheckPlansTheParamsInside) {
  lanepool_desc desc = support::Plan(Example()).desc;
  lanepool_params inside;
  ASSERT_EQ(lanepool_desc_params(&desc, &inside, sizeof inside), LANEPOOL_OK);
  auto* const bytes = reinterpret_cast<unsigned char*>(&desc);
  const auto* const wanted = reinterpret_cast<const unsigned char*>(&inside);
  unsigned char* const at = std::search(bytes, bytes + sizeof desc, wanted, wanted + sizeof inside);
  ASSERT_NE(at, bytes + sizeof desc);

  lanepool_params spoilt = inside;
  spoilt.kernel[1] = -1;
  std::memcpy(at, &spoilt, sizeof spoilt);
  const support::Planned planned = support::Plan(spoilt);
  ASSERT_EQ(planned.status, LANEPOOL_KERNEL);
  lanepool_error error;
  EXPECT_EQ(lanepool_desc_check(&desc, sizeof desc, &error), LANEPOOL_KERNEL);
  EXPECT_EQ(support::ErrorText(error), support::ErrorText(planned.error));

  spoilt = inside;
  spoilt.struct_size = UINT32_MAX;
  std::memcpy(at, &spoilt, sizeof spoilt);
  EXPECT_EQ(lanepool_desc_check(&desc, sizeof desc, nullptr), LANEPOOL_DESC);
}

TEST(Desc, ParamsRoundTrip) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    for (const support::RandomCase& item : RandomCases(seed)) {
      const lanepool_desc desc = support::Plan(item.params).desc;
      lanepool_params back;
      ASSERT_EQ(lanepool_desc_params(&desc, &back, sizeof back), LANEPOOL_OK);
      ASSERT_EQ(std::memcmp(&back, &item.params, sizeof back), 0) << item.Text();
    }
  }
  const lanepool_desc desc = support::Plan(Example()).desc;
  lanepool_params back;
  EXPECT_EQ(lanepool_desc_params(nullptr, &back, sizeof back), LANEPOOL_NULL);
  EXPECT_EQ(lanepool_desc_params(&desc, nullptr, sizeof back), LANEPOOL_NULL);
  EXPECT_EQ(lanepool_desc_params(&desc, &back, 3), LANEPOOL_STRUCT_SIZE);
  EXPECT_EQ(lanepool_desc_params(&desc, &back, sizeof back - 1), LANEPOOL_STRUCT_SIZE);
  EXPECT_EQ(lanepool_desc_params(&desc, &back, kBeyond32Bits), LANEPOOL_STRUCT_SIZE);
  const lanepool_desc foreign = {};
  EXPECT_EQ(lanepool_desc_params(&foreign, &back, sizeof back), LANEPOOL_DESC);
  LaterParams later;
  std::memset(&later, 0xEE, sizeof later);
  ASSERT_EQ(lanepool_desc_params(&desc, &later.known, sizeof later), LANEPOOL_OK);
  EXPECT_EQ(later.known.struct_size, sizeof later);
  EXPECT_EQ(std::count(later.tail, later.tail + sizeof later.tail, 0), 64);
}

TEST(Desc, Get) {
  const support::Params params =
      Max({20, 21, 22}).Kernel({2, 3, 4}).Strides({2, 3, 1}).Pads({1, 2, 3, 0, 1, 2}).Batch(3);
  const lanepool_desc desc = support::Plan(params).desc;
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_X_BYTES), 20 * 21 * 22 * 3 * 4);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_Y_BYTES), desc.y_bytes);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_INDEX_BYTES), 0);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_WORKSPACE_BYTES), desc.workspace_bytes);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_WORK_ITEMS), desc.work_items);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_ELEMENT_COUNT), desc.y_bytes / 4);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_HAS_EMPTY_WINDOWS), 0);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_RANK), 3);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_TABLE_BYTES), 0);
  const int64_t output[3] = {10, 8, 24};
  const int64_t begins[3] = {1, 2, 3};
  const int64_t ends[3] = {0, 1, 2};
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_OUTPUT + axis), output[axis]);
    EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_PADS_BEGIN + axis), begins[axis]);
    EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_PADS_END + axis), ends[axis]);
  }
  for (const int32_t what : {-1, 9, 15, 19, 23, 27, 1000, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(lanepool_desc_get(&desc, what), -1) << what;
  }
  const lanepool_desc foreign = {};
  EXPECT_EQ(lanepool_desc_get(&foreign, LANEPOOL_GET_RANK), -1);
  EXPECT_EQ(lanepool_desc_get(nullptr, LANEPOOL_GET_RANK), -1);
}

TEST(Desc, TableBytes) {
  EXPECT_EQ(support::Plan(QuantizedExample()).desc.table_bytes, 0);
  const lanepool_desc desc = support::Plan(QuantizedExample().ScaleCounts(0, 19)).desc;
  EXPECT_GT(desc.table_bytes, 0);
  EXPECT_EQ(desc.table_bytes % 8, 0);
  EXPECT_EQ(lanepool_desc_get(&desc, LANEPOOL_GET_TABLE_BYTES), desc.table_bytes);
}

// What the functions around planning say when they refuse, word for word.
TEST(Desc, SentencesOfRefusals) {
  lanepool_error error;
  const auto said = [&error](int32_t status) {
    EXPECT_EQ(error.status, status);
    EXPECT_EQ(error.axis, -1);
    return std::string(lanepool_status_name(status)) + ": " + support::ErrorText(error);
  };
  const lanepool_desc plain = support::Plan(Example()).desc;
  const lanepool_desc scaled = support::Plan(QuantizedExample().ScaleCounts(0, 19)).desc;
  const lanepool_desc foreign = {};
  const std::string not_ours = "it was not made by lanepool_plan of this version";

  lanepool_params params = Example();
  lanepool_desc desc;
  EXPECT_EQ(said(lanepool_plan(nullptr, &desc, &error)),
            "NULL: params is NULL; it must not be NULL");
  EXPECT_EQ(said(lanepool_plan(&params, nullptr, &error)),
            "NULL: desc is NULL; it must not be NULL");
  params.struct_size = 471;
  EXPECT_EQ(said(lanepool_plan(&params, &desc, &error)),
            "STRUCT_SIZE: struct_size is 471; no version has that size with a tail that is not 0");

  const auto check = [&error](const lanepool_desc* bytes, size_t size) {
    return lanepool_desc_check(bytes, size, &error);
  };
  EXPECT_EQ(said(check(nullptr, sizeof plain)), "NULL: desc is NULL; it must not be NULL");
  EXPECT_EQ(said(check(&plain, 7)), "DESC: desc is 7; " + not_ours);
  EXPECT_EQ(said(check(&foreign, sizeof foreign)), "DESC: desc is 2048; " + not_ours);
  lanepool_desc changed = plain;
  changed.y_bytes += 1;
  EXPECT_EQ(said(check(&changed, sizeof changed)), "DESC: desc is 2048; " + not_ours);
  EXPECT_EQ(said(check(&plain, sizeof plain)), "OK: no error");
  EXPECT_EQ(error.field, 0);

  std::vector<uint64_t> table(static_cast<size_t>(scaled.table_bytes) / sizeof(uint64_t) + 1);
  const auto fill = [&error](const lanepool_desc* of, void* to, int64_t bytes) {
    return lanepool_table_init(of, nullptr, nullptr, nullptr, nullptr, to,
                               static_cast<size_t>(bytes), &error);
  };
  const int64_t bytes = scaled.table_bytes;
  EXPECT_EQ(said(fill(nullptr, table.data(), bytes)), "NULL: desc is NULL; it must not be NULL");
  EXPECT_EQ(said(fill(&foreign, table.data(), bytes)), "DESC: desc is 0; " + not_ours);
  EXPECT_EQ(said(fill(&scaled, nullptr, bytes)), "NULL: table is NULL; it must not be NULL");
  EXPECT_EQ(said(fill(&scaled, table.data(), bytes - 1)),
            "TABLE: table_bytes is " + std::to_string(bytes - 1) + "; it must be at least " +
                std::to_string(bytes));
  EXPECT_EQ(said(fill(&scaled, reinterpret_cast<char*>(table.data()) + 3, bytes)),
            "ALIGNMENT: table is 3; its address must be a multiple of 8");
  EXPECT_EQ(said(fill(&scaled, table.data(), bytes)), "OK: no error");
  // A desc without a table needs none, and none is written.
  EXPECT_EQ(said(fill(&plain, nullptr, 0)), "OK: no error");
  const std::vector<uint64_t> before = table;
  EXPECT_EQ(said(fill(&plain, table.data(), bytes)), "OK: no error");
  EXPECT_EQ(table, before);
}

TEST(Desc, UnusedEntriesAreZero) {
  const lanepool_desc desc = support::Plan(Max({9}).Kernel({3}).Pads({1, 1})).desc;
  EXPECT_EQ(desc.rank, 1);
  for (int axis = 1; axis < 3; ++axis) {
    EXPECT_EQ(desc.output[axis], 0);
    EXPECT_EQ(desc.pads_begin[axis], 0);
    EXPECT_EQ(desc.pads_end[axis], 0);
  }
}

// --- texts ---------------------------------------------------------------------------------------

// `write` with every size of the buffer gives the same text, cut and ended.
void ExpectBoundedText(const std::function<int32_t(char*, size_t)>& write) {
  char whole[500];
  const int32_t length = write(whole, sizeof whole);
  ASSERT_GT(length, 0);
  ASSERT_EQ(static_cast<size_t>(length), std::strlen(whole));
  EXPECT_EQ(write(nullptr, 0), length);
  for (size_t size = 0; size <= static_cast<size_t>(length) + 2; ++size) {
    std::vector<char> text(size + 1, '#');
    ASSERT_EQ(write(text.data(), size), length);
    EXPECT_EQ(text[size], '#');
    if (size == 0) continue;
    const size_t kept = std::min(size - 1, static_cast<size_t>(length));
    EXPECT_EQ(std::string(text.data()), std::string(whole, kept));
  }
}

TEST(Texts, Explain) {
  const support::Params params = Example();
  for (const support::Target& target : support::SupportedTargets()) {
    const lanepool_desc desc = support::Plan(params, target.mask).desc;
    char text[300];
    ASSERT_GT(lanepool_explain(&desc, text, sizeof text), 0);
    const std::string line = text;
    for (const std::string& word : {std::string("average f32 nhwc 2d 3x3/1: "), target.name}) {
      EXPECT_NE(line.find(word), std::string::npos) << "no \"" << word << "\" in: " << line;
    }
    EXPECT_EQ(line.find('\n'), std::string::npos);
    ExpectBoundedText([&desc](char* to, size_t size) { return lanepool_explain(&desc, to, size); });
  }
  const lanepool_desc foreign = {};
  char text[8] = "as is";
  EXPECT_EQ(lanepool_explain(&foreign, text, sizeof text), -1);
  EXPECT_EQ(lanepool_explain(nullptr, text, sizeof text), -1);
  EXPECT_STREQ(text, "as is");
}

// Up to the loop: what was asked for. And behind it, for bytes: the formulas.
TEST(Texts, ExplainNamesTheJob) {
  const struct {
    support::Params params;
    const char* head;
  } jobs[] = {
      {Average({9}).Kernel({3}).Strides({2}), "average f32 nhwc 1d 3/2: "},
      {Average({9, 8}).Kernel({3, 2}).Layout(LANEPOOL_LAYOUT_NCHW), "average f32 nchw 2d 3x2/1: "},
      {Max({9, 9, 9}).Kernel({3, 3, 2}).Strides({2, 2, 1}), "max f32 nhwc 3d 3x3x2/2x2x1: "},
      {Max({9, 9, 9}).Kernel({3, 3, 3}).Strides({1, 1, 2}), "max f32 nhwc 3d 3x3x3/1x1x2: "},
      {Max({9, 9}).Kernel({3, 3}).Strides({2, 2}).Dilations({2, 2}), "max f32 nhwc 2d 3x3/2d2: "},
      {Max({9, 9}).Kernel({3, 3}).Dilations({1, 2}), "max f32 nhwc 2d 3x3/1d1x2: "},
      {Max({9, 9}).Kernel({3, 3}).Dilations({2, 1}), "max f32 nhwc 2d 3x3/1d2x1: "},
      {support::Min({9}).Kernel({3}).Type(LANEPOOL_TYPE_BFLOAT16), "min bf16 nhwc 1d 3/1: "},
      {support::Sum({9}).Kernel({3}).Type(LANEPOOL_TYPE_DOUBLE), "sum f64 nhwc 1d 3/1: "},
      {support::Lp({9}).Kernel({3}).Type(LANEPOOL_TYPE_FLOAT16), "lp f16 nhwc 1d 3/1: "},
      {Average({9, 7}).Global(), "global average f32 nhwc 2d 9x7/1: "},
      {Max({9, 7}).Adaptive({4, 2}).Index(LANEPOOL_TYPE_INT32),
       "adaptive max f32 with s32 nhwc 2d to 4x2: "},
      {support::MaxUnpool({4, 3}).Kernel({2, 2}).Strides({2, 3}),
       "max_unpool f32 with s64 nhwc 2d to 8x8: "},
      {Max({9}).Kernel({2}).Type(LANEPOOL_TYPE_INT16), "max s16 nhwc 1d 2/1: "},
  };
  for (const auto& job : jobs) {
    const lanepool_desc desc = support::Plan(job.params).desc;
    char text[300];
    ASSERT_GT(lanepool_explain(&desc, text, sizeof text), 0) << job.head;
    const std::string line = text;
    EXPECT_EQ(line.substr(0, line.find(": ") + 2), job.head);
    EXPECT_EQ(line.find("requantize"), std::string::npos) << line;
  }
}

// Jobs that each loop is there for.
TEST(Texts, ExplainNamesTheLoop) {
  const int32_t nchw = LANEPOOL_LAYOUT_NCHW;
  const struct {
    support::Params params;
    const char* loop;
  } jobs[] = {
      {Example().Batch(0), "nothing"},
      {Example().Channels(64), "columns"},
      {Example().Channels(3), "planes"},
      {Max({20, 20}).Kernel({2, 3}).Layout(nchw), "rows"},
      {Max({600}).Kernel({3}).Layout(nchw), "planes"},
      {Max({20, 20}).Kernel({3, 3}).Layout(nchw), "planes"},
      {Max({9, 9}).Kernel({2, 2}).Strides({2, 2}).Layout(nchw), "by two"},
      {Max({9, 40}).Kernel({2, 2}).Strides({2, 2}).Channels(3), "by two"},
      {Max({9, 48}).Kernel({3, 3}).Strides({3, 3}).Layout(nchw), "by steps"},
      {Average({4, 4}).Kernel({2, 2}).Strides({2, 2}).Channels(8), "columns"},
      {Average({4, 4}).Kernel({2, 2}).Strides({2, 2}).Channels(8).Batch(4), "by two"},
      {Max({64, 64}).Kernel({13, 13}).Channels(64), "blocks"},
      {Average({64}).Global().Channels(5).Layout(nchw), "runs"},
      {Example().Flag(LANEPOOL_FLAG_STRICT_ORDER), "taps"},
      {support::MaxUnpool({4}).Kernel({2}), "scatter"},
  };
  for (const auto& job : jobs) {
    const lanepool_desc desc = support::Plan(job.params).desc;
    char text[300];
    ASSERT_GT(lanepool_explain(&desc, text, sizeof text), 0) << job.loop;
    const std::string line = text;
    EXPECT_NE(line.find(": " + std::string(job.loop) + ", "), std::string::npos) << line;
  }
}

TEST(Texts, ExplainNamesTheFormulas) {
  const auto line = [](const support::Params& params) {
    const lanepool_desc desc = support::Plan(params).desc;
    char text[2000];
    EXPECT_GT(lanepool_explain(&desc, text, sizeof text), 0);
    const std::string whole = text;
    const size_t comma = whole.find(", ");
    return whole.substr(comma + 2, whole.rfind(", ") - comma);
  };
  const auto bytes = [](support::Params params) {
    return params.Type(LANEPOOL_TYPE_UINT8).Scales(0.1f, 0.1f);
  };
  const support::Params window = bytes(Average({9, 9}).Kernel({3, 3}).Pads({1, 1, 1, 1}));
  EXPECT_EQ(line(window), "requantize 9 mul16 6 mul16_even 4 mul16_even, ");
  // With pads that count, and a zero point, taps and divisor are two numbers.
  EXPECT_EQ(line(support::Params(window).Include().ZeroPoints(3, 3)),
            "requantize 9/9 mul16 6/9 mul16 4/9 mul16, ");
  EXPECT_EQ(line(support::Params(window).Channels(3).ScaleCounts(3, 0)),
            "requantize per channel, ");
  EXPECT_EQ(line(bytes(Max({9}).Kernel({3})).Scales(0.1f, 0.2f)), "requantize mul16_even, ");
  // Bytes that stay as they are, and those that come from or become floats.
  EXPECT_EQ(line(bytes(Max({9}).Kernel({3}))).find("requantize"), std::string::npos);
  for (const bool to_bytes : {true, false}) {
    const int32_t byte = LANEPOOL_TYPE_UINT8, real = LANEPOOL_TYPE_FLOAT;
    const support::Params params =
        support::Params(window).Types(to_bytes ? real : byte, to_bytes ? byte : real);
    EXPECT_EQ(line(params).find("requantize"), std::string::npos);
    const lanepool_desc desc = support::Plan(params).desc;
    char text[300];
    lanepool_explain(&desc, text, sizeof text);
    EXPECT_EQ(std::string(text).find(to_bytes ? "average f32->u8 " : "average u8->f32 "), 0u)
        << text;
  }
  // More than a plan holds.
  const std::string many = line(bytes(Average({40, 40}).Kernel({9, 9}).Pads({8, 7, 8, 6})));
  EXPECT_NE(many.find(" and more, "), std::string::npos) << many;
  EXPECT_EQ(std::count(many.begin(), many.end(), '_') > 0, true) << many;
}

TEST(Texts, ErrorFormat) {
  const support::Planned planned = support::Plan(Example().Kernel({3, 0}));
  EXPECT_EQ(planned.status, LANEPOOL_KERNEL);
  EXPECT_EQ(support::ErrorText(planned.error), "kernel[1] is 0; it must be at least 1");
  ExpectBoundedText([&planned](char* to, size_t size) {
    return lanepool_error_format(&planned.error, to, size);
  });
  char text[8] = "as is";
  EXPECT_EQ(lanepool_error_format(nullptr, text, sizeof text), -1);
  EXPECT_STREQ(text, "as is");
}

// An error that did not come from the library is text, not a crash.
TEST(Texts, ErrorFormatOfNoise) {
  for (uint64_t seed = 1; seed <= 5000; ++seed) {
    Random random(seed);
    const auto code = [&random] {
      return random.Percent(70) ? static_cast<int32_t>(random.Between(-2, 70))
                                : static_cast<int32_t>(random.Bits());
    };
    lanepool_error error = {code(), code(), code(), code(), 0, 0, 0};
    error.value = static_cast<int64_t>(random.Bits());
    error.limit = random.Pick({INT64_MIN, INT64_MAX, int64_t{0}});
    const uint64_t bits = random.Bits();
    std::memcpy(&error.real, &bits, sizeof bits);
    char text[400];
    const int32_t length = lanepool_error_format(&error, text, sizeof text);
    ASSERT_GT(length, 0);
    ASSERT_EQ(std::strlen(text), std::min<size_t>(static_cast<size_t>(length), sizeof text - 1));
  }
}

TEST(Texts, StatusNames) {
  const char* const names[] = {
      "OK",        "NULL",         "STRUCT_SIZE",  "OP",       "TYPE",   "LAYOUT",     "RANK",
      "DIM",       "KERNEL",       "STRIDE",       "DILATION", "PAD",    "AUTO_PAD",   "POLICY",
      "OVERFLOW",  "EMPTY_OUTPUT", "EMPTY_WINDOW", "VIEW",     "SCALE",  "ZERO_POINT", "FLAG",
      "TARGET",    "UNSUPPORTED",  "DESC",         "X_SIZE",   "Y_SIZE", "INDEX_SIZE", "WORKSPACE",
      "ALIGNMENT", "OVERLAP",      "RANGE",        "TABLE",    "INDEX"};
  for (int32_t status = 0; status <= LANEPOOL_INDEX; ++status) {
    EXPECT_STREQ(lanepool_status_name(status), names[status]);
  }
  for (const int32_t status : {-1, 33, INT32_MIN, INT32_MAX}) {
    EXPECT_STREQ(lanepool_status_name(status), "?");
  }
}

TEST(Texts, Version) {
  const std::string version = std::to_string(LANEPOOL_VERSION_MAJOR) + "." +
                              std::to_string(LANEPOOL_VERSION_MINOR) + "." +
                              std::to_string(LANEPOOL_VERSION_PATCH);
  EXPECT_EQ(lanepool_version(), version);
  EXPECT_EQ(lanepool_abi_version(), LANEPOOL_ABI_VERSION);
}

// --- targets and machine -------------------------------------------------------------------------

TEST(Targets, Sets) {
  const uint64_t compiled = lanepool_targets(LANEPOOL_TARGETS_COMPILED);
  const uint64_t supported = lanepool_targets(LANEPOOL_TARGETS_SUPPORTED);
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  EXPECT_EQ(supported & ~compiled, 0u);
  EXPECT_NE(best, 0u);
  EXPECT_EQ(best & (best - 1), 0u);
  EXPECT_EQ(best & ~supported, 0u);
  for (const int32_t which : {-1, 3, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(lanepool_targets(which), 0u);
  }
}

TEST(Targets, Names) {
  const uint64_t compiled = lanepool_targets(LANEPOOL_TARGETS_COMPILED);
  for (uint64_t bit = 1; bit != 0; bit <<= 1) {
    const bool known = (compiled & bit) != 0;
    EXPECT_EQ(std::string(lanepool_target_name(bit)) != "?", known) << bit;
  }
  EXPECT_STREQ(lanepool_target_name(0), "?");
  EXPECT_STREQ(lanepool_target_name(~uint64_t{0}), "?");
}

TEST(Targets, Machine) {
  EXPECT_GT(lanepool_machine(LANEPOOL_MACHINE_L1D_BYTES), 1023);
  EXPECT_GE(lanepool_machine(LANEPOOL_MACHINE_L2_BYTES), 0);
  EXPECT_GE(lanepool_machine(LANEPOOL_MACHINE_L3_BYTES), 0);
  EXPECT_GE(lanepool_machine(LANEPOOL_MACHINE_CORES), 1);
  const int64_t detected = lanepool_machine(LANEPOOL_MACHINE_DETECTED);
  EXPECT_TRUE(detected == 0 || detected == 1);
  EXPECT_EQ(lanepool_machine(-1), -1);
  EXPECT_EQ(lanepool_machine(5), -1);
}

// --- running -------------------------------------------------------------------------------------

// The arguments of a run, to be spoilt one by one.
struct Call {
  const lanepool_desc* desc;
  const void* x;
  size_t x_bytes;
  void* y;
  size_t y_bytes;
  void* workspace;
  size_t workspace_bytes;

  int32_t Run() const {
    return lanepool_run(desc, x, x_bytes, y, y_bytes, nullptr, 0, workspace, workspace_bytes);
  }
  int32_t Range(int64_t begin, int64_t end) const {
    return lanepool_run_range(desc, x, x_bytes, y, y_bytes, nullptr, 0, workspace, workspace_bytes,
                              begin, end);
  }
};

// Runs a call with one thing wrong, both ways, and expects that nothing is written.
void ExpectRunRefused(const Call& call, int32_t status, const std::vector<float>& y) {
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): the call has a pointer to y
  const std::vector<float> before = y;
  EXPECT_STREQ(lanepool_status_name(call.Run()), lanepool_status_name(status));
  EXPECT_STREQ(lanepool_status_name(call.Range(0, 1)), lanepool_status_name(status));
  EXPECT_EQ(std::memcmp(before.data(), y.data(), y.size() * sizeof(float)), 0) << "y was written";
}

TEST(Run, StatusOfEachBuffer) {
  const lanepool_desc desc = DescWithWorkspace();
  const std::vector<float> x = ExampleData(desc);
  std::vector<float> y = Output(desc);
  std::vector<char> work(static_cast<size_t>(desc.workspace_bytes));
  const Call good = {&desc,        x.data(),    x.size() * 4, y.data(),
                     y.size() * 4, work.data(), work.size()};
  Call call = good;
  call.desc = nullptr;
  ExpectRunRefused(call, LANEPOOL_NULL, y);
  call = good;
  call.x = nullptr;
  ExpectRunRefused(call, LANEPOOL_NULL, y);
  call = good;
  call.y = nullptr;
  ExpectRunRefused(call, LANEPOOL_NULL, y);
  call = good;
  call.x_bytes -= 1;
  ExpectRunRefused(call, LANEPOOL_X_SIZE, y);
  call.x_bytes = 0;
  ExpectRunRefused(call, LANEPOOL_X_SIZE, y);
  call = good;
  call.y_bytes -= 1;
  ExpectRunRefused(call, LANEPOOL_Y_SIZE, y);
  call = good;
  call.workspace_bytes -= 1;
  ExpectRunRefused(call, LANEPOOL_WORKSPACE, y);
  call = good;
  call.workspace = nullptr;
  ExpectRunRefused(call, LANEPOOL_WORKSPACE, y);
  EXPECT_EQ(good.Run(), LANEPOOL_OK);
}

TEST(Run, ForeignDesc) {
  const lanepool_desc desc = support::Plan(Example()).desc;
  const std::vector<float> x = ExampleData(desc);
  std::vector<float> y = Output(desc);
  lanepool_desc foreign = {};
  const Call call = {&foreign, x.data(), x.size() * 4, y.data(), y.size() * 4, nullptr, 0};
  ExpectRunRefused(call, LANEPOOL_DESC, y);
  foreign = desc;
  foreign.magic ^= 1;
  ExpectRunRefused(call, LANEPOOL_DESC, y);
  foreign = desc;
  foreign.abi_version += 1;
  ExpectRunRefused(call, LANEPOOL_DESC, y);
}

// A desc that was planned for other instruction sets, as on another machine. Where the mask is in a
// desc, two descs tell that differ in nothing else.
TEST(Run, TargetsOfAnotherMachine) {
  const lanepool_desc any = support::Plan(Example()).desc;
  const uint64_t best = lanepool_targets(LANEPOOL_TARGETS_BEST);
  lanepool_desc desc = support::Plan(Example(), best).desc;
  const auto words = reinterpret_cast<uint64_t*>(&desc);
  const auto other = reinterpret_cast<const uint64_t*>(&any);
  int changed = 0;
  for (size_t i = 0; i < sizeof desc / sizeof *words; ++i) {
    if (words[i] == other[i]) continue;
    ASSERT_EQ(words[i], best);
    words[i] = ~lanepool_targets(LANEPOOL_TARGETS_COMPILED);
    ++changed;
  }
  ASSERT_EQ(changed, 1);
  const std::vector<float> x = ExampleData(any);
  std::vector<float> y = Output(any);
  Call call = {&desc, x.data(), x.size() * 4, y.data(), y.size() * 4, nullptr, 0};
  ExpectRunRefused(call, LANEPOOL_TARGET, y);
  EXPECT_EQ(call.Range(0, 0), LANEPOOL_OK);  // nothing that an instruction set is needed for
  EXPECT_EQ(lanepool_explain(&desc, nullptr, 0), -1);
  call.desc = &any;
  EXPECT_EQ(call.Run(), LANEPOOL_OK);
}

TEST(Run, Alignment) {
  const lanepool_desc desc = support::Plan(Example()).desc;
  std::vector<float> x = ExampleData(desc);
  x.push_back(0);
  std::vector<float> y(static_cast<size_t>(desc.y_bytes) / 4 + 1, -1);
  for (size_t shift = 1; shift <= 3; ++shift) {
    Call call = {&desc,
                 reinterpret_cast<char*>(x.data()) + shift,
                 x.size() * 4 - shift,
                 y.data(),
                 y.size() * 4,
                 nullptr,
                 0};
    ExpectRunRefused(call, LANEPOOL_ALIGNMENT, y);
    call = {&desc,
            x.data(),
            x.size() * 4,
            reinterpret_cast<char*>(y.data()) + shift,
            y.size() * 4 - shift,
            nullptr,
            0};
    ExpectRunRefused(call, LANEPOOL_ALIGNMENT, y);
  }
}

// A desc without a table takes no notice of one.
TEST(Run, TableThatIsNotNeeded) {
  const lanepool_desc desc = support::Plan(QuantizedExample()).desc;
  const std::vector<unsigned char> x(static_cast<size_t>(desc.x_bytes), 77);
  std::vector<unsigned char> y(static_cast<size_t>(desc.y_bytes)), expected = y;
  ASSERT_EQ(support::Run(desc, x.data(), expected.data()), LANEPOOL_OK);
  const std::vector<uint64_t> noise(4096, 0xDEADBEEFDEADBEEFu);
  std::vector<char> work(static_cast<size_t>(desc.workspace_bytes));
  ASSERT_EQ(lanepool_run_table(&desc, noise.data(), noise.size() * 8, x.data(), x.size(), y.data(),
                               y.size(), nullptr, 0, work.data(), work.size(), 0, desc.work_items),
            LANEPOOL_OK);
  EXPECT_EQ(y, expected);
}

TEST(Run, Overlap) {
  const lanepool_desc desc = DescWithWorkspace();
  const size_t x_size = static_cast<size_t>(desc.x_bytes) / 4;
  const size_t y_size = static_cast<size_t>(desc.y_bytes) / 4;
  const auto work_bytes = static_cast<size_t>(desc.workspace_bytes);
  std::vector<float> memory(2 * (x_size + y_size + work_bytes), 1);  // x | y | workspace
  float* const x = memory.data();
  float* const y = x + x_size;
  float* const work = y + y_size;
  const Call good = {&desc, x, x_size * 4, y, y_size * 4, work, work_bytes};
  Call call = good;
  call.y = x;
  ExpectRunRefused(call, LANEPOOL_OVERLAP, memory);
  call = good;
  call.y = x + x_size - 1;
  ExpectRunRefused(call, LANEPOOL_OVERLAP, memory);
  call = good;
  call.x = y + y_size - 1;
  call.workspace = work + x_size;
  ExpectRunRefused(call, LANEPOOL_OVERLAP, memory);
  call = good;
  call.workspace = y;
  ExpectRunRefused(call, LANEPOOL_OVERLAP, memory);
  call.workspace = x;
  ExpectRunRefused(call, LANEPOOL_OVERLAP, memory);
  call = good;
  call.workspace = reinterpret_cast<char*>(y + y_size) - 1;
  ExpectRunRefused(call, LANEPOOL_OVERLAP, memory);
  EXPECT_EQ(good.Run(), LANEPOOL_OK);  // side by side is fine
  // What is not needed may lie anywhere.
  EXPECT_EQ(lanepool_run(&desc, x, x_size * 4, y, y_size * 4, x + 1, 4, work, work_bytes),
            LANEPOOL_OK);
}

// The smallest buffers there are.
TEST(Run, OverlapOfOneByte) {
  const lanepool_desc desc = support::Plan(Max({1}).Kernel({1}).Type(LANEPOOL_TYPE_UINT8)).desc;
  ASSERT_EQ(desc.x_bytes + desc.y_bytes, 2);
  unsigned char bytes[2] = {5, 6};
  std::vector<char> work(static_cast<size_t>(desc.workspace_bytes));
  const auto run = [&](const void* x, void* y) {
    return lanepool_run(&desc, x, 1, y, 1, nullptr, 0, work.data(), work.size());
  };
  EXPECT_EQ(run(&bytes[0], &bytes[0]), LANEPOOL_OVERLAP);
  EXPECT_EQ(run(&bytes[0], &bytes[1]), LANEPOOL_OK);
  EXPECT_EQ(bytes[1], 5);
  bytes[1] = 9;
  EXPECT_EQ(run(&bytes[1], &bytes[0]), LANEPOOL_OK);
  EXPECT_EQ(bytes[0], 9);
}

TEST(Run, Range) {
  const lanepool_desc desc = support::Plan(Example()).desc;
  const std::vector<float> x = ExampleData(desc);
  std::vector<float> y = Output(desc);
  const std::vector<float> before = y;
  const Call call = {&desc, x.data(), x.size() * 4, y.data(), y.size() * 4, nullptr, 0};
  const int64_t items = desc.work_items;
  ASSERT_GE(items, 1);
  EXPECT_EQ(call.Range(-1, 0), LANEPOOL_RANGE);
  EXPECT_EQ(call.Range(0, items + 1), LANEPOOL_RANGE);
  EXPECT_EQ(call.Range(items, items + 1), LANEPOOL_RANGE);
  EXPECT_EQ(call.Range(1, 0), LANEPOOL_RANGE);
  EXPECT_EQ(call.Range(INT64_MIN, INT64_MAX), LANEPOOL_RANGE);
  EXPECT_EQ(call.Range(0, INT64_MIN), LANEPOOL_RANGE);
  EXPECT_EQ(call.Range(0, 0), LANEPOOL_OK);
  EXPECT_EQ(call.Range(items, items), LANEPOOL_OK);
  EXPECT_EQ(y, before);
  EXPECT_EQ(call.Range(0, items), LANEPOOL_OK);
  std::vector<float> whole = Output(desc);
  ASSERT_EQ(support::Run(desc, x.data(), whole.data()), LANEPOOL_OK);
  EXPECT_EQ(y, whole);
}

TEST(Run, NothingToDo) {
  for (const support::Params& params :
       {Example().Batch(0), Example().Channels(0), QuantizedExample().Batch(0),
        QuantizedExample().Channels(0)}) {
    const support::Planned planned = support::Plan(params);
    ASSERT_EQ(planned.status, LANEPOOL_OK) << support::ErrorText(planned.error);
    const lanepool_desc& desc = planned.desc;
    EXPECT_EQ(desc.x_bytes, 0);
    EXPECT_EQ(desc.y_bytes, 0);
    EXPECT_EQ(desc.workspace_bytes, 0);
    EXPECT_EQ(desc.element_count, 0);
    EXPECT_EQ(desc.output[0], 12);
    const Call call = {&desc, nullptr, 0, nullptr, 0, nullptr, 0};
    EXPECT_EQ(call.Run(), LANEPOOL_OK);
    EXPECT_EQ(call.Range(0, desc.work_items), LANEPOOL_OK);
    EXPECT_EQ(lanepool_desc_check(&desc, sizeof desc, nullptr), LANEPOOL_OK);
  }
}

TEST(Run, LargerBuffersAreFine) {
  const lanepool_desc desc = support::Plan(Example()).desc;
  std::vector<float> x = ExampleData(desc);
  std::vector<float> expected = Output(desc);
  ASSERT_EQ(support::Run(desc, x.data(), expected.data()), LANEPOOL_OK);
  x.resize(x.size() + 100);
  std::vector<float> y(expected.size() + 100, -1);
  char work[64];
  const Call call = {&desc, x.data(), x.size() * 4, y.data(), y.size() * 4, work, sizeof work};
  ASSERT_EQ(call.Run(), LANEPOOL_OK);
  expected.resize(y.size(), -1);
  EXPECT_EQ(y, expected);
}

TEST(Run, ForcedTargetIsTheOneThatRuns) {
  std::vector<float> expected;
  for (const support::Target& target : support::SupportedTargets()) {
    const lanepool_desc desc = support::Plan(Example(), target.mask).desc;
    lanepool_params params;
    ASSERT_EQ(lanepool_desc_params(&desc, &params, sizeof params), LANEPOOL_OK);
    EXPECT_EQ(params.target_mask, target.mask);
    std::vector<float> y = Output(desc);
    const std::vector<float> x = ExampleData(desc);
    ASSERT_EQ(support::Run(desc, x.data(), y.data()), LANEPOOL_OK);
    if (expected.empty()) expected = y;
    EXPECT_EQ(y, expected) << target.name;
  }
}

TEST(Run, ThreadsShareADesc) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    for (const support::RandomCase& item : RandomCases(seed)) {
      Random random(seed);
      const lanepool_desc desc = support::Plan(item.params).desc;
      const support::Inputs inputs = {support::MakeX(&random, item),
                                      support::MakeIndex(&random, item.params),
                                      support::MakeTable(desc, item.arrays)};
      const support::Outputs expected = support::RunOnce(desc, inputs);

      support::Bytes y(expected.y.size(), support::kPoison);
      const bool reads = !inputs.index.empty();
      support::Bytes index =
          reads ? inputs.index : support::Bytes(expected.index.size(), support::kPoison);
      void* const index_data = index.empty() ? nullptr : index.data();
      std::atomic<int64_t> next{0};
      std::atomic<int> failures{0};
      const auto work = [&] {  // each has a workspace of its own
        for (int64_t i = next++; i < desc.work_items; i = next++) {
          const int32_t status = support::RunRange(desc, inputs.x.data(), y.data(), i, i + 1,
                                                   inputs.table, index_data);
          if (status != LANEPOOL_OK) ++failures;
        }
      };
      std::vector<std::thread> threads;
      for (int i = 0; i < 4; ++i) threads.emplace_back(work);
      for (std::thread& thread : threads) thread.join();
      EXPECT_EQ(failures, 0);
      EXPECT_EQ(support::Difference(y, expected.y, 1), "") << item.Text();
      EXPECT_EQ(support::Difference(index, reads ? inputs.index : expected.index, 1, "index"), "")
          << item.Text();
    }
  }
}

}  // namespace
