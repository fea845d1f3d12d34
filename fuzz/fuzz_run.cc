// Jobs and data that the bytes choose: right results by the oracle, the same bytes on every
// instruction set, for every split and alignment, no gap written. Build it with AddressSanitizer.
#include "support/any_case.h"
#include "support/check_job.h"
#include "support/random_case.h"
#include "target.h"

namespace {

support::RandomCase MakeCase(support::Random* random) {
  switch (random->Between(0, 4)) {
    case 0:
      return support::MakeRandomCase(random);
    case 1:
      return support::MakeQuantizedCase(random);
    case 2:
      return support::MakeApartRandomCase(random);
    default:
      return support::MakeAnyCase(random);
  }
}

// Taps and elements of x. 0 where the params make no plan.
double WorkOf(const lanepool_params& params) {
  lanepool_desc desc;
  if (lanepool_plan(&params, &desc, nullptr) != LANEPOOL_OK) return 0;
  double taps = 1;
  for (int i = 0; i < params.rank; ++i) {
    const bool whole = params.kernel[i] == 0;  // global, adaptive
    taps *= static_cast<double>(whole ? params.input[i] : params.kernel[i]);
  }
  return static_cast<double>(desc.element_count) * taps + static_cast<double>(desc.x_bytes);
}

// Most are small, so that there are many of them.
support::RandomCase MakeUsualCase(support::Random* random) {
  constexpr double kUsualWork = 4000;
  constexpr int kTries = 8;
  support::RandomCase item = MakeCase(random);
  if (random->Percent(2)) return item;
  for (int i = 1; i < kTries && WorkOf(item.params) > kUsualWork; ++i) item = MakeCase(random);
  return item;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  support::Random random(data, size);
  const support::RandomCase item = MakeUsualCase(&random);
  const support::Bytes x = support::MakeX(&random, item);
  const std::string fault = support::JobFault(item, x, &random);
  if (!fault.empty()) fuzz::Report(item.Text() + ": " + fault);
  return 0;
}
