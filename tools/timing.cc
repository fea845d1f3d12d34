#include "timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lanepool_tool {
namespace {

constexpr double kSampleSeconds = 200e-6;  // a sample shorter than this would time the clock
constexpr double kCoolsDown = 50e-3;       // after so long a call no cache is left to warm up
constexpr size_t kFewestSamples = 5;

double Now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double SecondsPerCall(const std::function<void()>& call, int calls) {
  const double start = Now();
  for (int i = 0; i < calls; ++i) call();
  return (Now() - start) / calls;
}

// How long one call takes, roughly; ends the warm-up.
double Estimate(const std::function<void()>& call) {
  call();
  double estimate = SecondsPerCall(call, 1);
  for (int calls = 2; estimate * calls < kSampleSeconds && calls < (1 << 20); calls *= 2) {
    estimate = SecondsPerCall(call, calls);
  }
  return std::max(estimate, 1e-9);
}

Timing Summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {samples.front(), samples[samples.size() / 2], static_cast<int>(samples.size())};
}

}  // namespace

std::vector<Timing> TimeInTurns(const std::vector<Contender>& contenders, double seconds,
                                const std::function<void(double)>& progress) {
  std::vector<double> estimates;
  for (const Contender& contender : contenders) estimates.push_back(Estimate(contender.call));

  std::vector<std::vector<double>> samples(contenders.size());
  const double start = Now();
  const double length = seconds * static_cast<double>(contenders.size());
  for (size_t round = 0;; ++round) {
    const double fraction = (Now() - start) / length;
    if (round >= kFewestSamples && fraction >= 1) break;
    progress(std::min(1.0, std::max(fraction, 0.0)));
    for (size_t i = 0; i < contenders.size(); ++i) {
      const std::function<void()>& call = contenders[i].call;
      if (estimates[i] < kCoolsDown) call();  // untimed: brings its buffers back into the cache
      const int calls = static_cast<int>(std::ceil(kSampleSeconds / estimates[i]));
      samples[i].push_back(SecondsPerCall(call, std::max(1, calls)));
    }
  }
  std::vector<Timing> timings;
  for (std::vector<double>& s : samples) timings.push_back(Summarize(std::move(s)));
  return timings;
}

}  // namespace lanepool_tool
