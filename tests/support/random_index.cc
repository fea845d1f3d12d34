// The index part of random_case.h.
#include <algorithm>
#include <vector>

#include "../oracle/indices.h"
#include "random_case.h"
#include "run_job.h"

namespace support {
namespace {

// The positions of a plane that lie in the index space and in y.
class Positions {
 public:
  Positions(const lanepool_params& params, const oracle::Shape& shape) : sizes_{1, 1, 1} {
    for (int i = 0; i < params.rank; ++i) {
      sizes_[i] = std::min(shape.index_space[i], shape.output[i]);
    }
  }
  int64_t Count() const { return sizes_[0] * sizes_[1] * sizes_[2]; }
  void At(int64_t number, int64_t (&place)[3]) const {
    place[2] = number % sizes_[2];
    place[1] = number / sizes_[2] % sizes_[1];
    place[0] = number / (sizes_[2] * sizes_[1]);
  }

 private:
  int64_t sizes_[3];
};

}  // namespace

std::vector<unsigned char> MakeIndex(Random* random, const lanepool_params& params) {
  if (params.op != LANEPOOL_OP_MAX_UNPOOL) return {};
  const oracle::Shape shape = oracle::ResolveShape(params);
  const oracle::Tensor tensor = oracle::TensorOfIndex(params, shape);
  const Positions positions(params, shape);
  const int absent = random->Pick({0, 10, 60});
  const bool in_order = random->Percent(40);  // as pooling without overlaps gives them
  int64_t number = 0;
  // Gaps hold what is no index at all.
  Bytes index(static_cast<size_t>(tensor.Bytes()), kPoison);
  oracle::ForEachOutput(tensor, [&](const oracle::Position& at, int64_t offset) {
    int64_t place[3];
    number = in_order ? (number + random->Between(1, 3)) % positions.Count()
                      : random->Between(0, positions.Count() - 1);
    positions.At(number, place);
    const int64_t value = oracle::IndexAt(params, shape, at[0], at[1], place);
    oracle::StoreIndex(params.index_type, index.data(), offset,
                       random->Percent(absent) ? -1 : value);
  });
  return index;
}

}  // namespace support
