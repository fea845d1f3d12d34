// The library for a page. JavaScript sees numbers and flat memory, so params are an array of
// doubles whose entries have names. Nothing here knows a rule of pooling.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lanepool/lanepool.h"

namespace {

// An integer of lanepool_params, of 4 or 8 bytes.
struct Field {
  const char* name;
  size_t offset;
  size_t bytes;
};

constexpr lanepool_params kSizes = {};
#define FIELD(name) {#name, offsetof(lanepool_params, name), sizeof kSizes.name}
#define AXES(name) FIELD(name[0]), FIELD(name[1]), FIELD(name[2])
constexpr Field kFields[] = {
    FIELD(op),        FIELD(layout),        FIELD(rank),
    FIELD(x_type),    FIELD(y_type),        FIELD(auto_pad),
    FIELD(ceil_mode), FIELD(valid_ceil),    FIELD(oversize_kernel),
    FIELD(divisor),   FIELD(empty_window),  FIELD(rounding),
    FIELD(flags),     FIELD(divisor_value), FIELD(batch),
    FIELD(channels),  AXES(input),          AXES(kernel),
    AXES(strides),    AXES(dilations),      AXES(pads_begin),
    AXES(pads_end),   AXES(output_size),
};
constexpr int kFieldCount = sizeof kFields / sizeof kFields[0];

// What the functions below share: one page, one thread.
struct State {
  double fields[kFieldCount];
  lanepool_desc desc;
  char text[512];
};
State state;

// The nearest value of an integer type: a form may hold any number.
template <typename T>
T Nearest(double value) {
  // 2^53 is exact, and beyond what any check lets pass.
  constexpr double kMost = sizeof(T) == 8 ? 9007199254740992.0 : 2147483647.0;
  return static_cast<T>(std::clamp(value, -kMost, kMost));
}

template <typename T>
void Store(T value, lanepool_params* params, size_t offset) {
  std::memcpy(reinterpret_cast<char*>(params) + offset, &value, sizeof value);
}

template <typename T>
double Load(const lanepool_params& params, size_t offset) {
  T value;
  std::memcpy(&value, reinterpret_cast<const char*>(&params) + offset, sizeof value);
  return static_cast<double>(value);
}

void SetField(const Field& field, double value, lanepool_params* params) {
  if (field.bytes == 8) return Store(Nearest<int64_t>(value), params, field.offset);
  Store(Nearest<int32_t>(value), params, field.offset);
}

double GetField(const Field& field, const lanepool_params& params) {
  if (field.bytes == 8) return Load<int64_t>(params, field.offset);
  return Load<int32_t>(params, field.offset);
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int32_t explorer_field_count(void) { return kFieldCount; }

// "op", "input[0]"
EMSCRIPTEN_KEEPALIVE const char* explorer_field_name(int32_t field) { return kFields[field].name; }

// An entry per field. NaN leaves a field as lanepool_params_init makes it.
EMSCRIPTEN_KEEPALIVE double* explorer_fields(void) { return state.fields; }

// Plans the job of explorer_fields and writes there what all fields then are. The text is what
// lanepool_explain says, or the sentence of the error, whose status is returned.
EMSCRIPTEN_KEEPALIVE int32_t explorer_plan(int32_t dialect) {
  lanepool_params params;
  lanepool_error error;
  int32_t status = lanepool_params_init(&params, sizeof params, dialect);
  if (status != LANEPOOL_OK) return status;
  for (int i = 0; i < kFieldCount; ++i) {
    if (!std::isnan(state.fields[i])) SetField(kFields[i], state.fields[i], &params);
    state.fields[i] = GetField(kFields[i], params);
  }
  status = lanepool_plan(&params, &state.desc, &error);
  if (status != LANEPOOL_OK) {
    lanepool_error_format(&error, state.text, sizeof state.text);
  } else {
    lanepool_explain(&state.desc, state.text, sizeof state.text);
  }
  return status;
}

EMSCRIPTEN_KEEPALIVE const char* explorer_text(void) { return state.text; }

// LANEPOOL_GET_*, of the last job that was planned.
EMSCRIPTEN_KEEPALIVE double explorer_get(int32_t what) {
  return static_cast<double>(lanepool_desc_get(&state.desc, what));
}

// Runs the last job that was planned.
EMSCRIPTEN_KEEPALIVE int32_t explorer_run(const void* x, size_t x_bytes, void* y, size_t y_bytes) {
  const size_t bytes = static_cast<size_t>(state.desc.workspace_bytes);
  void* workspace = std::malloc(bytes);
  const int32_t status =
      lanepool_run(&state.desc, x, x_bytes, y, y_bytes, nullptr, 0, workspace, bytes);
  std::free(workspace);
  return status;
}

EMSCRIPTEN_KEEPALIVE const char* explorer_status_name(int32_t status) {
  return lanepool_status_name(status);
}

// "lanepool 0.1.0, WASM"
EMSCRIPTEN_KEEPALIVE const char* explorer_version(void) {
  const char* target = lanepool_target_name(lanepool_targets(LANEPOOL_TARGETS_BEST));
  std::snprintf(state.text, sizeof state.text, "lanepool %s, %s", lanepool_version(), target);
  return state.text;
}

}  // extern "C"
