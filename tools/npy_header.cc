// Reading and making the header of a .npy file: the magic, the version, the header's length, and a
// Python literal as {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 5, 5), }.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "lanepool/lanepool.h"
#include "names.h"
#include "npy.h"
#include "tool_error.h"
#include "tool_text.h"

namespace lanepool_tool {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicBytes = 6;
constexpr size_t kMaxHeader = 65536;
constexpr size_t kMaxAxes = 32;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
constexpr char kNative = '>';
constexpr char kForeign = '<';
constexpr char kForeignName[] = "little-endian";
#else
constexpr char kNative = '<';
constexpr char kForeign = '>';
constexpr char kForeignName[] = "big-endian";
#endif

// numpy has no bf16: ml_dtypes and others store it as two raw bytes.
struct NumpyType {
  const char* code;
  int32_t type;
};
constexpr NumpyType kNumpyTypes[] = {{"f4", LANEPOOL_TYPE_FLOAT},   {"f8", LANEPOOL_TYPE_DOUBLE},
                                     {"f2", LANEPOOL_TYPE_FLOAT16}, {"V2", LANEPOOL_TYPE_BFLOAT16},
                                     {"u1", LANEPOOL_TYPE_UINT8},   {"i1", LANEPOOL_TYPE_INT8},
                                     {"u2", LANEPOOL_TYPE_UINT16},  {"i2", LANEPOOL_TYPE_INT16},
                                     {"i4", LANEPOOL_TYPE_INT32},   {"i8", LANEPOOL_TYPE_INT64}};

int32_t TypeOfDescr(std::string_view descr) {
  const std::string subject = "element type " + Quote(descr) + " is ";
  if (descr.size() < 3) throw BadInput(subject + "not known");
  if (descr[0] == kForeign) {
    throw BadInput(subject + kForeignName + ", which this machine's tool does not read");
  }
  if (descr[0] == kNative || descr[0] == '|') {
    for (const NumpyType& known : kNumpyTypes) {
      const bool needs_order = ElementBytes(known.type) > 1 && known.code[0] != 'V';
      if (descr.substr(1) == known.code && !(needs_order && descr[0] == '|')) return known.type;
    }
  }
  throw BadInput(subject + "not one of " + AllNames(Types(), ", "));
}

// A cursor over the literal. Every step checks for the end.
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool Take(std::string_view token) {
    SkipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void Need(std::string_view token) {
    if (!Take(token)) throw Broken(Quote(token) + " expected");
  }
  bool AtEnd() {
    SkipSpace();
    return at_ == text_.size();
  }
  std::string_view String() {
    const char quote = Take("'") ? '\'' : '"';
    if (quote == '"') Need("\"");
    const size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) throw Broken("a string does not end");
    const std::string_view string = text_.substr(at_, end - at_);
    at_ = end + 1;
    return string;
  }
  int64_t Size() {
    SkipSpace();
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    const std::string digits(text_.substr(begin, at_ - begin));
    if (digits.empty()) throw Broken("a size expected");
    Take("L");  // Python 2 wrote long integers so
    return ParseInteger(digits, "a size of the shape:");
  }
  std::vector<int64_t> Tuple() {
    std::vector<int64_t> sizes;
    Need("(");
    while (!Take(")")) {
      if (sizes.size() == kMaxAxes) throw BadInput("the shape has more than 32 axes");
      sizes.push_back(Size());
      if (!Take(",")) {
        if (sizes.size() == 1) throw Broken("a tuple of one needs a comma");
        Need(")");
        break;
      }
    }
    return sizes;
  }
  BadInput Broken(const std::string& why) const {
    return BadInput(Format("the header is broken at its character %zu: ", at_) + why);
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

void ParseLiteral(std::string_view text, NpyHeader* header) {
  Literal literal(text);
  bool has_descr = false, has_order = false, has_shape = false;
  literal.Need("{");
  while (!literal.Take("}")) {
    const std::string_view key = literal.String();
    literal.Need(":");
    bool* seen = key == "descr"           ? &has_descr
                 : key == "fortran_order" ? &has_order
                 : key == "shape"         ? &has_shape
                                          : nullptr;
    if (seen == nullptr) throw literal.Broken("unknown key " + Quote(key));
    if (*seen) throw literal.Broken("key " + Quote(key) + " comes twice");
    *seen = true;
    if (seen == &has_descr) {
      if (literal.Take("[")) throw BadInput("arrays of records are not supported");
      header->type = TypeOfDescr(literal.String());
    } else if (seen == &has_order) {
      if (literal.Take("True")) {
        throw BadInput("the array is in Fortran order; save it with numpy.ascontiguousarray");
      }
      literal.Need("False");
    } else {
      header->shape = literal.Tuple();
    }
    if (!literal.Take(",")) {
      literal.Need("}");
      break;
    }
  }
  if (!literal.AtEnd()) throw literal.Broken("nothing may follow '}'");
  if (!has_descr) throw BadInput("the header lacks 'descr'");
  if (!has_order) throw BadInput("the header lacks 'fortran_order'");
  if (!has_shape) throw BadInput("the header lacks 'shape'");
}

uint64_t DataBytes(const NpyHeader& header) {
  uint64_t bytes = static_cast<uint64_t>(ElementBytes(header.type));
  for (const int64_t size : header.shape) {
    if (size == 0) return 0;
  }
  for (const int64_t size : header.shape) {
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes)) {
      throw BadInput("the shape (" + Join(header.shape) + ") is too large for any file");
    }
  }
  return bytes;
}

