#include "params.h"

#include <nanobind/stl/string.h>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace lanepool_python {
namespace nb = nanobind;
namespace {

struct Choice {
  const char* name;
  int64_t code;
};

constexpr Choice kOps[] = {
    {"average", LANEPOOL_OP_AVERAGE}, {"max", LANEPOOL_OP_MAX},
    {"min", LANEPOOL_OP_MIN},         {"sum", LANEPOOL_OP_SUM},
    {"lp", LANEPOOL_OP_LP},           {"max_unpool", LANEPOOL_OP_MAX_UNPOOL},
};
constexpr Choice kLayouts[] = {{"NCHW", LANEPOOL_LAYOUT_NCHW}, {"NHWC", LANEPOOL_LAYOUT_NHWC}};
// The names of NumPy's dtypes.
constexpr Choice kElementTypes[] = {
    {"float32", LANEPOOL_TYPE_FLOAT},   {"float64", LANEPOOL_TYPE_DOUBLE},
    {"float16", LANEPOOL_TYPE_FLOAT16}, {"bfloat16", LANEPOOL_TYPE_BFLOAT16},
    {"uint8", LANEPOOL_TYPE_UINT8},     {"int8", LANEPOOL_TYPE_INT8},
    {"uint16", LANEPOOL_TYPE_UINT16},   {"int16", LANEPOOL_TYPE_INT16},
    {"int32", LANEPOOL_TYPE_INT32},
};
constexpr Choice kIndexTypes[] = {
    {"none", LANEPOOL_TYPE_NONE}, {"int32", LANEPOOL_TYPE_INT32}, {"int64", LANEPOOL_TYPE_INT64}};
constexpr Choice kAutoPads[] = {
    {"NOTSET", LANEPOOL_AUTO_PAD_NOTSET},
    {"VALID", LANEPOOL_AUTO_PAD_VALID},
    {"SAME_UPPER", LANEPOOL_AUTO_PAD_SAME_UPPER},
    {"SAME_LOWER", LANEPOOL_AUTO_PAD_SAME_LOWER},
};
constexpr Choice kCeilModes[] = {
    {"off", LANEPOOL_CEIL_OFF}, {"on", LANEPOOL_CEIL_ON}, {"keep", LANEPOOL_CEIL_KEEP}};
constexpr Choice kValidCeils[] = {{"ceil", LANEPOOL_VALID_CEIL}, {"floor", LANEPOOL_VALID_FLOOR}};
constexpr Choice kOversizeKernels[] = {{"reject", LANEPOOL_OVERSIZE_REJECT},
                                       {"truncate", LANEPOOL_OVERSIZE_TRUNCATE}};
constexpr Choice kDivisors[] = {
    {"exclude_pad", LANEPOOL_DIVISOR_EXCLUDE_PAD},
    {"include_pad", LANEPOOL_DIVISOR_INCLUDE_PAD},
    {"full_kernel", LANEPOOL_DIVISOR_FULL_KERNEL},
    {"constant", LANEPOOL_DIVISOR_CONSTANT},
};
constexpr Choice kEmptyWindows[] = {
    {"zero", LANEPOOL_EMPTY_ZERO}, {"nan", LANEPOOL_EMPTY_NAN}, {"reject", LANEPOOL_EMPTY_REJECT}};
constexpr Choice kNanRules[] = {{"propagate", LANEPOOL_NAN_PROPAGATE},
                                {"ignore", LANEPOOL_NAN_IGNORE}};
constexpr Choice kRoundings[] = {
    {"half_even", LANEPOOL_ROUND_HALF_EVEN},
    {"half_even_after_zero_point", LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT},
    {"half_away", LANEPOOL_ROUND_HALF_AWAY},
};
constexpr Choice kIndexModes[] = {
    {"NCHW", LANEPOOL_INDEX_NCHW},
    {"NHWC", LANEPOOL_INDEX_NHWC},
    {"plane", LANEPOOL_INDEX_PLANE},
    {"window", LANEPOOL_INDEX_WINDOW},
};
constexpr Choice kStorageOrders[] = {{"row_major", LANEPOOL_STORAGE_ROW_MAJOR},
                                     {"column_major", LANEPOOL_STORAGE_COLUMN_MAJOR}};
constexpr Choice kFlags[] = {
    {"global", LANEPOOL_FLAG_GLOBAL},
    {"strict_order", LANEPOOL_FLAG_STRICT_ORDER},
    {"accumulate_f64", LANEPOOL_FLAG_ACCUMULATE_F64},
    {"clamp", LANEPOOL_FLAG_CLAMP},
    {"adaptive", LANEPOOL_FLAG_ADAPTIVE},
};

enum class Kind { kInt32, kInt64, kFloat, kDouble, kFlags, kTargets };

template <class Element>
constexpr Kind KindOf() {
  if (std::is_same<Element, float>::value) return Kind::kFloat;
  if (std::is_same<Element, double>::value) return Kind::kDouble;
  if (std::is_same<Element, int64_t>::value) return Kind::kInt64;
  if (std::is_same<Element, uint32_t>::value) return Kind::kFlags;
  if (std::is_same<Element, uint64_t>::value) return Kind::kTargets;
  return Kind::kInt32;
}

struct Field {
  const char* name;
  size_t offset;
  Kind kind;
  int count;  // 0: no array
  const Choice* choices;
  size_t choice_count;
};

template <class Member>
constexpr Field MakeField(const char* name, size_t offset) {
  return {name,
          offset,
          KindOf<std::remove_extent_t<Member>>(),
          std::is_array<Member>::value ? static_cast<int>(std::extent<Member>::value) : 0,
          nullptr,
          0};
}
template <class Member, size_t size>
constexpr Field MakeField(const char* name, size_t offset, const Choice (&choices)[size]) {
  return {name, offset, KindOf<Member>(), 0, choices, size};
}

#define FIELD(name, ...) \
  MakeField<decltype(lanepool_params::name)>(#name, offsetof(lanepool_params, name), ##__VA_ARGS__)

// All but struct_size and reserved.
constexpr Field kFields[] = {
    FIELD(op, kOps),
    FIELD(layout, kLayouts),
    FIELD(rank),
    FIELD(x_type, kElementTypes),
    FIELD(y_type, kElementTypes),
    FIELD(index_type, kIndexTypes),
    FIELD(auto_pad, kAutoPads),
    FIELD(ceil_mode, kCeilModes),
    FIELD(valid_ceil, kValidCeils),
    FIELD(oversize_kernel, kOversizeKernels),
    FIELD(divisor, kDivisors),
    FIELD(empty_window, kEmptyWindows),
    FIELD(nan_rule, kNanRules),
    FIELD(rounding, kRoundings),
    FIELD(index_mode, kIndexModes),
    FIELD(storage_order, kStorageOrders),
    FIELD(flags, kFlags),
    FIELD(target_mask),
    FIELD(divisor_value),
    FIELD(batch),
    FIELD(channels),
    FIELD(input),
    FIELD(kernel),
    FIELD(strides),
    FIELD(dilations),
    FIELD(pads_begin),
    FIELD(pads_end),
    FIELD(output_size),
    FIELD(x_strides),
    FIELD(y_strides),
    FIELD(index_strides),
    FIELD(x_scale),
    FIELD(y_scale),
    FIELD(x_zero_point),
    FIELD(y_zero_point),
    FIELD(x_scale_count),
    FIELD(y_scale_count),
    FIELD(clamp_low),
    FIELD(clamp_high),
    FIELD(lp_order),
};
#undef FIELD

std::string Text(nb::handle value) { return nb::cast<std::string>(nb::repr(value)); }

[[noreturn]] void RaiseValue(const Field& field, nb::handle value, const std::string& rule) {
  Raise(std::string(field.name) + " is " + Text(value) + "; " + rule, "POLICY", nb::str(field.name),
        -1, value, nb::none());
}

int64_t Integer(const Field& field, nb::handle value) {
  const nb::object index = nb::steal<nb::object>(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int overflow = 0;
  const int64_t number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) RaiseValue(field, value, "it leaves 64 bits");
  if (field.kind == Kind::kInt32 && number != static_cast<int32_t>(number)) {
    RaiseValue(field, value, "it leaves 32 bits");
  }
  return number;
}

int64_t Code(const Field& field, nb::handle value) {
  if (field.choices == nullptr || !PyUnicode_Check(value.ptr())) return Integer(field, value);
  const std::string name = nb::cast<std::string>(value);
  std::string known;
  for (size_t i = 0; i < field.choice_count; ++i) {
    const Choice& choice = field.choices[i];
    if (PyOS_stricmp(choice.name, name.c_str()) == 0) return choice.code;
    known.append(i == 0 ? "" : ", ").append(choice.name);
  }
  RaiseValue(field, value, "it must be one of " + known);
}

uint64_t TargetMask(const Field& field, nb::handle names) {
  const uint64_t compiled = lanepool_targets(LANEPOOL_TARGETS_COMPILED);
  uint64_t mask = 0;
  for (nb::handle name : names) {
    uint64_t found = 0;
    for (uint64_t rest = compiled; rest != 0; rest &= rest - 1) {
      const uint64_t bit = rest & (0 - rest);
      if (nb::cast<std::string>(name) == lanepool_target_name(bit)) found = bit;
    }
    if (found == 0) {
      RaiseValue(field, name, "it must be one of " + Text(TargetNames(compiled)));
    }
    mask |= found;
  }
  return mask;
}

void SetOne(const Field& field, char* at, nb::handle value) {
  switch (field.kind) {
    case Kind::kInt32: {
      const int32_t code = static_cast<int32_t>(Code(field, value));
      std::memcpy(at, &code, sizeof code);
      break;
    }
    case Kind::kInt64: {
      const int64_t number = Integer(field, value);
      std::memcpy(at, &number, sizeof number);
      break;
    }
    case Kind::kFloat:
    case Kind::kDouble: {
      const double real = PyFloat_AsDouble(value.ptr());
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      const float narrow = static_cast<float>(real);
      if (field.kind == Kind::kFloat) {
        std::memcpy(at, &narrow, sizeof narrow);
      } else {
        std::memcpy(at, &real, sizeof real);
      }
      break;
    }
    case Kind::kFlags: {
      uint32_t flags = 0;
      for (nb::handle name : value) flags |= static_cast<uint32_t>(Code(field, name));
      std::memcpy(at, &flags, sizeof flags);
      break;
    }
    case Kind::kTargets: {
      const uint64_t mask = TargetMask(field, value);
      std::memcpy(at, &mask, sizeof mask);
      break;
    }
  }
}

nb::object GetOne(const Field& field, const char* at) {
  int64_t number = 0;
  if (field.kind == Kind::kInt32 || field.kind == Kind::kFlags) {
    int32_t narrow;
    std::memcpy(&narrow, at, sizeof narrow);
    number = narrow;
  } else if (field.kind == Kind::kFloat) {
    float real;
    std::memcpy(&real, at, sizeof real);
    return nb::float_(real);
  } else {
    std::memcpy(&number, at, sizeof number);
  }
  if (field.kind == Kind::kDouble) {
    double real;
    std::memcpy(&real, at, sizeof real);
    return nb::float_(real);
  }
  if (field.kind == Kind::kTargets) return TargetNames(static_cast<uint64_t>(number));
  nb::list flags;
  for (size_t i = 0; i < field.choice_count; ++i) {
    const Choice& choice = field.choices[i];
    if (field.kind == Kind::kFlags && (number & choice.code) != 0) flags.append(choice.name);
    if (field.kind != Kind::kFlags && number == choice.code) return nb::str(choice.name);
  }
  if (field.kind == Kind::kFlags) return nb::tuple(flags);
  return nb::int_(number);
}

// Every sentence of the library begins with the field that it is about.
nb::object FieldName(const char* sentence) {
  const size_t length = std::strcspn(sentence, " [");
  if (sentence[length] == '\0') return nb::none();
  return nb::str(sentence, length);
}

bool IsReal(nb::handle name) {
  for (const Field& field : kFields) {
    const bool real = field.kind == Kind::kFloat || field.kind == Kind::kDouble;
    if (real && !name.is_none() && nb::cast<std::string>(name) == field.name) return true;
  }
  return false;
}

}  // namespace

void Raise(const std::string& sentence, const char* status, nb::handle field, int axis,
           nb::handle value, nb::handle limit) {
  const nb::object type = nb::module_::import_("lanepool._errors").attr("Error");
  const nb::object entry = axis >= 0 ? nb::object(nb::int_(axis)) : nb::object(nb::none());
  const nb::object error = type(sentence, status, field, entry, value, limit);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

void RaiseReport(const lanepool_error& report) {
  char sentence[256];
  lanepool_error_format(&report, sentence, sizeof sentence);
  const nb::object field = FieldName(sentence);
  const nb::object value =
      IsReal(field) ? nb::object(nb::float_(report.real)) : nb::object(nb::int_(report.value));
  Raise(sentence, lanepool_status_name(report.status), field, report.axis, value,
        nb::int_(report.limit));
}

void SetField(lanepool_params* params, const char* name, nb::handle value) {
  for (const Field& field : kFields) {
    if (std::strcmp(field.name, name) != 0) continue;
    char* at = reinterpret_cast<char*>(params) + field.offset;
    if (field.count == 0) return SetOne(field, at, value);
    int entry = 0;
    for (nb::handle number : value) {
      if (entry == field.count) RaiseValue(field, value, "it has too many entries");
      SetOne(field, at + sizeof(int64_t) * entry++, number);
    }
    return;
  }
  throw nb::key_error(name);
}

nb::dict Fields(const lanepool_params& params) {
  nb::dict fields;
  for (const Field& field : kFields) {
    const char* at = reinterpret_cast<const char*>(&params) + field.offset;
    if (field.count == 0) {
      fields[field.name] = GetOne(field, at);
      continue;
    }
    const int used = field.count == 3 ? params.rank : params.rank + 2;
    nb::list entries;
    for (int i = 0; i < used; ++i) entries.append(GetOne(field, at + sizeof(int64_t) * i));
    fields[field.name] = nb::tuple(entries);
  }
  return fields;
}

nb::tuple TargetNames(uint64_t mask) {
  nb::list names;
  for (; mask != 0; mask &= mask - 1) names.append(lanepool_target_name(mask & (0 - mask)));
  return nb::tuple(names);
}

}  // namespace lanepool_python
