#include "random_case.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "params_text.h"
#include "random_view.h"

namespace support {
namespace {

// Limits that keep the oracle fast.
constexpr int64_t kMaxElements = 120000;
constexpr int64_t kMaxTaps = 200000;

void PickSizes(Random* random, lanepool_params* p) {
  p->rank = random->Pick({1, 2, 2, 2, 3, 3});
  p->layout = random->Pick({LANEPOOL_LAYOUT_NCHW, LANEPOOL_LAYOUT_NHWC});
  p->batch = random->Pick({1, 1, 1, 2, 3});
  const int64_t most_channels = random->Pick({1, 4, 9, 20, 40, 130});
  p->channels = random->Between(1, most_channels);
  for (int i = 0; i < p->rank; ++i) p->input[i] = random->Between(1, p->rank == 3 ? 7 : 12);
  const int64_t most = random->Pick({8, 18, 35, 70, 70, p->rank == 1 ? 400 : 70});
  p->input[random->Between(0, p->rank - 1)] = random->Between(1, most);
}

void PickWindow(Random* random, lanepool_params* p) {
  const int64_t most_taps = random->Pick({1, 2, 3, 3, 5, 7, 13, 25});
  const bool square = random->Percent(50);
  for (int i = 0; i < p->rank; ++i) {
    const bool repeat = square && i > 0;
    p->kernel[i] = repeat ? p->kernel[0] : random->Between(1, most_taps);
    if (random->Percent(6)) p->kernel[i] = p->input[i];
    p->strides[i] = repeat ? p->strides[0] : random->Pick<int64_t>({1, 1, 1, 2, 2, 3, 4, 9});
    p->dilations[i] = repeat ? p->dilations[0] : random->Pick<int64_t>({1, 1, 1, 1, 2, 3, 7});
  }
}

void PickPads(Random* random, lanepool_params* p) {
  if (random->Percent(30)) {
    p->auto_pad = random->Pick(
        {LANEPOOL_AUTO_PAD_VALID, LANEPOOL_AUTO_PAD_SAME_UPPER, LANEPOOL_AUTO_PAD_SAME_LOWER});
    return;
  }
  const bool any = random->Percent(70);
  for (int i = 0; any && i < p->rank; ++i) {
    const int64_t reach = (p->kernel[i] - 1) * p->dilations[i];
    const int64_t most = random->Percent(10) ? reach + 4 : reach;  // beyond reach: empty windows
    p->pads_begin[i] = random->Percent(40) ? most / 2 : random->Between(0, most);
    p->pads_end[i] = random->Percent(60) ? p->pads_begin[i] : random->Between(0, most);
  }
}

void PickPolicies(Random* random, lanepool_params* p) {
  p->ceil_mode = random->Pick({LANEPOOL_CEIL_OFF, LANEPOOL_CEIL_OFF, LANEPOOL_CEIL_ON,
                               LANEPOOL_CEIL_ON, LANEPOOL_CEIL_KEEP});
  p->valid_ceil = random->Pick({LANEPOOL_VALID_CEIL, LANEPOOL_VALID_FLOOR});
  p->oversize_kernel = random->Pick({LANEPOOL_OVERSIZE_REJECT, LANEPOOL_OVERSIZE_TRUNCATE});
  p->empty_window = random->Pick(
      {LANEPOOL_EMPTY_ZERO, LANEPOOL_EMPTY_ZERO, LANEPOOL_EMPTY_NAN, LANEPOOL_EMPTY_REJECT});
  p->divisor = random->Pick({LANEPOOL_DIVISOR_EXCLUDE_PAD, LANEPOOL_DIVISOR_EXCLUDE_PAD,
                             LANEPOOL_DIVISOR_INCLUDE_PAD, LANEPOOL_DIVISOR_INCLUDE_PAD,
                             LANEPOOL_DIVISOR_FULL_KERNEL, LANEPOOL_DIVISOR_CONSTANT});
  if (p->divisor == LANEPOOL_DIVISOR_CONSTANT) {
    p->divisor_value =
        random->Pick<int64_t>({1, 2, 3, 7, 9, 64, 1000003, (1 << 24) + 1, int64_t{1} << 40});
  }
  if (p->op == LANEPOOL_OP_MAX) {
    p->nan_rule = random->Pick({LANEPOOL_NAN_PROPAGATE, LANEPOOL_NAN_IGNORE});
  }
}

void MakeGlobal(lanepool_params* p) {
  p->flags = LANEPOOL_FLAG_GLOBAL;
  p->auto_pad = LANEPOOL_AUTO_PAD_NOTSET;
  for (int i = 0; i < p->rank; ++i) {
    p->kernel[i] = p->pads_begin[i] = p->pads_end[i] = 0;
    p->strides[i] = p->dilations[i] = 1;
  }
}

int64_t Elements(const oracle::Tensor& tensor) {
  int64_t count = 1;
  for (const int64_t size : tensor.sizes) count *= size;
  return count;
}

bool IsSmall(const lanepool_params& p, const oracle::Shape& shape) {
  const oracle::Tensor x = oracle::TensorOfX(p);
  const oracle::Tensor y = oracle::TensorOfY(p, shape);
  if (Elements(x) > kMaxElements || Elements(y) > kMaxElements) return false;
  int64_t taps = Elements(y);
  for (int i = 0; i < p.rank; ++i) taps *= p.flags != 0 ? p.input[i] : p.kernel[i];
  return taps <= kMaxTaps;
}

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

Data PickData(Random* random) {
  if (random->Percent(30)) return Data::kIntegers;
  return static_cast<Data>(random->Between(0, kDataKinds - 1));
}

}  // namespace

std::string RandomCase::Text() const {
  const bool floats = params.x_type == LANEPOOL_TYPE_FLOAT;
  return ParamsText(params) + " data=" + (floats ? DataText(data) : DataText(bytes));
}

std::vector<unsigned char> MakeX(Random* random, const RandomCase& item) {
  const oracle::Tensor tensor = oracle::TensorOfX(item.params);
  std::vector<unsigned char> x(static_cast<size_t>(tensor.Bytes()));
  if (item.params.x_type != LANEPOOL_TYPE_FLOAT) {
    FillBytes(random, item.bytes, item.params.x_type, x.data(), tensor.Span());
    return x;
  }
  std::vector<float> values(static_cast<size_t>(tensor.Span()));
  Fill(random, item.data, values.data(), tensor.Span());
  std::memcpy(x.data(), values.data(), x.size());
  return x;
}

RandomCase MakeDenseRandomCase(Random* random) {
  for (;;) {
    const lanepool_params params = MakeParams(random);
    const oracle::Shape shape = oracle::ResolveShape(params);
    if (shape.status == LANEPOOL_OK && IsSmall(params, shape)) return {params, PickData(random)};
  }
}

RandomCase MakeRandomCase(Random* random) {
  RandomCase result = MakeDenseRandomCase(random);
  lanepool_params* const p = &result.params;
  const oracle::Tensor y = oracle::TensorOfY(*p, oracle::ResolveShape(*p));
  if (random->Percent(35)) RandomView(random, oracle::TensorOfX(*p), ViewOf::kX, p);
  if (random->Percent(35)) RandomView(random, y, ViewOf::kY, p);
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
    if (shape.status != LANEPOOL_OK || !IsSmall(result.params, shape)) continue;
    const oracle::Tensor y = oracle::TensorOfY(result.params, shape);
    if (random->Percent(15)) {
      RandomView(random, oracle::TensorOfX(result.params), ViewOf::kX, &result.params);
    }
    if (random->Percent(15)) RandomView(random, y, ViewOf::kY, &result.params);
    return result;
  }
}

int64_t CaseCount(int64_t usual) {
  const char* const text = std::getenv("LANEPOOL_CASES");
  return text == nullptr ? usual : std::max<int64_t>(1, std::atoll(text));
}

uint64_t FirstSeed() {
  const char* const text = std::getenv("LANEPOOL_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

}  // namespace support
