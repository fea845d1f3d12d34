// MAX_UNPOOL: section 6 of the semantics.
#include <algorithm>

#include "allowed.h"
#include "indices.h"
#include "quantize.h"
#include "window.h"

namespace oracle {
namespace {

// x as an element of y: it is copied, clamped, and a NaN is the one that results have.
double Finish(const lanepool_params& params, double value) {
  if (IsFloating(params.y_type)) return ClampFloat(params, value);
  return ClampInteger(params, static_cast<int64_t>(value));
}

// Calls visit(offset in x, offset in y) for every index but -1, row major over n, c and the plane;
// false if one of them leads out of its plane or out of y.
template <typename Visit>
bool ForEachIndex(const lanepool_params& params, const Shape& shape, const void* index,
                  const Visit& visit) {
  const Tensor indices = TensorOfIndex(params, shape);
  const Tensor x = TensorOfX(params);
  const Tensor y = TensorOfY(params, shape);
  bool good = true;
  ForEachOutput(indices, [&](const Position& at, int64_t offset) {
    const int64_t value = LoadIndex(params.index_type, index, offset);
    if (value == -1) return;
    int64_t place[3];
    good = good && PlaceOf(params, shape, at[0], at[1], value, place) && place[0] < y.sizes[2] &&
           place[1] < y.sizes[3] && place[2] < y.sizes[4];
    if (good) visit(Offset(x, at), Offset(y, {at[0], at[1], place[0], place[1], place[2]}));
  });
  return good;
}

}  // namespace

bool Unpool(const lanepool_params& params, const void* x, const void* index, void* y) {
  const Shape shape = ResolveShape(params);
  if (!ForEachIndex(params, shape, index, [](int64_t, int64_t) {})) return false;
  const double nothing = IsFloating(params.y_type) ? 0 : params.y_zero_point;
  ForEachOutput(TensorOfY(params, shape), [&](const Position&, int64_t offset) {
    Store(params.y_type, y, offset, Finish(params, nothing));
  });
  return ForEachIndex(params, shape, index, [&](int64_t from, int64_t to) {
    Store(params.y_type, y, to, Finish(params, Load(params.x_type, x, from)));
  });
}

}  // namespace oracle
