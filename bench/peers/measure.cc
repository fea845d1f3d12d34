#include "measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

namespace peers {
namespace {

using Call = std::function<void()>;

constexpr double kSampleSeconds = 200e-6;  // a shorter sample would time the clock
constexpr double kCoolsDown = 50e-3;       // after so long a call no cache is left to warm up
constexpr size_t kFewestSamples = 7;
constexpr size_t kFewestSlowSamples = 3;  // of calls that cool down
constexpr size_t kMostSamples = 101;

double Now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double SecondsPerCall(const Call& call, int calls) {
  const double start = Now();
  for (int i = 0; i < calls; ++i) call();
  return (Now() - start) / calls;
}

int CallsFor(double seconds, double seconds_per_call) {
  return static_cast<int>(std::ceil(seconds / std::max(seconds_per_call, 1e-9)));
}

class Contender {
 public:
  Contender(const Call& call, const Effort& effort) : call_(call), effort_(effort) {
    WarmUp();
    const double estimate = Estimate();
    is_slow_ = estimate > kCoolsDown;
    calls_ = CallsFor(std::max(kSampleSeconds, effort.pause_seconds / 10), estimate);
  }

  // Whether it has had its time.
  bool IsDone() const {
    const size_t fewest = is_slow_ ? kFewestSlowSamples : kFewestSamples;
    const size_t taken = samples_.size();
    return taken >= kMostSamples || (taken >= fewest && spent_ >= effort_.seconds);
  }

  void TakeSample() {
    WarmUp();
    if (!is_slow_) call_();
    samples_.push_back(SecondsPerCall(call_, calls_));
    spent_ += samples_.back() * calls_;
  }

  Timing Summarize() {
    std::sort(samples_.begin(), samples_.end());
    const size_t n = samples_.size();
    const double median = samples_[n / 2];
    const double spread = (samples_[n * 3 / 4] - samples_[n / 4]) / median;
    return {median, samples_[0], spread, static_cast<int>(n)};
  }

 private:
  // On several threads.
  void WarmUp() {
    const std::chrono::duration<double> pause(effort_.pause_seconds);
    std::this_thread::sleep_for(pause);
    for (const double begin = Now(); Now() - begin < effort_.pause_seconds;) call_();
  }

  // How long one call takes, roughly. The quickest of three tries: one may be disturbed.
  double Estimate() {
    double estimate = SecondsPerCall(call_, 1);
    if (estimate > kCoolsDown) return estimate;
    estimate = SecondsPerCall(call_, 1);
    for (int i = 0; i < 3; ++i) {
      const int calls = CallsFor(kSampleSeconds / 4, estimate);
      estimate = std::min(estimate, SecondsPerCall(call_, calls));
    }
    return estimate;
  }

  const Call& call_;
  const Effort effort_;
  bool is_slow_;
  int calls_;
  double spent_ = 0;  // on samples
  std::vector<double> samples_;
};

}  // namespace

std::vector<Timing> TimeInTurns(const std::vector<Call>& calls, const Effort& effort) {
  std::vector<Contender> contenders;
  for (const Call& call : calls) contenders.emplace_back(call, effort);
  // In another order each time: who follows a call that leaves much to write back pays for it.
  std::vector<Contender*> order;
  for (Contender& contender : contenders) order.push_back(&contender);
  std::mt19937 random(1);
  for (bool all_done = false; !all_done;) {
    all_done = true;
    std::shuffle(order.begin(), order.end(), random);
    for (Contender* contender : order) {
      if (contender->IsDone()) continue;
      all_done = false;
      contender->TakeSample();
    }
  }
  std::vector<Timing> timings;
  for (Contender& contender : contenders) timings.push_back(contender.Summarize());
  return timings;
}

}  // namespace peers
