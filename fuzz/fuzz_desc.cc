// Descs from a stranger: a fresh one with some bytes changed, or nothing but bytes. desc_check
// accepts only what lanepool_plan makes of the params inside; functions that read a desc without
// running it take anything.
#include <algorithm>
#include <cstring>

#include "hostile_params.h"
#include "target.h"

namespace {

void CheckAccepted(const lanepool_desc& desc) {
  lanepool_params params;
  lanepool_desc fresh;
  if (lanepool_desc_params(&desc, &params, sizeof params) != LANEPOOL_OK ||
      lanepool_plan(&params, &fresh, nullptr) != LANEPOOL_OK ||
      std::memcmp(&fresh, &desc, sizeof desc) != 0) {
    fuzz::Report("desc_check accepts a desc that no plan gives");
  }
}

// Flips, sets, copies: what damage and malice do.
void Spoil(support::Random* random, lanepool_desc* desc) {
  auto* const bytes = reinterpret_cast<unsigned char*>(desc);
  const int64_t last = static_cast<int64_t>(sizeof *desc) - 1;
  for (int64_t i = random->Between(0, 6); i > 0; --i) {
    const int64_t at = random->Between(0, last);
    switch (random->Between(0, 3)) {
      case 0:
        bytes[at] ^= static_cast<unsigned char>(1u << random->Between(0, 7));
        break;
      case 1:
        bytes[at] = static_cast<unsigned char>(random->Between(0, 255));
        break;
      case 2: {
        const uint64_t bits = random->Bits();
        std::memcpy(bytes + (at & ~int64_t{7}), &bits, sizeof bits);
        break;
      }
      default: {
        const int64_t from = random->Between(0, last);
        std::memmove(bytes + at, bytes + from,
                     static_cast<size_t>(std::min<int64_t>(8, last + 1 - std::max(at, from))));
        break;
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  support::Random random(data, size);
  lanepool_desc desc;
  std::memset(&desc, 0, sizeof desc);
  const bool raw = random.Between(0, 15) == 0;
  if (raw) {
    std::memcpy(&desc, data, std::min(size, sizeof desc));
  } else {
    const fuzz::HostileParams hostile(&random);
    lanepool_plan(&hostile.params, &desc, nullptr);
    Spoil(&random, &desc);
  }
  lanepool_error error;
  const int32_t status = lanepool_desc_check(&desc, sizeof desc, &error);
  if (status == LANEPOOL_OK) CheckAccepted(desc);
  char text[400];
  const bool explained = lanepool_explain(&desc, text, sizeof text) >= 0;
  if (explained != (status == LANEPOOL_OK)) fuzz::Report("explain and desc_check disagree");
  for (int32_t what = -1; what < 32; ++what) lanepool_desc_get(&desc, what);
  return 0;
}