// The little-endian number of `bytes` bytes at `offset`.
uint32_t LittleEndian(const std::string& text, size_t offset, size_t bytes) {
  uint32_t value = 0;
  for (size_t i = bytes; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(text[offset + i]);
  return value;
}

}  // namespace

NpyHeader ParseNpyHeader(const std::string& start, uint64_t file_bytes) {
  if (start.size() < kMagicBytes + 2 || std::memcmp(start.data(), kMagic, kMagicBytes) != 0) {
    throw BadInput("not a .npy file");
  }
  const int major = static_cast<unsigned char>(start[kMagicBytes]);
  const int minor = static_cast<unsigned char>(start[kMagicBytes + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw BadInput(Format("format version %d.%d is not one of 1.0, 2.0, 3.0", major, minor));
  }
  const size_t length_at = kMagicBytes + 2;
  const size_t length_bytes = major == 1 ? 2 : 4;
  if (start.size() < length_at + length_bytes) throw BadInput("the file ends within its header");
  const size_t length = LittleEndian(start, length_at, length_bytes);
  if (length > kMaxHeader) throw BadInput(Format("a header of %zu bytes is too long", length));
  NpyHeader header;
  header.data_offset = length_at + length_bytes + length;
  if (header.data_offset > start.size()) throw BadInput("the file ends within its header");
  ParseLiteral(std::string_view(start).substr(length_at + length_bytes, length), &header);

  const uint64_t expected = DataBytes(header);
  const uint64_t present = file_bytes - header.data_offset;
  if (present != expected) {
    throw BadInput(Format("the shape (%s) of %s needs %llu bytes, the file has %llu",
                          Join(header.shape).c_str(), NameOf(Types(), header.type),
                          static_cast<unsigned long long>(expected),
                          static_cast<unsigned long long>(present)));
  }
  header.data_bytes = static_cast<size_t>(expected);
  return header;
}

std::string MakeNpyHeader(int32_t type, const std::vector<int64_t>& shape) {
  const NumpyType* numpy_type = std::find_if(std::begin(kNumpyTypes), std::end(kNumpyTypes),
                                             [&](const NumpyType& t) { return t.type == type; });
  const char order = ElementBytes(type) == 1 ? '|' : kNative;
  std::string sizes;
  for (const int64_t size : shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  if (shape.size() == 1) sizes += ",";
  std::string literal = Format("{'descr': '%c%s', 'fortran_order': False, 'shape': (%s), }", order,
                               numpy_type->code, sizes.c_str());
  // The data shall begin at a multiple of 64; the header ends with a line feed.
  const size_t before = kMagicBytes + 2 + 2;
  literal.append(63 - (before + literal.size()) % 64, ' ');
  literal += '\n';
  std::string header(kMagic, kMagicBytes);
  header += {'\x01', '\x00', static_cast<char>(literal.size() & 0xff),
             static_cast<char>(literal.size() >> 8)};
  return header + literal;
}

}  // namespace lanepool_tool
