#include "error.h"

#include "text.h"

namespace lanepool {
namespace {

constexpr const char* kStatusNames[] = {
    "OK",        "NULL",         "STRUCT_SIZE",  "OP",       "TYPE",   "LAYOUT",     "RANK",
    "DIM",       "KERNEL",       "STRIDE",       "DILATION", "PAD",    "AUTO_PAD",   "POLICY",
    "OVERFLOW",  "EMPTY_OUTPUT", "EMPTY_WINDOW", "VIEW",     "SCALE",  "ZERO_POINT", "FLAG",
    "TARGET",    "UNSUPPORTED",  "DESC",         "X_SIZE",   "Y_SIZE", "INDEX_SIZE", "WORKSPACE",
    "ALIGNMENT", "OVERLAP",      "RANGE",        "TABLE",    "INDEX"};
static_assert(sizeof(kStatusNames) / sizeof(kStatusNames[0]) == LANEPOOL_INDEX + 1, "");

// In the order of enum class Field.
constexpr const char* kFieldNames[] = {"input",
                                       "params",
                                       "desc",
                                       "struct_size",
                                       "op",
                                       "layout",
                                       "rank",
                                       "x_type",
                                       "y_type",
                                       "index_type",
                                       "auto_pad",
                                       "ceil_mode",
                                       "valid_ceil",
                                       "oversize_kernel",
                                       "divisor",
                                       "empty_window",
                                       "nan_rule",
                                       "rounding",
                                       "index_mode",
                                       "storage_order",
                                       "flags",
                                       "target_mask",
                                       "divisor_value",
                                       "batch",
                                       "channels",
                                       "input",
                                       "kernel",
                                       "strides",
                                       "dilations",
                                       "pads_begin",
                                       "pads_end",
                                       "output_size",
                                       "x_strides",
                                       "y_strides",
                                       "index_strides",
                                       "x_scale",
                                       "y_scale",
                                       "x_zero_point",
                                       "y_zero_point",
                                       "x_scale_count",
                                       "y_scale_count",
                                       "clamp_low",
                                       "clamp_high",
                                       "lp_order",
                                       "reserved",
                                       "x",
                                       "y",
                                       "table",
                                       "table_bytes"};
static_assert(sizeof(kFieldNames) / sizeof(kFieldNames[0]) == static_cast<size_t>(Field::kCount),
              "");

// In the order of enum class Rule; '#' stands for the limit.
constexpr const char* kRuleTexts[] = {
    "",
    "it must not be NULL",
    "it must be at least #",
    "it must be at most #",
    "it must be 0",
    "there is no such code",
    "no version has that size with a tail that is not 0",
    "entries at or beyond rank # must stay as lanepool_params_init left them",
    "not with op #",
    "not with x_type #",
    "it must keep its default with flag #",
    "it must be 0 with auto_pad #",
    "it must be 0 unless divisor is DIVISOR_CONSTANT",
    "flag # excludes it",
    "(kernel - 1) * dilation + 1 leaves 64 bits with dilation #",
    "input + pads leaves 64 bits",
    "(output - 1) * stride + effective kernel leaves 64 bits",
    "taps of a window are multiplied, and sums of bytes have at most #",
    "the number of elements leaves 64 bits",
    "the greatest index, #, does not fit",
    "the size in bytes leaves 64 bits",
    "the workspace for windows so wide leaves 64 bits",
    "the effective kernel is larger than the padded input, #",
    "a window has no tap inside the input, and empty_window is EMPTY_REJECT",
    "elements would overlap, it must be at least #",
    "it must be finite and greater than 0",
    "clamp_low must not be above clamp_high",
    "no value of y_type lies between clamp_low and clamp_high",
    "it must be # for arrays of scales or zero points",
    "it must be at least 1",
    "none of these instruction sets is compiled in and supported here, see targets #",
    "it is valid, but this version has no kernel for it",
    "it is valid, but this library was built without it",
    "its address must be a multiple of #",
    "it was not made by lanepool_plan of this version"};
static_assert(sizeof(kRuleTexts) / sizeof(kRuleTexts[0]) == static_cast<size_t>(Rule::kCount), "");

bool IsReal(int32_t field) {
  switch (static_cast<Field>(field)) {
    case Field::kXScale:
    case Field::kYScale:
    case Field::kClampLow:
    case Field::kClampHigh:
    case Field::kLpOrder:
      return true;
    default:
      return false;
  }
}

// Six significant digits: enough to recognise a value in a message.
void AppendReal(double value, Text* text) {
  if (value != value) {
    text->String("NaN");
    return;
  }
  if (value < 0) {
    text->Char('-');
    value = -value;
  }
  if (value > 1.7976931348623157e308) {
    text->String("inf");
    return;
  }
  int exponent = 0;
  if (value > 0) {
    while (value >= 10) value /= 10, ++exponent;
    while (value < 1) value *= 10, --exponent;
  }
  const double scaled = value * 100000;
  int64_t digits = static_cast<int64_t>(scaled);
  if (scaled - static_cast<double>(digits) >= 0.5) ++digits;
  if (digits >= 1000000) digits /= 10, ++exponent;
  text->Integer(digits / 100000).Char('.');
  for (int64_t unit = 10000; unit > 0; unit /= 10) {
    text->Char(static_cast<char>('0' + digits / unit % 10));
  }
  if (exponent != 0) text->Char('e').Integer(exponent);
}

}  // namespace

int32_t Fail(lanepool_error* error, int32_t status, Field field, Rule rule, int64_t value,
             int64_t limit, int32_t axis, double real) {
  if (error != nullptr) {
    error->status = status;
    error->field = static_cast<int32_t>(field);
    error->axis = axis;
    error->rule = static_cast<int32_t>(rule);
    error->value = value;
    error->limit = limit;
    error->real = real;
  }
  return status;
}

int32_t Succeed(lanepool_error* error) {
  return Fail(error, LANEPOOL_OK, Field::kNone, Rule::kNone);
}

const char* StatusName(int32_t status) {
  const bool known = status >= 0 && status <= LANEPOOL_INDEX;
  return known ? kStatusNames[status] : "?";
}

int32_t FormatError(const lanepool_error& error, char* out, size_t size) {
  Text text(out, size);
  const bool known = error.field > 0 && error.field < static_cast<int32_t>(Field::kCount) &&
                     error.rule > 0 && error.rule < static_cast<int32_t>(Rule::kCount);
  if (!known) {
    return text.String(error.status == LANEPOOL_OK ? "no error" : StatusName(error.status))
        .Length();
  }
  text.String(kFieldNames[error.field]);
  if (error.axis >= 0) text.Char('[').Integer(error.axis).Char(']');
  text.String(" is ");
  if (static_cast<Rule>(error.rule) == Rule::kNotNull) {
    text.String("NULL");
  } else if (IsReal(error.field)) {
    AppendReal(error.real, &text);
  } else {
    text.Integer(error.value);
  }
  text.String("; ");
  for (const char* s = kRuleTexts[error.rule]; *s != '\0'; ++s) {
    if (*s == '#') {
      text.Integer(error.limit);
    } else {
      text.Char(*s);
    }
  }
  return text.Length();
}

}  // namespace lanepool
