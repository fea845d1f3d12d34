// What pooling means, written down once more: slow, plain and exact. It shares nothing with the
// library but the constants and the params of the public header, and follows docs/semantics.md.
#ifndef LANEPOOL_TESTS_ORACLE_ORACLE_H_
#define LANEPOOL_TESTS_ORACLE_ORACLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lanepool/lanepool.h"

namespace oracle {

// More windows than this before the input are not looked at: the jobs that can be run have fewer.
inline constexpr int64_t kMostWindows = 1 << 17;

// Sections 1 and 3 of the semantics: sizes, pads, and whether a window has no tap in the input.
struct Shape {
  int32_t status;  // LANEPOOL_KERNEL .. LANEPOOL_EMPTY_WINDOW, or LANEPOOL_OK
  int64_t output[3];
  int64_t pads_begin[3];
  int64_t pads_end[3];
  int64_t index_space[3];  // the spatial sizes of the tensor that indices are positions in
  bool has_empty_windows;  // of the first kMostWindows that start before the input, and the last
  // A sum or product of the sizes of one axis leaves int64, though the result may not:
  // LANEPOOL_OVERFLOW is then a right answer as well.
  bool near_overflow;
};
Shape ResolveShape(const lanepool_params& params);

// A tensor of `params`: sizes and distances in elements, axes N, C, D1, D2, D3 (unused axes have
// size 1).
struct Tensor {
  int64_t sizes[5];
  int64_t strides[5];
  int64_t element_bytes;

  int64_t Span() const;  // elements from the first to the last, both included; 0 if there is none
  int64_t Bytes() const { return Span() * element_bytes; }
};
Tensor TensorOfX(const lanepool_params& params);
Tensor TensorOfY(const lanepool_params& params, const Shape& shape);
Tensor TensorOfIndex(const lanepool_params& params, const Shape& shape);  // all 0 without indices

// Scales and zero points of each channel; an empty vector stands for the value of the params.
struct PerChannel {
  std::vector<float> x_scales, y_scales;
  std::vector<int32_t> x_zero_points, y_zero_points;
};

// Writes the results into y, the gaps of a view excepted: correctly rounded, NaN as the quiet NaN,
// a sum that overflows on the way as IEEE gives it in tap order. The shape must resolve.
void Pool(const lanepool_params& params, const void* x, void* y, const PerChannel& arrays = {});

// For MAX with indices: writes where the maxima are, the gaps of a view excepted.
void PoolIndices(const lanepool_params& params, const void* x, void* index);

// MAX_UNPOOL. False, and nothing is written, if an index is neither -1 nor a position it may have.
bool Unpool(const lanepool_params& params, const void* x, const void* index, void* y);

// Whether y is a right result for x: bit for bit, but for AVERAGE, SUM and LP of floats. These lie
// inside the error bounds of section 4 and of lp.h, or follow the rules of IEEE where infinities or
// overflow take part; a quantized y must be that of such an f32. With STRICT_ORDER they too have
// one right value. On false, `why` describes the first wrong element.
bool Agrees(const lanepool_params& params, const void* x, const void* y, std::string* why,
            const PerChannel& arrays = {});

// The same, bit for bit, for the indices of MAX, and for the y of MAX_UNPOOL.
bool IndicesAgree(const lanepool_params& params, const void* x, const void* index,
                  std::string* why);
bool UnpoolAgrees(const lanepool_params& params, const void* x, const void* index, const void* y,
                  std::string* why);

// For a job from f32 to u8 or s8: whether y is `real`, quantized. `real` is what the same params
// give with y in f32, at the same places.
bool IsQuantized(const lanepool_params& params, const float* real, const void* y, std::string* why,
                 const PerChannel& arrays = {});

}  // namespace oracle

#endif  // LANEPOOL_TESTS_ORACLE_ORACLE_H_
