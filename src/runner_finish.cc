#include "runner_finish.h"

#include <string.h>

#include "dequant.h"
#include "types.h"

namespace lanepool {
namespace {

// Within these the f64 arithmetic of the kernels gives the nearest f32, see SumsToFloats there: 255
// * taps < 2^28, divisor < 2^27.
constexpr int64_t kMostTapsToFloats = 1052688;
constexpr int64_t kMostDivisorToFloats = (int64_t{1} << 27) - 1;

// The steps of a rule, and how many of them a sum has reached.
class Steps {
 public:
  explicit Steps(const RequantRule& rule)
      : y_least_(rule.y_least), count_(RequantSteps(rule, steps_)) {}

  // As unsigned byte.
  int32_t operator()(uint64_t sum) const {
    int32_t low = 0, high = count_;
    while (low < high) {
      const int32_t middle = (low + high) / 2;
      if (steps_[middle] <= sum) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return y_least_ + low;
  }

 private:
  int32_t y_least_;
  uint64_t steps_[255];
  int32_t count_;
};

}  // namespace

Finisher::Finisher(const StagedCall& call)
    : context_(call.context), table_(call.table), kernels_(*KernelsFinish(call.target)) {}

bool Finisher::PerLane(const StagedLanes& lanes) const {
  return table_.exists() && lanes.lanes_are_channels;
}

WindowKey Finisher::Key(const StagedLanes& lanes) const {
  const lanepool_params& p = context_.params;
  if (p.op == LANEPOOL_OP_MAX) return {1, 0};
  const Axis<int64_t>* axes = context_.plan.axes;
  const int64_t kernel = axes[0].kernel * axes[1].kernel * axes[2].kernel;
  return KeyOf(p, kernel, lanes.size.taps, lanes.size.counted);
}

RequantRule Finisher::Rule(const StagedLanes& lanes, int64_t lane) const {
  const lanepool_params& p = context_.params;
  const int64_t channel = lanes.lanes_are_channels ? lanes.channel + lane : lanes.channel;
  const ChannelScales scales = table_.Scales(channel);
  if (p.op == LANEPOOL_OP_MAX) return RuleOf(p, scales, 1, 1);
  return RuleOf(p, scales, lanes.size.taps, DivisorOfWindow(p, context_.plan, lanes.size.counted));
}

Requant Finisher::RequantOfLanes(const StagedLanes& lanes, int32_t key) const {
  const Quantization& q = context_.plan.quantization;
  if (key >= 0 && key < q.requant_count && !table_.exists()) return q.requants[key];
  if (key >= 0 && table_.Requants() != nullptr) {
    return table_.Requants()[lanes.channel * q.key_count + key];
  }
  return MakeRequant(Rule(lanes, 0));
}

void Finisher::CountSteps(const StagedLanes& lanes, const uint32_t* sums, uint8_t* to) {
  const int64_t alike = PerLane(lanes) ? 1 : lanes.lanes;
  for (int64_t begin = 0; begin < lanes.lanes; begin += alike) {
    const Steps steps(Rule(lanes, begin));
    for (int64_t i = begin; i < begin + alike; ++i) {
      to[i] = static_cast<uint8_t>(steps(sums[i]) + context_.y_flip);
    }
  }
}

void Finisher::SumsToBytes(const StagedLanes& lanes, const uint32_t* sums, uint8_t* to) {
  const int32_t key = FindKey(context_.plan.quantization, Key(lanes));
  FinishJob job = {};
  job.from = sums;
  job.to = to;
  job.lanes = lanes.lanes;
  job.y_flip = context_.y_flip;
  job.per_lane = PerLane(lanes);
  if (job.per_lane) {
    if (key < 0) {
      CountSteps(lanes, sums, to);
      return;
    }
    job.steps = table_.Steps(key, lanes.channel);
    kernels_.sums_to_bytes(job);
    for (int64_t i = 0; i < lanes.lanes; ++i) {
      if ((job.steps.shapes[i] & kShapeSteps) == 0) continue;
      StagedLanes one = lanes;
      one.channel += i;
      one.lanes = 1;
      CountSteps(one, sums + i, to + i);
    }
    return;
  }
  const bool arrays = table_.exists() && table_.Requants() == nullptr && key >= 0;
  const OneSteps64 one(arrays ? Requant() : RequantOfLanes(lanes, key));
  job.steps = arrays ? table_.Steps(key, lanes.channel) : one.Arrays();
  if ((job.steps.shapes[0] & kShapeSteps) != 0) {
    CountSteps(lanes, sums, to);
  } else {
    kernels_.sums_to_bytes(job);
  }
}

void Finisher::SumsToFloats(const StagedLanes& lanes, const uint32_t* sums, float* to) {
  const lanepool_params& p = context_.params;
  const bool max = p.op == LANEPOOL_OP_MAX;
  const int64_t taps = max ? 1 : lanes.size.taps;
  const int64_t divisor = max ? 1 : DivisorOfWindow(p, context_.plan, lanes.size.counted);
  if (taps > kMostTapsToFloats || divisor > kMostDivisorToFloats) {
    for (int64_t i = 0; i < lanes.lanes; ++i) {
      const RequantRule rule = Rule(lanes, i);
      to[i] = Dequantize(sums[i], taps * rule.x_zero_point, rule.x_scale, divisor);
    }
    return;
  }
  FinishJob job = {};
  job.from = sums;
  job.to = to;
  job.lanes = lanes.lanes;
  job.x_flip = context_.x_flip;
  job.per_lane = PerLane(lanes);
  job.scales = table_.exists() ? table_.XScales() + lanes.channel : &p.x_scale;
  job.zero_points = table_.exists() ? table_.XZeroPoints() + lanes.channel : &p.x_zero_point;
  job.taps = static_cast<double>(taps);
  job.divisor = static_cast<double>(divisor);
  kernels_.sums_to_floats(job);
}

void Finisher::FloatsToBytes(const StagedLanes& lanes, const float* from, uint8_t* to) {
  const lanepool_params& p = context_.params;
  FinishJob job = {};
  job.from = from;
  job.to = to;
  job.lanes = lanes.lanes;
  job.per_lane = PerLane(lanes);
  job.scales = table_.exists() ? table_.YScales() + lanes.channel : &p.y_scale;
  job.zero_points = table_.exists() ? table_.YZeroPoints() + lanes.channel : &p.y_zero_point;
  job.rounding = p.rounding;
  ResultRange(p, &job.y_least, &job.y_most);
  kernels_.floats_to_bytes(job);
}

void Finisher::Write(const StagedLanes& lanes, const void* from) const {
  const size_t size = static_cast<size_t>(context_.y_size);
  const char* lane = static_cast<const char*>(from);
  for (int64_t i = 0; i < lanes.lanes; ++i, lane += size) {
    memcpy(lanes.y + i * lanes.y_step * context_.y_size, lane, size);
  }
}

void Finisher::Finish(const StagedLanes& lanes) {
  alignas(64) uint32_t results[kStageLanes];
  alignas(64) uint32_t wide[kStageLanes];
  void* const to = lanes.y_step == 1 ? static_cast<void*>(lanes.y) : results;
  const void* from = lanes.from;
  const Stage stage = context_.plan.quantization.stage;
  if (stage == Stage::kMaxima) {
    FinishJob job = {};
    job.from = lanes.from;
    job.to = wide;
    job.lanes = lanes.lanes;
    job.x_flip = context_.x_flip;
    kernels_.widen(job);
    from = wide;
  }
  if (stage == Stage::kFloats) {
    FloatsToBytes(lanes, static_cast<const float*>(from), static_cast<uint8_t*>(to));
  } else if (IsByte(context_.params.y_type)) {
    SumsToBytes(lanes, static_cast<const uint32_t*>(from), static_cast<uint8_t*>(to));
  } else {
    SumsToFloats(lanes, static_cast<const uint32_t*>(from), static_cast<float*>(to));
  }
  if (to == results) Write(lanes, results);
}

void Finisher::FinishWide(const StagedLanes& lanes) {
  const lanepool_params& p = context_.params;
  const uint64_t* const sums = static_cast<const uint64_t*>(lanes.from);
  const int64_t divisor = DivisorOfWindow(p, context_.plan, lanes.size.counted);
  for (int64_t i = 0; i < lanes.lanes; ++i) {
    char* const y = lanes.y + i * lanes.y_step * context_.y_size;
    const RequantRule rule = Rule(lanes, i);
    if (IsByte(p.y_type)) {
      *reinterpret_cast<uint8_t*>(y) = static_cast<uint8_t>(Steps(rule)(sums[i]) + context_.y_flip);
    } else {
      const float result =
          Dequantize(sums[i], lanes.size.taps * rule.x_zero_point, rule.x_scale, divisor);
      memcpy(y, &result, sizeof result);
    }
  }
}

}  // namespace lanepool
