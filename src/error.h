// Error reports: which field broke which rule. The words are in error.cc, one place for all.
#ifndef LANEPOOL_SRC_ERROR_H_
#define LANEPOOL_SRC_ERROR_H_

#include <stddef.h>
#include <stdint.h>

#include "lanepool/lanepool.h"

namespace lanepool {

enum class Field : int32_t {
  kNone,
  kParams,
  kDesc,
  kStructSize,
  kOp,
  kLayout,
  kRank,
  kXType,
  kYType,
  kIndexType,
  kAutoPad,
  kCeilMode,
  kValidCeil,
  kOversizeKernel,
  kDivisor,
  kEmptyWindow,
  kNanRule,
  kRounding,
  kIndexMode,
  kStorageOrder,
  kFlags,
  kTargetMask,
  kDivisorValue,
  kBatch,
  kChannels,
  kInput,
  kKernel,
  kStrides,
  kDilations,
  kPadsBegin,
  kPadsEnd,
  kOutputSize,
  kXStrides,
  kYStrides,
  kIndexStrides,
  kXScale,
  kYScale,
  kXZeroPoint,
  kYZeroPoint,
  kXScaleCount,
  kYScaleCount,
  kClampLow,
  kClampHigh,
  kLpOrder,
  kReserved,
  kX,
  kY,
  kTable,
  kTableBytes,
  kCount
};

enum class Rule : int32_t {
  kNone,
  kNotNull,          // must not be NULL
  kAtLeast,          // must be at least limit
  kAtMost,           // must be at most limit
  kZero,             // must be 0
  kKnownCode,        // no such code
  kKnownSize,        // a struct size that no version had, or a tail that is not 0
  kUnusedEntry,      // entry at or beyond rank must stay 0
  kWithOp,           // not with this op (limit)
  kWithXType,        // not with this x_type (limit)
  kWithFlag,         // must stay at its default under flag (limit)
  kWithAutoPad,      // must be 0 with this auto_pad (limit)
  kWithDivisor,      // must be 0 unless divisor is DIVISOR_CONSTANT
  kExclusive,        // flags exclude each other
  kEffectiveKernel,  // (kernel - 1) * dilation + 1 overflows
  kPaddedInput,      // input + pads overflows
  kWindowSpan,       // (output - 1) * stride + effective kernel overflows
  kByteTaps,         // a window of bytes has more taps (value) than limit
  kElementCount,     // the number of elements overflows
  kIndexRange,       // the greatest index (limit) does not fit index_type
  kByteCount,        // the byte count overflows
  kScratchBytes,     // the workspace it needs overflows
  kOutputEmpty,      // effective kernel (value) exceeds the padded input (limit)
  kWindowEmpty,      // a window has no tap inside the input
  kOverlap,          // elements overlap: stride below limit
  kPositive,         // must be finite and > 0
  kClampOrder,       // clamp_low must be at most clamp_high
  kClampEmpty,       // no value of y's type between clamp_low and clamp_high
  kWithArrays,       // a count of 0, yet arrays of limit channels
  kLpRange,          // must be at least 1
  kCompiledTarget,   // none of these targets is compiled in and supported
  kNoKernel,         // valid, no kernel in this version
  kLeftOut,          // valid, but not compiled in
  kAligned,          // the address must be a multiple of limit
  kNotOurs,          // not made by lanepool_plan of this version
  kCount
};

// Fills *error, which may be NULL, and returns `status`.
int32_t Fail(lanepool_error* error, int32_t status, Field field, Rule rule, int64_t value = 0,
             int64_t limit = 0, int32_t axis = -1, double real = 0.0);

// Clears *error, which may be NULL, and returns LANEPOOL_OK.
int32_t Succeed(lanepool_error* error);

const char* StatusName(int32_t status);

// The sentence of lanepool_error_format.
int32_t FormatError(const lanepool_error& error, char* out, size_t size);

}  // namespace lanepool

#endif  // LANEPOOL_SRC_ERROR_H_
