// What stands in the sealed part of a lanepool_desc, and the way in and out.
#ifndef LANEPOOL_SRC_DESC_H_
#define LANEPOOL_SRC_DESC_H_

#include <stddef.h>
#include <stdint.h>

#include "compiled_in.h"
#include "lanepool/lanepool.h"
#include "plan.h"

namespace lanepool {

struct Sealed {
  lanepool_params params;
  Plan plan;
};
static_assert(sizeof(Sealed) <= sizeof(lanepool_desc::sealed), "Sealed outgrew lanepool_desc");
static_assert(alignof(Sealed) <= alignof(lanepool_desc), "");

// Plans and seals: every byte of *desc is determined by *params. *desc is written on success only.
int32_t MakeDesc(const lanepool_params& params, uint64_t supported_targets, lanepool_desc* desc,
                 lanepool_error* error);

// Whether `desc` claims to be one of this version. Nothing more is known about its contents.
// Libraries that have different kernels do not run each other's plans.
constexpr uint32_t kDescMagic = 0x4C50444Bu ^ kLeftOut;
inline bool IsDesc(const lanepool_desc* desc) {
  return desc != nullptr && desc->magic == kDescMagic && desc->abi_version == LANEPOOL_ABI_VERSION;
}

inline const Sealed& Unseal(const lanepool_desc& desc) {
  return *reinterpret_cast<const Sealed*>(desc.sealed);
}

// Copies a caller's params of `struct_size` bytes into one of this version; see lanepool.h for
// sizes.
int32_t ReadParams(const lanepool_params* given, lanepool_params* params, lanepool_error* error);

// Defaults of a dialect. False for an unknown one.
bool DefaultParams(int32_t dialect, lanepool_params* params);

// The line of lanepool_explain.
int32_t Explain(const lanepool_desc& desc, const char* target, char* out, size_t size);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_DESC_H_
