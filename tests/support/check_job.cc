#include "check_job.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../oracle/window.h"
#include "crash_note.h"
#include "params_text.h"
#include "targets.h"

namespace support {
namespace {

void Require(int32_t status) {
  if (status == LANEPOOL_OK) return;
  std::fprintf(stderr, "a run was refused: %s\n", lanepool_status_name(status));
  std::abort();
}

Bytes PoisonedY(const lanepool_desc& desc) {
  return Bytes(static_cast<size_t>(desc.y_bytes), kPoison);
}

bool IsGapWritten(const lanepool_params& params, const Bytes& y) {
  const oracle::Tensor tensor = oracle::TensorOfY(params, oracle::ResolveShape(params));
  Bytes gaps = y;
  oracle::ForEachOutput(tensor, [&](const oracle::Position&, int64_t offset) {
    std::memset(gaps.data() + offset * tensor.element_bytes, kPoison,
                static_cast<size_t>(tensor.element_bytes));
  });
  return gaps != Bytes(gaps.size(), kPoison);
}

// Empty, or how y disagrees with the oracle. What an f32 job averages to depends on its order of
// additions, so an average quantized from f32 is held against the f32 of the same job.
std::string ValueFault(const RandomCase& item, uint64_t target_mask, const Bytes& x,
                       const Bytes& y) {
  std::string why;
  const bool quantizes_floats =
      item.params.x_type == LANEPOOL_TYPE_FLOAT && item.params.y_type != LANEPOOL_TYPE_FLOAT;
  if (!oracle::Agrees(item.params, x.data(), y.data(), &why, item.arrays)) return why;
  if (!quantizes_floats) return "";

  lanepool_params params = item.params;
  params.y_type = LANEPOOL_TYPE_FLOAT;
  params.y_zero_point = params.y_scale_count = 0;
  params.flags &= ~static_cast<uint32_t>(LANEPOOL_FLAG_CLAMP);
  const Planned planned = Plan(params, target_mask);
  if (planned.status != LANEPOOL_OK) return "in f32: " + ErrorText(planned.error);
  const Bytes bytes = RunOnce(planned.desc, x);
  std::vector<float> real(bytes.size() / sizeof(float));
  std::memcpy(real.data(), bytes.data(), bytes.size());
  if (!oracle::Agrees(params, x.data(), real.data(), &why)) return "in f32: " + why;
  oracle::IsQuantized(item.params, real.data(), y.data(), &why, item.arrays);
  return why;
}

// Empty, or how other ways to run the job differ from `expected`.
std::string RunFault(const lanepool_desc& desc, const Bytes& x, const Table& table,
                     const Bytes& expected, int64_t element_bytes, Random* random) {
  const auto differs = [&](const char* what, const Bytes& y) {
    const std::string where = Difference(y, expected, element_bytes);
    return where.empty() ? where : what + where;
  };
  std::string fault = differs("split: ", RunInRanges(desc, x, table, random, false));
  if (fault.empty()) {
    fault = differs("split, backwards: ", RunInRanges(desc, x, table, random, true));
  }
  if (fault.empty()) fault = differs("unaligned: ", RunUnaligned(desc, x, table, random));
  return fault;
}

}  // namespace

Bytes RunOnce(const lanepool_desc& desc, const Bytes& x, const Table& table) {
  Bytes y = PoisonedY(desc);
  Require(Run(desc, x.data(), y.data(), table));
  return y;
}

Bytes RunInRanges(const lanepool_desc& desc, const Bytes& x, const Table& table, Random* random,
                  bool backwards) {
  std::vector<int64_t> ends = {0};
  const int64_t longest = std::max<int64_t>(1, desc.work_items / random->Between(1, 6));
  while (ends.back() < desc.work_items) {
    ends.push_back(std::min(desc.work_items, ends.back() + random->Between(1, longest)));
  }
  Bytes y = PoisonedY(desc);
  const size_t count = ends.size() - 1;
  for (size_t i = 0; i < count; ++i) {
    const size_t range = backwards ? count - 1 - i : i;
    Require(RunRange(desc, x.data(), y.data(), ends[range], ends[range + 1], table));
  }
  return y;
}

Bytes RunUnaligned(const lanepool_desc& desc, const Bytes& x, const Table& table, Random* random) {
  lanepool_params params;
  lanepool_desc_params(&desc, &params, sizeof params);
  const auto skip = [random](int32_t type) {
    const int64_t bytes = type == LANEPOOL_TYPE_FLOAT ? sizeof(float) : 1;
    return static_cast<size_t>(bytes * random->Between(0, 63 / bytes));
  };
  const size_t skip_x = skip(params.x_type);
  const size_t skip_y = skip(params.y_type);
  Bytes moved(skip_x + x.size());
  std::copy(x.begin(), x.end(), moved.begin() + static_cast<std::ptrdiff_t>(skip_x));
  Bytes y(skip_y + static_cast<size_t>(desc.y_bytes), kPoison);
  Require(Run(desc, moved.data() + skip_x, y.data() + skip_y, table));
  return {y.begin() + static_cast<std::ptrdiff_t>(skip_y), y.end()};
}

std::string Difference(const Bytes& a, const Bytes& b, int64_t element_bytes) {
  if (a.size() != b.size()) return "sizes";
  const auto first = std::mismatch(a.begin(), a.end(), b.begin()).first;
  if (first == a.end()) return "";
  const int64_t element = (first - a.begin()) / element_bytes;
  std::string text = "element " + std::to_string(element) + " of y:";
  for (const Bytes* const y : {&a, &b}) {
    text += y == &a ? " " : " and ";
    for (int64_t i = element_bytes; i-- > 0;) {  // as the number is written
      char digits[8];
      const auto byte = (*y)[static_cast<size_t>(element * element_bytes + i)];
      std::snprintf(digits, sizeof digits, "%02X", static_cast<unsigned>(byte));
      text += digits;
    }
  }
  return text;
}

std::string ShapeFault(const lanepool_params& params, const lanepool_desc& desc) {
  const oracle::Shape shape = oracle::ResolveShape(params);
  std::string fault;
  const auto compare = [&fault](const std::string& name, int64_t got, int64_t expected) {
    if (got == expected || !fault.empty()) return;
    fault = name + " is " + std::to_string(got) + ", not " + std::to_string(expected);
  };
  for (int i = 0; i < params.rank; ++i) {
    const std::string axis = "[" + std::to_string(i) + "]";
    compare("output" + axis, desc.output[i], shape.output[i]);
    compare("pads_begin" + axis, desc.pads_begin[i], shape.pads_begin[i]);
    compare("pads_end" + axis, desc.pads_end[i], shape.pads_end[i]);
  }
  compare("has_empty_windows", desc.has_empty_windows, shape.has_empty_windows ? 1 : 0);
  compare("x_bytes", desc.x_bytes, oracle::TensorOfX(params).Bytes());
  compare("y_bytes", desc.y_bytes, oracle::TensorOfY(params, shape).Bytes());
  const bool arrays = params.x_scale_count != 0 || params.y_scale_count != 0;
  compare("table_bytes > 0", desc.table_bytes > 0 ? 1 : 0, arrays ? 1 : 0);
  return fault;
}

std::string JobFault(const RandomCase& item, const Bytes& x, Random* random) {
  static const std::vector<Target> targets = SupportedTargets();
  const int64_t element_bytes = item.params.y_type == LANEPOOL_TYPE_FLOAT ? sizeof(float) : 1;
  Bytes expected;
  for (const Target& target : targets) {
    const Planned planned = Plan(item.params, target.mask);
    if (planned.status != LANEPOOL_OK) return target.name + ": " + ErrorText(planned.error);
    SetCrashNote(target.name + ": " + item.Text());
    const Table table = MakeTable(planned.desc, item.arrays);
    const Bytes y = RunOnce(planned.desc, x, table);
    std::string fault;
    if (expected.empty()) {
      fault = ShapeFault(item.params, planned.desc);
      if (fault.empty() && IsGapWritten(item.params, y)) fault = "a gap of y was written";
      if (fault.empty()) fault = ValueFault(item, target.mask, x, y);
      expected = y;
    }
    if (fault.empty()) fault = Difference(y, expected, element_bytes);
    if (fault.empty()) fault = RunFault(planned.desc, x, table, expected, element_bytes, random);
    if (!fault.empty()) return target.name + ": " + fault;
  }
  return "";
}

}  // namespace support
