#include "run_job.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "../oracle/types.h"
#include "guard_buffer.h"

namespace support {
namespace {

void Require(int32_t status) {
  if (status == LANEPOOL_OK) return;
  std::fprintf(stderr, "a run was refused: %s\n", lanepool_status_name(status));
  std::abort();
}

// The index buffer of a call: what MAX_UNPOOL reads, or what MAX writes.
Bytes IndexBuffer(const lanepool_desc& desc, const Inputs& inputs) {
  return inputs.index.empty() ? Bytes(static_cast<size_t>(desc.index_bytes), kPoison)
                              : inputs.index;
}

Outputs Poisoned(const lanepool_desc& desc, const Inputs& inputs) {
  return {Bytes(static_cast<size_t>(desc.y_bytes), kPoison), IndexBuffer(desc, inputs)};
}

void* DataOf(Bytes* index) { return index->empty() ? nullptr : index->data(); }

// What was written: not the index of MAX_UNPOOL.
Outputs Written(const Inputs& inputs, Outputs outputs) {
  if (inputs.index.empty()) return outputs;
  if (outputs.index != inputs.index) {
    std::fprintf(stderr, "a run wrote the index that it reads\n");
    std::abort();
  }
  outputs.index.clear();
  return outputs;
}

// A copy of a buffer: some elements behind the start of an allocation, or against a page that ends
// the process when touched.
class Moved {
 public:
  Moved(const Bytes& bytes, int32_t type, Random* random) : size_(bytes.size()) {
    const int64_t place = random->Between(0, 3);
    if (size_ == 0) return;
    if (place < 2) {
      guarded_.emplace(size_, place == 0 ? Placement::kPageEnd : Placement::kPageStart);
      data_ = static_cast<unsigned char*>(guarded_->data());
    } else {
      const int64_t element = oracle::ElementBytes(type);
      const auto skip = static_cast<size_t>(element * random->Between(0, 63 / element));
      own_.resize(skip + size_, kPoison);
      data_ = own_.data() + skip;
    }
    std::memcpy(data_, bytes.data(), size_);
  }
  void* data() { return data_; }
  Bytes Back() const { return {data_, data_ + size_}; }

 private:
  size_t size_;
  std::optional<GuardBuffer> guarded_;
  Bytes own_;
  unsigned char* data_ = nullptr;
};

}  // namespace

Outputs RunOnce(const lanepool_desc& desc, const Inputs& inputs) {
  Outputs outputs = Poisoned(desc, inputs);
  Require(Run(desc, inputs.x.data(), outputs.y.data(), inputs.table, DataOf(&outputs.index)));
  return Written(inputs, outputs);
}

Outputs RunInRanges(const lanepool_desc& desc, const Inputs& inputs, Random* random,
                    bool backwards) {
  std::vector<int64_t> ends = {0};
  const int64_t longest = std::max<int64_t>(1, desc.work_items / random->Between(1, 6));
  while (ends.back() < desc.work_items) {
    ends.push_back(std::min(desc.work_items, ends.back() + random->Between(1, longest)));
  }
  Outputs outputs = Poisoned(desc, inputs);
  const size_t count = ends.size() - 1;
  for (size_t i = 0; i < count; ++i) {
    const size_t range = backwards ? count - 1 - i : i;
    Require(RunRange(desc, inputs.x.data(), outputs.y.data(), ends[range], ends[range + 1],
                     inputs.table, DataOf(&outputs.index)));
  }
  return Written(inputs, outputs);
}

Outputs RunUnaligned(const lanepool_desc& desc, const Inputs& inputs, Random* random) {
  lanepool_params params;
  lanepool_desc_params(&desc, &params, sizeof params);
  const Outputs poisoned = Poisoned(desc, inputs);
  Moved x(inputs.x, params.x_type, random);
  Moved y(poisoned.y, params.y_type, random);
  Moved index(poisoned.index, params.index_type, random);
  Require(Run(desc, x.data(), y.data(), inputs.table, index.data()));
  return Written(inputs, {y.Back(), index.Back()});
}

Bytes RunOnce(const lanepool_desc& desc, const Bytes& x, const Table& table) {
  return RunOnce(desc, Inputs{x, {}, table}).y;
}

std::string Difference(const Bytes& a, const Bytes& b, int64_t element_bytes, const char* tensor) {
  if (a.size() != b.size()) return "sizes";
  const auto first = std::mismatch(a.begin(), a.end(), b.begin()).first;
  if (first == a.end()) return "";
  const int64_t element = (first - a.begin()) / element_bytes;
  std::string text = "element " + std::to_string(element) + " of " + tensor + ":";
  for (const Bytes* const bytes : {&a, &b}) {
    text += bytes == &a ? " " : " and ";
    for (int64_t i = element_bytes; i-- > 0;) {  // as the number is written
      char digits[8];
      const auto byte = (*bytes)[static_cast<size_t>(element * element_bytes + i)];
      std::snprintf(digits, sizeof digits, "%02X", static_cast<unsigned>(byte));
      text += digits;
    }
  }
  return text;
}

}  // namespace support
