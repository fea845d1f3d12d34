#include "check_job.h"

#include <cstring>
#include <vector>

#include "../oracle/types.h"
#include "../oracle/window.h"
#include "crash_note.h"
#include "params_text.h"
#include "targets.h"

namespace support {
namespace {

bool IsGapWritten(const oracle::Tensor& tensor, const Bytes& bytes) {
  Bytes gaps = bytes;
  oracle::ForEachOutput(tensor, [&](const oracle::Position&, int64_t offset) {
    std::memset(gaps.data() + offset * tensor.element_bytes, kPoison,
                static_cast<size_t>(tensor.element_bytes));
  });
  return gaps != Bytes(gaps.size(), kPoison);
}

std::string GapFault(const lanepool_params& params, const Outputs& outputs) {
  const oracle::Shape shape = oracle::ResolveShape(params);
  if (IsGapWritten(oracle::TensorOfY(params, shape), outputs.y)) return "a gap of y was written";
  const bool written = !outputs.index.empty();
  if (written && IsGapWritten(oracle::TensorOfIndex(params, shape), outputs.index)) {
    return "a gap of index was written";
  }
  return "";
}

std::string OutputsDifference(const lanepool_params& params, const Outputs& a, const Outputs& b) {
  std::string fault = Difference(a.y, b.y, oracle::ElementBytes(params.y_type));
  if (!fault.empty()) return fault;
  return Difference(a.index, b.index, oracle::ElementBytes(params.index_type), "index");
}

// Empty, or how other ways to run the job differ from `expected`.
std::string RunFault(const lanepool_params& params, const lanepool_desc& desc, const Inputs& inputs,
                     const Outputs& expected, Random* random) {
  const auto differs = [&](const char* what, const Outputs& outputs) {
    const std::string where = OutputsDifference(params, outputs, expected);
    return where.empty() ? where : what + where;
  };
  std::string fault = differs("split: ", RunInRanges(desc, inputs, random, false));
  if (fault.empty()) {
    fault = differs("split, backwards: ", RunInRanges(desc, inputs, random, true));
  }
  if (fault.empty()) fault = differs("unaligned: ", RunUnaligned(desc, inputs, random));
  return fault;
}

// How the job is done, but for the names of loops that add in the same order, see
// docs/decisions/0003: images that are merged may have another one of those than others.
std::string OrderOf(const lanepool_desc& desc) {
  std::string way = WayOf(desc);
  for (const std::string name : {"by two", "by steps"}) {
    if (way.rfind(name, 0) == 0) return "rows" + way.substr(name.size());
  }
  return way;
}

// What an f32 job averages to depends on its order of additions, so an average quantized from f32
// is held against the f32 of the same job, which has to add in the same order.
std::string QuantizedFloatFault(const RandomCase& item, uint64_t target_mask, const Bytes& x,
                                const Bytes& y) {
  std::string why;
  lanepool_params params = item.params;
  params.y_type = LANEPOOL_TYPE_FLOAT;
  params.y_zero_point = params.y_scale_count = 0;
  params.flags &= ~static_cast<uint32_t>(LANEPOOL_FLAG_CLAMP);
  params.index_type = LANEPOOL_TYPE_NONE;
  std::memset(params.index_strides, 0, sizeof params.index_strides);
  const Planned planned = Plan(params, target_mask);
  if (planned.status != LANEPOOL_OK) return "in f32: " + ErrorText(planned.error);
  const std::string way = OrderOf(planned.desc);
  const std::string own_way = OrderOf(Plan(item.params, target_mask).desc);
  if (params.op == LANEPOOL_OP_AVERAGE && way != own_way) {
    return "\"" + own_way + "\", but in f32 \"" + way + "\"";
  }
  const Bytes bytes = RunOnce(planned.desc, x);
  std::vector<float> real(bytes.size() / sizeof(float));
  std::memcpy(real.data(), bytes.data(), bytes.size());
  if (!oracle::Agrees(params, x.data(), real.data(), &why)) return "in f32: " + why;
  oracle::IsQuantized(item.params, real.data(), y.data(), &why, item.arrays);
  return why;
}

}  // namespace

std::string ValueFault(const RandomCase& item, uint64_t target_mask, const Inputs& inputs,
                       const Outputs& outputs) {
  std::string why;
  const lanepool_params& params = item.params;
  const void* const x = inputs.x.data();
  if (params.op == LANEPOOL_OP_MAX_UNPOOL) {
    oracle::UnpoolAgrees(params, x, inputs.index.data(), outputs.y.data(), &why);
    return why;
  }
  if (!oracle::Agrees(params, x, outputs.y.data(), &why, item.arrays)) return why;
  const bool indexed = params.index_type != LANEPOOL_TYPE_NONE;
  if (indexed && !oracle::IndicesAgree(params, x, outputs.index.data(), &why)) return why;
  if (params.x_type == LANEPOOL_TYPE_FLOAT && oracle::IsByte(params.y_type)) {
    return QuantizedFloatFault(item, target_mask, inputs.x, outputs.y);
  }
  return "";
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
  compare("index_bytes", desc.index_bytes, oracle::TensorOfIndex(params, shape).Bytes());
  const bool arrays = params.x_scale_count != 0 || params.y_scale_count != 0;
  compare("table_bytes > 0", desc.table_bytes > 0 ? 1 : 0, arrays ? 1 : 0);
  return fault;
}

std::string JobFault(const RandomCase& item, const Bytes& x, Random* random) {
  static const std::vector<Target> targets = SupportedTargets();
  const lanepool_params& params = item.params;
  Inputs inputs = {x, MakeIndex(random, params), {}};
  Outputs expected;
  for (const Target& target : targets) {
    const Planned planned = Plan(params, target.mask);
    if (planned.status != LANEPOOL_OK) return target.name + ": " + ErrorText(planned.error);
    SetCrashNote(target.name + ": " + item.Text());
    inputs.table = MakeTable(planned.desc, item.arrays);
    const Outputs outputs = RunOnce(planned.desc, inputs);
    std::string fault;
    if (expected.y.empty()) {
      fault = ShapeFault(params, planned.desc);
      if (fault.empty()) fault = GapFault(params, outputs);
      if (fault.empty()) fault = ValueFault(item, target.mask, inputs, outputs);
      expected = outputs;
    }
    if (fault.empty()) fault = OutputsDifference(params, outputs, expected);
    if (fault.empty()) fault = RunFault(params, planned.desc, inputs, expected, random);
    if (!fault.empty()) return target.name + ": " + fault;
  }
  return "";
}

}  // namespace support
