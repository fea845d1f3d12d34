#include "pack.h"

#include "../oracle/types.h"

namespace support {
namespace {

Bytes Room(int32_t type, size_t count) {
  return Bytes(count * static_cast<size_t>(oracle::ElementBytes(type)));
}

int64_t Count(int32_t type, const Bytes& bytes) {
  return static_cast<int64_t>(bytes.size()) / oracle::ElementBytes(type);
}

}  // namespace

Bytes Pack(int32_t type, const std::vector<double>& values) {
  Bytes bytes = Room(type, values.size());
  int64_t at = 0;
  for (const double value : values) oracle::Store(type, bytes.data(), at++, value);
  return bytes;
}

std::vector<double> Unpack(int32_t type, const Bytes& bytes) {
  std::vector<double> values;
  for (int64_t i = 0; i < Count(type, bytes); ++i) {
    values.push_back(oracle::Load(type, bytes.data(), i));
  }
  return values;
}

Bytes PackIndex(int32_t type, const std::vector<int64_t>& values) {
  Bytes bytes = Room(type, values.size());
  int64_t at = 0;
  for (const int64_t value : values) oracle::StoreIndex(type, bytes.data(), at++, value);
  return bytes;
}

std::vector<int64_t> UnpackIndex(int32_t type, const Bytes& bytes) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < Count(type, bytes); ++i) {
    values.push_back(oracle::LoadIndex(type, bytes.data(), i));
  }
  return values;
}

}  // namespace support
