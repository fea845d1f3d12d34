// The C functions: null checks, buffer checks, and nothing else.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "channel_table.h"
#include "desc.h"
#include "dispatch.h"
#include "error.h"
#include "kernel_end.h"
#include "lanepool/lanepool.h"
#include "machine.h"
#include "runner.h"
#include "types.h"

#define LANEPOOL_TEXT_OF(x) #x
#define LANEPOOL_TEXT(x) LANEPOOL_TEXT_OF(x)

namespace lanepool {
namespace {

int32_t PlanAndSeal(const lanepool_params* given, lanepool_desc* desc, lanepool_error* error) {
  lanepool_params params;
  const int32_t status = ReadParams(given, &params, error);
  if (status != LANEPOOL_OK) return status;
  return MakeDesc(params, SupportedTargets(), desc, error);
}

struct Buffer {
  // Not an aggregate: those in arrays are cleared before they are filled.
  Buffer(const void* buffer, size_t given, int64_t by_desc, int64_t aligned, int32_t status)
      : data(buffer), bytes(given), needed(by_desc), alignment(aligned), too_small(status) {}

  const void* data;
  size_t bytes;       // given
  int64_t needed;     // by the desc
  int64_t alignment;  // looked at where something is needed
  int32_t too_small;  // status
};

int32_t CheckBuffer(const Buffer& buffer) {
  if (buffer.needed == 0) return LANEPOOL_OK;
  if (buffer.data == nullptr) return LANEPOOL_NULL;
  if (buffer.bytes < static_cast<uint64_t>(buffer.needed)) return buffer.too_small;
  const uintptr_t address = reinterpret_cast<uintptr_t>(buffer.data);
  // A power of two.
  if ((address & static_cast<uintptr_t>(buffer.alignment - 1)) != 0) return LANEPOOL_ALIGNMENT;
  return LANEPOOL_OK;
}

// Of the bytes that are needed, not of those that were given.
bool Overlap(const Buffer& a, const Buffer& b) {
  if (a.needed == 0 || b.needed == 0) return false;
  const uintptr_t a_begin = reinterpret_cast<uintptr_t>(a.data);
  const uintptr_t b_begin = reinterpret_cast<uintptr_t>(b.data);
  return a_begin < b_begin ? b_begin - a_begin < static_cast<uintptr_t>(a.needed)
                           : a_begin - b_begin < static_cast<uintptr_t>(b.needed);
}

// What a caller gives as the table of a desc.
struct TableArgument {
  const void* data;
  size_t bytes;
};

int32_t CheckTable(const lanepool_desc& desc, const TableArgument& table) {
  if (desc.table_bytes == 0) return LANEPOOL_OK;
  const bool given =
      table.data != nullptr && table.bytes >= static_cast<uint64_t>(desc.table_bytes);
  if (!given) return LANEPOOL_TABLE;
  if (reinterpret_cast<uintptr_t>(table.data) % alignof(uint64_t) != 0) return LANEPOOL_ALIGNMENT;
  return IsTableOf(table.data, Unseal(desc).plan) ? LANEPOOL_OK : LANEPOOL_TABLE;
}

// In each of its callers: to pass a dozen arguments on takes a tenth of a small call.
inline __attribute__((always_inline)) int32_t Run(const lanepool_desc* desc,
                                                  const TableArgument& table, const void* x,
                                                  size_t x_bytes, void* y, size_t y_bytes,
                                                  void* index, size_t index_bytes, void* workspace,
                                                  size_t workspace_bytes, int64_t begin,
                                                  int64_t end) {
  if (desc == nullptr) return LANEPOOL_NULL;
  if (!IsDesc(desc)) return LANEPOOL_DESC;
  if (begin < 0 || begin > end || end > desc->work_items) return LANEPOOL_RANGE;
  const lanepool_params& params = Unseal(*desc).params;
  const Buffer buffers[] = {
      {x, x_bytes, desc->x_bytes, ElementBytes(params.x_type), LANEPOOL_X_SIZE},
      {y, y_bytes, desc->y_bytes, ElementBytes(params.y_type), LANEPOOL_Y_SIZE},
      {index, index_bytes, desc->index_bytes, ElementBytes(params.index_type), LANEPOOL_INDEX_SIZE},
      {workspace, workspace_bytes, desc->workspace_bytes, 1, LANEPOOL_WORKSPACE},
  };
  const int used_buffers = desc->index_bytes == 0 && desc->workspace_bytes == 0 ? 2 : 4;
  for (int i = 0; i < used_buffers; ++i) {
    const int32_t status = CheckBuffer(buffers[i]);
    if (status != LANEPOOL_OK) {
      return status == LANEPOOL_NULL && i == 3 ? LANEPOOL_WORKSPACE : status;
    }
    for (int j = 0; j < i; ++j) {
      if (Overlap(buffers[i], buffers[j])) return LANEPOOL_OVERLAP;
    }
  }
  if (begin == end) return LANEPOOL_OK;
  const int32_t status = CheckTable(*desc, table);
  if (status != LANEPOOL_OK) return status;
  const int64_t target = static_cast<int64_t>(BestTarget(params.target_mask));
  if (target == 0) return LANEPOOL_TARGET;
  const bool per_channel = desc->table_bytes != 0;
  const void* const used_table = per_channel ? table.data : nullptr;
  const CallBuffers used = {x, y, index, workspace, used_table, desc->x_bytes, desc->y_bytes};
  const int32_t result = RunItems(Unseal(*desc), target, used, begin, end);
  EmptyUpperHalves(target);
  return result;
}

}  // namespace
}  // namespace lanepool

