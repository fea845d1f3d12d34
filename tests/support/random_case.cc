#include "random_case.h"

#include <algorithm>
#include <cstdlib>

#include "../oracle/types.h"
#include "params_text.h"
#include "random_pick.h"
#include "random_view.h"

namespace support {
namespace {

constexpr Limits kLimits = {120000, 200000};

lanepool_params MakeParams(Random* random) {
  lanepool_params p;
  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.op = random->Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX});
  p.x_type = p.y_type = LANEPOOL_TYPE_FLOAT;
  PickSizes(random, &p);
  PickWindow(random, &p);
  PickPads(random, &p);
  PickPolicies(random, &p);
  if (random->Percent(7)) MakeGlobal(&p);
  return p;
}

}  // namespace

std::string RandomCase::Text() const {
  const bool floats = oracle::IsFloating(params.x_type);
  return ParamsText(params) + " data=" + (floats ? DataText(data) : DataText(integers));
}

std::vector<unsigned char> MakeX(Random* random, const RandomCase& item) {
  const oracle::Tensor tensor = oracle::TensorOfX(item.params);
  const int32_t type = item.params.x_type;
  std::vector<unsigned char> x(static_cast<size_t>(tensor.Bytes()));
  if (oracle::IsFloating(type)) {
    FillFloats(random, item.data, type, x.data(), tensor.Span());
  } else {
    FillIntegers(random, item.integers, type, x.data(), tensor.Span());
  }
  return x;
}

RandomCase MakeDenseRandomCase(Random* random) {
  for (;;) {
    const lanepool_params params = MakeParams(random);
    const oracle::Shape shape = oracle::ResolveShape(params);
    if (shape.status == LANEPOOL_OK && IsSmall(params, shape, kLimits))
      return {params, PickData(random)};
  }
}

RandomCase MakeRandomCase(Random* random) {
  RandomCase result = MakeDenseRandomCase(random);
  RandomViews(random, 35, 35, &result.params);
  return result;
}

namespace {

lanepool_params MakeWideParams(Random* random) {
  lanepool_params p;
  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.op = random->Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX});
  p.x_type = p.y_type = LANEPOOL_TYPE_FLOAT;
  p.layout = random->Pick({LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC});
  p.rank = random->Pick({1, 2});
  p.channels = random->Pick({1, 2, 3, 5});
  p.input[0] = p.kernel[0] = random->Between(1, 3);
  const int wide = p.rank - 1;
  p.input[wide] = random->Pick({random->Between(1, 40), random->Between(1, 5000)});
  p.kernel[wide] = random->Pick({random->Between(2, 9), random->Between(9, 9000), int64_t{50000}});
  p.dilations[wide] = random->Pick({int64_t{1}, random->Between(1, 1500)});
  p.strides[wide] = random->Pick<int64_t>({1, 1, 2, 3, random->Between(4, 4000)});
  const int64_t most_pad = random->Pick({p.input[wide], p.kernel[wide] * p.dilations[wide]});
  p.pads_begin[wide] = random->Between(0, most_pad);
  p.pads_end[wide] = random->Between(0, most_pad);
  PickPolicies(random, &p);
  return p;
}

}  // namespace

RandomCase MakeWideRandomCase(Random* random) {
  for (;;) {
    RandomCase result = {MakeWideParams(random), PickData(random)};
    const oracle::Shape shape = oracle::ResolveShape(result.params);
    if (shape.status != LANEPOOL_OK || !IsSmall(result.params, shape, kLimits)) continue;
    RandomViews(random, 15, 15, &result.params);
    return result;
  }
}

namespace {

lanepool_params MakeApartParams(Random* random) {
  lanepool_params p;
  lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
  p.op = random->Pick({LANEPOOL_OP_AVERAGE, LANEPOOL_OP_AVERAGE, LANEPOOL_OP_MAX});
  p.x_type = p.y_type = random->Pick(
      {LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT, LANEPOOL_TYPE_FLOAT16, LANEPOOL_TYPE_BFLOAT16});
  p.layout = random->Pick({LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC});
  p.rank = random->Pick({1, 2, 2, 2, 3});
  p.channels = random->Pick(
      {random->Between(1, 70), random->Between(120, 600), random->Between(1000, 2100)});
  for (int i = 0; i < p.rank; ++i) {
    p.kernel[i] =
        random->Pick({random->Between(1, 3), random->Between(2, 9), random->Between(8, 40)});
    const int64_t gap = random->Percent(70) ? 0 : random->Between(-1, 2);
    p.strides[i] = std::max<int64_t>(1, p.kernel[i] + gap);
    p.input[i] = p.kernel[i] + p.strides[i] * random->Between(0, 2) + random->Between(0, 2);
    p.pads_begin[i] = random->Percent(70) ? 0 : random->Between(0, p.kernel[i] / 2);
    p.pads_end[i] = random->Percent(70) ? 0 : random->Between(0, p.kernel[i] / 2);
  }
  PickPolicies(random, &p);
  if (random->Percent(25)) MakeGlobal(&p);
  return p;
}

}  // namespace

RandomCase MakeApartRandomCase(Random* random) {
  for (;;) {
    RandomCase result = {MakeApartParams(random), PickData(random)};
    const oracle::Shape shape = oracle::ResolveShape(result.params);
    if (shape.status != LANEPOOL_OK || !IsSmall(result.params, shape, kLimits)) continue;
    RandomViews(random, 15, 15, &result.params);
    return result;
  }
}

int64_t CaseCount(int64_t usual) {
  const char* const text = std::getenv("LANEPOOL_CASES");
  return text == nullptr ? usual : std::max<int64_t>(1, std::strtoll(text, nullptr, 10));
}

uint64_t FirstSeed() {
  const char* const text = std::getenv("LANEPOOL_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

}  // namespace support
