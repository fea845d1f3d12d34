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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  support::Random random(data, size);
  const support::RandomCase item = MakeCase(&random);
  const support::Bytes x = support::MakeX(&random, item);
  const std::string fault = support::JobFault(item, x, &random);
  if (!fault.empty()) fuzz::Report(item.Text() + ": " + fault);
  return 0;
}