extern "C" {

int32_t lanepool_params_init(lanepool_params* params, size_t size, int32_t dialect) {
  if (params == nullptr) return LANEPOOL_NULL;
  lanepool_params defaults;
  if (!lanepool::DefaultParams(dialect, &defaults)) return LANEPOOL_POLICY;
  if (size < sizeof(defaults) || size > UINT32_MAX) return LANEPOOL_STRUCT_SIZE;
  memset(params, 0, size);
  memcpy(params, &defaults, sizeof(defaults));
  params->struct_size = static_cast<uint32_t>(size);
  return LANEPOOL_OK;
}

int32_t lanepool_plan(const lanepool_params* params, lanepool_desc* desc, lanepool_error* error) {
  using lanepool::Fail;
  using lanepool::Field;
  using lanepool::Rule;
  if (params == nullptr) return Fail(error, LANEPOOL_NULL, Field::kParams, Rule::kNotNull);
  if (desc == nullptr) return Fail(error, LANEPOOL_NULL, Field::kDesc, Rule::kNotNull);
  return lanepool::PlanAndSeal(params, desc, error);
}

int32_t lanepool_run(const lanepool_desc* desc, const void* x, size_t x_bytes, void* y,
                     size_t y_bytes, void* index, size_t index_bytes, void* workspace,
                     size_t workspace_bytes) {
  const int64_t items = desc == nullptr ? 0 : desc->work_items;
  return lanepool::Run(desc, {nullptr, 0}, x, x_bytes, y, y_bytes, index, index_bytes, workspace,
                       workspace_bytes, 0, items);
}

int32_t lanepool_run_range(const lanepool_desc* desc, const void* x, size_t x_bytes, void* y,
                           size_t y_bytes, void* index, size_t index_bytes, void* workspace,
                           size_t workspace_bytes, int64_t begin, int64_t end) {
  return lanepool_run_table(desc, nullptr, 0, x, x_bytes, y, y_bytes, index, index_bytes, workspace,
                            workspace_bytes, begin, end);
}

int32_t lanepool_table_init(const lanepool_desc* desc, const float* x_scales,
                            const int32_t* x_zero_points, const float* y_scales,
                            const int32_t* y_zero_points, void* table, size_t table_bytes,
                            lanepool_error* error) {
  using lanepool::Fail;
  using lanepool::Field;
  using lanepool::Rule;
  if (desc == nullptr) return Fail(error, LANEPOOL_NULL, Field::kDesc, Rule::kNotNull);
  if (!lanepool::IsDesc(desc)) return Fail(error, LANEPOOL_DESC, Field::kDesc, Rule::kNotOurs);
  if (desc->table_bytes == 0) return lanepool::Succeed(error);
  if (table == nullptr) return Fail(error, LANEPOOL_NULL, Field::kTable, Rule::kNotNull);
  if (table_bytes < static_cast<uint64_t>(desc->table_bytes)) {
    return Fail(error, LANEPOOL_TABLE, Field::kTableBytes, Rule::kAtLeast,
                static_cast<int64_t>(table_bytes), desc->table_bytes);
  }
  const uintptr_t address = reinterpret_cast<uintptr_t>(table);
  if (address % alignof(uint64_t) != 0) {
    return Fail(error, LANEPOOL_ALIGNMENT, Field::kTable, Rule::kAligned,
                static_cast<int64_t>(address % alignof(uint64_t)), alignof(uint64_t));
  }
  const lanepool::Sealed& sealed = lanepool::Unseal(*desc);
  return lanepool::FillTable(sealed.params, sealed.plan,
                             {x_scales, x_zero_points, y_scales, y_zero_points}, table, error);
}

int32_t lanepool_run_table(const lanepool_desc* desc, const void* table, size_t table_bytes,
                           const void* x, size_t x_bytes, void* y, size_t y_bytes, void* index,
                           size_t index_bytes, void* workspace, size_t workspace_bytes,
                           int64_t begin, int64_t end) {
  return lanepool::Run(desc, {table, table_bytes}, x, x_bytes, y, y_bytes, index, index_bytes,
                       workspace, workspace_bytes, begin, end);
}

int32_t lanepool_desc_check(const void* bytes, size_t size, lanepool_error* error) {
  using lanepool::Fail;
  using lanepool::Field;
  using lanepool::Rule;
  if (bytes == nullptr) return Fail(error, LANEPOOL_NULL, Field::kDesc, Rule::kNotNull);
  lanepool_desc desc;
  const bool sized = size == sizeof(desc);
  if (sized) memcpy(&desc, bytes, sizeof(desc));
  if (!sized || !lanepool::IsDesc(&desc)) {
    return Fail(error, LANEPOOL_DESC, Field::kDesc, Rule::kNotOurs, static_cast<int64_t>(size));
  }
  lanepool_params params = lanepool::Unseal(desc).params;
  params.struct_size = sizeof(params);
  lanepool_desc fresh;
  const int32_t status = lanepool::PlanAndSeal(&params, &fresh, error);
  if (status != LANEPOOL_OK) return status;
  if (memcmp(&fresh, bytes, sizeof(fresh)) != 0) {
    return Fail(error, LANEPOOL_DESC, Field::kDesc, Rule::kNotOurs, static_cast<int64_t>(size));
  }
  return lanepool::Succeed(error);
}

int32_t lanepool_desc_params(const lanepool_desc* desc, lanepool_params* params, size_t size) {
  if (desc == nullptr || params == nullptr) return LANEPOOL_NULL;
  if (!lanepool::IsDesc(desc)) return LANEPOOL_DESC;
  if (size < sizeof(*params) || size > UINT32_MAX) return LANEPOOL_STRUCT_SIZE;
  memset(params, 0, size);
  memcpy(params, &lanepool::Unseal(*desc).params, sizeof(*params));
  params->struct_size = static_cast<uint32_t>(size);
  return LANEPOOL_OK;
}

int64_t lanepool_desc_get(const lanepool_desc* desc, int32_t what) {
  if (!lanepool::IsDesc(desc)) return -1;
  switch (what) {
    case LANEPOOL_GET_X_BYTES:
      return desc->x_bytes;
    case LANEPOOL_GET_Y_BYTES:
      return desc->y_bytes;
    case LANEPOOL_GET_INDEX_BYTES:
      return desc->index_bytes;
    case LANEPOOL_GET_WORKSPACE_BYTES:
      return desc->workspace_bytes;
    case LANEPOOL_GET_WORK_ITEMS:
      return desc->work_items;
    case LANEPOOL_GET_ELEMENT_COUNT:
      return desc->element_count;
    case LANEPOOL_GET_HAS_EMPTY_WINDOWS:
      return desc->has_empty_windows;
    case LANEPOOL_GET_RANK:
      return desc->rank;
    case LANEPOOL_GET_TABLE_BYTES:
      return desc->table_bytes;
    default:
      break;
  }
  if (what >= LANEPOOL_GET_OUTPUT && what < LANEPOOL_GET_OUTPUT + 3) {
    return desc->output[what - LANEPOOL_GET_OUTPUT];
  }
  if (what >= LANEPOOL_GET_PADS_BEGIN && what < LANEPOOL_GET_PADS_BEGIN + 3) {
    return desc->pads_begin[what - LANEPOOL_GET_PADS_BEGIN];
  }
  if (what >= LANEPOOL_GET_PADS_END && what < LANEPOOL_GET_PADS_END + 3) {
    return desc->pads_end[what - LANEPOOL_GET_PADS_END];
  }
  return -1;
}

size_t lanepool_params_size(void) { return sizeof(lanepool_params); }
size_t lanepool_desc_size(void) { return sizeof(lanepool_desc); }

int32_t lanepool_explain(const lanepool_desc* desc, char* text, size_t size) {
  if (lanepool_desc_check(desc, sizeof(*desc), nullptr) != LANEPOOL_OK) return -1;
  const uint64_t mask = lanepool::Unseal(*desc).params.target_mask;
  return lanepool::Explain(*desc, lanepool::TargetName(lanepool::BestTarget(mask)), text, size);
}

int32_t lanepool_error_format(const lanepool_error* error, char* text, size_t size) {
  return error == nullptr ? -1 : lanepool::FormatError(*error, text, size);
}

const char* lanepool_status_name(int32_t status) { return lanepool::StatusName(status); }

uint64_t lanepool_targets(int32_t which) {
  switch (which) {
    case LANEPOOL_TARGETS_COMPILED:
      return lanepool::CompiledTargets();
    case LANEPOOL_TARGETS_SUPPORTED:
      return lanepool::SupportedTargets();
    case LANEPOOL_TARGETS_BEST:
      return lanepool::BestTarget(0);
    default:
      return 0;
  }
}

const char* lanepool_target_name(uint64_t target) { return lanepool::TargetName(target); }

int64_t lanepool_machine(int32_t what) {
  const lanepool::Machine machine = lanepool::DetectMachine();
  switch (what) {
    case LANEPOOL_MACHINE_L1D_BYTES:
      return machine.l1d_bytes;
    case LANEPOOL_MACHINE_L2_BYTES:
      return machine.l2_bytes;
    case LANEPOOL_MACHINE_L3_BYTES:
      return machine.l3_bytes;
    case LANEPOOL_MACHINE_CORES:
      return machine.cores;
    case LANEPOOL_MACHINE_DETECTED:
      return machine.detected;
    default:
      return -1;
  }
}

const char* lanepool_version(void) {
  return LANEPOOL_TEXT(LANEPOOL_VERSION_MAJOR) "." LANEPOOL_TEXT(
      LANEPOOL_VERSION_MINOR) "." LANEPOOL_TEXT(LANEPOOL_VERSION_PATCH);
}

int32_t lanepool_abi_version(void) { return LANEPOOL_ABI_VERSION; }

}  // extern "C"
