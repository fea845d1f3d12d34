// Params of any kind: lanepool_plan answers with a status and leaves the desc alone, or with a desc
// whose numbers hold in 128-bit arithmetic, that desc_check accepts, and that gives its params
// back.
#include <cstring>

#include "hostile_params.h"
#include "plan_bounds.h"
#include "support/params_text.h"
#include "target.h"

namespace {

constexpr unsigned char kPoison = 0xC5;

const lanepool_desc* Poisoned() {
  static const lanepool_desc* const desc = [] {
    static lanepool_desc poisoned;
    std::memset(&poisoned, kPoison, sizeof poisoned);
    return &poisoned;
  }();
  return desc;
}

void CheckRefusal(const lanepool_desc& desc, const lanepool_error& error, int32_t status) {
  if (std::memcmp(&desc, Poisoned(), sizeof desc) != 0) {
    fuzz::Report("a plan that failed wrote to its desc");
  }
  if (error.status != status) fuzz::Report("the error report has another status");
  char text[200];
  std::memset(text, kPoison, sizeof text);
  lanepool_error_format(&error, text, sizeof text);
  if (std::memchr(text, 0, sizeof text) == nullptr) fuzz::Report("a message without an end");
}

void CheckPlan(const lanepool_params& params, const lanepool_desc& desc) {
  const std::string fault = fuzz::BoundsFault(params, desc);
  if (!fault.empty()) fuzz::Report(fault + " of " + support::ParamsText(params));
  if (lanepool_desc_check(&desc, sizeof desc, nullptr) != LANEPOOL_OK) {
    fuzz::Report("desc_check refuses a fresh desc of " + support::ParamsText(params));
  }
  lanepool_params again;
  std::memset(&again, kPoison, sizeof again);
  if (lanepool_desc_params(&desc, &again, sizeof again) != LANEPOOL_OK) {
    fuzz::Report("a desc without params");
  }
  lanepool_desc second;
  if (lanepool_plan(&again, &second, nullptr) != LANEPOOL_OK ||
      std::memcmp(&second, &desc, sizeof desc) != 0) {
    fuzz::Report("the params of a desc make another desc: " + support::ParamsText(params));
  }
  char text[400];
  lanepool_explain(&desc, text, sizeof text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  support::Random random(data, size);
  const fuzz::HostileParams hostile(&random);
  const lanepool_params& params = hostile.params;
  lanepool_desc desc = *Poisoned();
  lanepool_error error;
  std::memset(&error, kPoison, sizeof error);
  const int32_t status = lanepool_plan(&params, &desc, &error);
  if (status == LANEPOOL_OK) {
    CheckPlan(params, desc);
  } else {
    CheckRefusal(desc, error, status);
  }
  return 0;
}
