/* lanepool: exact and fast pooling on CPUs. The public header: C99 and C++11, no dependency;
 * lanepool.hpp makes typed values of it for C++17.
 *
 *   lanepool_params p;
 *   lanepool_params_init(&p, sizeof p, LANEPOOL_DIALECT_ONNX);
 *   p.op = LANEPOOL_OP_AVERAGE;
 *   p.layout = LANEPOOL_LAYOUT_NHWC;
 *   p.rank = 2;
 *   p.x_type = p.y_type = LANEPOOL_TYPE_FLOAT;
 *   p.channels = 64;
 *   p.input[0] = p.input[1] = 35;
 *   p.kernel[0] = p.kernel[1] = 3;
 *   lanepool_desc d;
 *   lanepool_error e;
 *   if (lanepool_plan(&p, &d, &e)) lanepool_error_format(&e, text, sizeof text);
 *   lanepool_run(&d, x, x_bytes, y, y_bytes, NULL, 0, NULL, 0);
 *
 * Contract of every function
 * - Bad input gives a lanepool_status other than LANEPOOL_OK and nothing is written, except the
 *   error report that was asked for. No abort, no exception, no errno, no signal, no locale or
 *   floating-point-environment effect. Results of f32 assume the default environment: round to
 *   nearest, no flush-to-zero; those of bytes from bytes do not depend on it.
 * - Memory: no allocation (but see lanepool_machine), no more than 16 KiB of stack. No byte outside
 *   the given buffers is read or written, nor the gaps of a strided y or index. Buffers need the
 *   alignment of one element, nothing more.
 * - Threads: there is no hidden state but the result of CPU detection, which is made at the first
 *   call and is safe to race. A desc is plain data without pointers; any number of threads may
 *   share one. Calls that run at the same time need separate workspaces and must not write the
 *   same outputs.
 * - Results: for one desc, the bytes of y and index do not depend on the instruction set, the
 * number of threads, the split into ranges, the alignment, or the position in batch and channels.
 * NaN results are the quiet NaN with sign and payload zero; a maximum or minimum that is zero is
 * +0.
 *
 * The rules of shape, divisor, NaN and rounding are in docs/semantics.md; they follow ONNX
 * AveragePool 1-22, MaxPool 1-22, LpPool 1-22, GlobalAveragePool, GlobalMaxPool, GlobalLpPool,
 * MaxUnpool 9-22, com.microsoft QLinearAveragePool 1 and PyTorch's adaptive pooling, with other
 * libraries' rules as named policies. What this version does not run is validated all the same and
 * answered with LANEPOOL_UNSUPPORTED. */
#ifndef LANEPOOL_LANEPOOL_H_
#define LANEPOOL_LANEPOOL_H_

#include <stddef.h>
#include <stdint.h>

#if defined(LANEPOOL_STATIC)
#define LANEPOOL_API
#elif defined(_WIN32)
#if defined(LANEPOOL_BUILD)
#define LANEPOOL_API __declspec(dllexport)
#else
#define LANEPOOL_API __declspec(dllimport)
#endif
#else
#define LANEPOOL_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define LANEPOOL_VERSION_MAJOR 0
#define LANEPOOL_VERSION_MINOR 1
#define LANEPOOL_VERSION_PATCH 0
/* Grows with every incompatible change of a struct or a function of this header. */
#define LANEPOOL_ABI_VERSION 1

/* ---------------------------------------------------------------------------------------------
 * Constants. All are values of int32_t or uint32_t fields; the enums are anonymous on purpose. */

/* Status of a call. Names: lanepool_status_name. */
enum {
  LANEPOOL_OK = 0,
  LANEPOOL_NULL = 1,          /* a pointer that is needed is NULL */
  LANEPOOL_STRUCT_SIZE = 2,   /* struct_size unknown, or its unknown tail is not zero */
  LANEPOOL_OP = 3,            /* op: no such code */
  LANEPOOL_TYPE = 4,          /* x_type, y_type, index_type: no such code, or not with this op */
  LANEPOOL_LAYOUT = 5,        /* layout: no such code */
  LANEPOOL_RANK = 6,          /* rank outside 1..3, or an entry at or beyond rank was set */
  LANEPOOL_DIM = 7,           /* batch or channels < 0, input < 1 */
  LANEPOOL_KERNEL = 8,        /* kernel < 1 */
  LANEPOOL_STRIDE = 9,        /* strides < 1 */
  LANEPOOL_DILATION = 10,     /* dilations < 1 */
  LANEPOOL_PAD = 11,          /* pads < 0 */
  LANEPOOL_AUTO_PAD = 12,     /* auto_pad: no such code, or together with pads */
  LANEPOOL_POLICY = 13,       /* a policy field has no such code, or its argument is out of range */
  LANEPOOL_OVERFLOW = 14,     /* a size, an offset or a byte count leaves int64 */
  LANEPOOL_EMPTY_OUTPUT = 15, /* the effective kernel is larger than the padded input */
  LANEPOOL_EMPTY_WINDOW = 16, /* a window without a tap in the input, and empty_window is REJECT */
  LANEPOOL_VIEW = 17,         /* strides of x, y or index: negative, or outputs overlap */
  LANEPOOL_SCALE = 18,        /* a scale is not finite and positive; a clamp range is empty */
  LANEPOOL_ZERO_POINT = 19,   /* a zero point is outside its type */
  LANEPOOL_FLAG = 20,         /* an unknown flag, or flags that exclude each other */
  LANEPOOL_TARGET = 21,       /* no instruction set of target_mask is compiled in and supported */
  LANEPOOL_UNSUPPORTED = 22,  /* valid, but this library has no kernel for it */
  LANEPOOL_DESC = 23,         /* not a desc of this version, or not one that lanepool_plan made */
  LANEPOOL_X_SIZE = 24,       /* x_bytes below desc.x_bytes */
  LANEPOOL_Y_SIZE = 25,
  LANEPOOL_INDEX_SIZE = 26,
  LANEPOOL_WORKSPACE = 27, /* workspace missing or workspace_bytes below desc.workspace_bytes */
  LANEPOOL_ALIGNMENT = 28, /* a buffer is not aligned to its element */
  LANEPOOL_OVERLAP = 29,   /* two buffers of a call overlap */
  LANEPOOL_RANGE = 30,     /* begin, end: not 0 <= begin <= end <= desc.work_items */
  LANEPOOL_TABLE = 31,     /* table missing, below desc.table_bytes, or made for another desc */
  LANEPOOL_INDEX = 32      /* MAX_UNPOOL: an index is neither -1 nor a position it may have */
};

/* op. y_type is x_type, but that AVERAGE, MAX and MIN also go between f32, u8 and s8. */
enum {
  LANEPOOL_OP_AVERAGE = 1, /* all types but s32; u16 and s16 by `rounding`, without scales */
  LANEPOOL_OP_MAX = 2,     /* all types; with index_type also where the maximum was */
  LANEPOOL_OP_MIN = 3,     /* all types */
  LANEPOOL_OP_SUM = 4,     /* f32, f64, f16, bf16 */
  LANEPOOL_OP_LP = 5,      /* (sum of |x|^p)^(1/p), p = lp_order: f32, f64, f16, bf16 */
  /* All types. y has `output_size` and is y_zero_point but where an index says: there it is x, the
     last one in the order of NCHW if several say the same; -1 says nothing. Indices are positions
     by index_mode (not WINDOW) in a tensor of the spatial sizes
     - output_size, where kernel is 0 (PyTorch);
     - (input - 1) * strides - pads + kernel otherwise (ONNX); it is also what an output_size of 0
       means. */
  LANEPOOL_OP_MAX_UNPOOL = 6
};

/* layout: the order of dense tensors, and of `output`; spatial axes are D, H, W in both */
enum {
  LANEPOOL_LAYOUT_NCHW = 1, /* N C [D] [H] W */
  LANEPOOL_LAYOUT_NHWC = 2  /* N [D] [H] W C */
};

/* element types: the numbers of ONNX TensorProto.DataType */
enum {
  LANEPOOL_TYPE_NONE = 0,
  LANEPOOL_TYPE_FLOAT = 1,
  LANEPOOL_TYPE_UINT8 = 2,
  LANEPOOL_TYPE_INT8 = 3,
  LANEPOOL_TYPE_UINT16 = 4,
  LANEPOOL_TYPE_INT16 = 5,
  LANEPOOL_TYPE_INT32 = 6,
  LANEPOOL_TYPE_INT64 = 7,
  LANEPOOL_TYPE_FLOAT16 = 10,
  LANEPOOL_TYPE_DOUBLE = 11,
  LANEPOOL_TYPE_BFLOAT16 = 16
};

/* auto_pad, as in ONNX; other than NOTSET it excludes non-zero pads */
enum {
  LANEPOOL_AUTO_PAD_NOTSET = 0,
  LANEPOOL_AUTO_PAD_VALID = 1,
  LANEPOOL_AUTO_PAD_SAME_UPPER = 2, /* the odd pad goes to the end */
  LANEPOOL_AUTO_PAD_SAME_LOWER = 3  /* the odd pad goes to the beginning */
};

/* ceil_mode; without effect under SAME */
enum {
  LANEPOOL_CEIL_OFF = 0,
  LANEPOOL_CEIL_ON = 1,  /* a last window that would start in the end pad is dropped (ONNX) */
  LANEPOOL_CEIL_KEEP = 2 /* it is kept (Caffe, OpenVINO CEIL): it can be an empty window */
};

/* valid_ceil: what ceil_mode means under auto_pad VALID */
enum {
  LANEPOOL_VALID_CEIL = 0, /* honoured, as ONNX shape inference and ONNX Runtime do */
  LANEPOOL_VALID_FLOOR = 1 /* ignored, as the text of the ONNX operator says */
};

/* oversize_kernel: effective kernel > padded input, without ceil_mode */
enum {
  LANEPOOL_OVERSIZE_REJECT = 0,  /* LANEPOOL_EMPTY_OUTPUT (PyTorch) */
  LANEPOOL_OVERSIZE_TRUNCATE = 1 /* division toward zero: one partial window (ORT) */
};

/* divisor of an average; the overhang of ceil_mode never counts but under FULL_KERNEL, CONSTANT */
enum {
  LANEPOOL_DIVISOR_EXCLUDE_PAD = 0, /* taps inside the input: ONNX count_include_pad = 0 */
  LANEPOOL_DIVISOR_INCLUDE_PAD = 1, /* taps in input and pads: ONNX count_include_pad = 1 */
  LANEPOOL_DIVISOR_FULL_KERNEL = 2, /* all taps of the kernel (oneDNN, tract, ncnn) */
  LANEPOOL_DIVISOR_CONSTANT = 3     /* divisor_value (PyTorch divisor_override) */
};

/* empty_window: a window without a tap in the input */
enum {
  /* 0, or y_zero_point; max: the lowest value of y_type, index -1; min: the highest */
  LANEPOOL_EMPTY_ZERO = 0,
  LANEPOOL_EMPTY_NAN = 1,   /* average with EXCLUDE_PAD: NaN; else as ZERO */
  LANEPOOL_EMPTY_REJECT = 2 /* lanepool_plan answers LANEPOOL_EMPTY_WINDOW */
};

/* nan_rule */
enum {
  LANEPOOL_NAN_PROPAGATE = 0, /* a NaN tap makes the result NaN */
  /* NaN taps are skipped and do not count in the divisor, but in CONSTANT; NaN only when all are */
  LANEPOOL_NAN_IGNORE = 1
};

/* rounding of quantized results; v is the exact real result in units of y_scale */
enum {
  LANEPOOL_ROUND_HALF_EVEN = 0, /* saturate(half_even(v) + y_zero_point) */
  /* saturate(half_even(v + y_zero_point)): ORT */
  LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT = 1,
  LANEPOOL_ROUND_HALF_AWAY = 2 /* saturate(half_away(v + y_zero_point)): TFLite */
};

/* index_mode: what an index counts. The first of equal taps in row-major order is the maximum; with
   NaN PROPAGATE the first NaN is; with IGNORE the first tap, if all are NaN. */
enum {
  LANEPOOL_INDEX_NCHW = 0,  /* position in the dense NCHW tensor, whatever the layout (ONNX) */
  LANEPOOL_INDEX_NHWC = 1,  /* position in the flattened dense NHWC tensor */
  LANEPOOL_INDEX_PLANE = 2, /* position within the channel's spatial plane (PyTorch) */
  LANEPOOL_INDEX_WINDOW = 3 /* tap number within the kernel, row major */
};

/* storage_order of INDEX_NCHW and INDEX_PLANE (ONNX MaxPool) */
enum { LANEPOOL_STORAGE_ROW_MAJOR = 0, LANEPOOL_STORAGE_COLUMN_MAJOR = 1 };

/* flags */
/* The window is the whole input: kernel stays 0, strides, dilations, pads, auto_pad at their
 * defaults. */
#define LANEPOOL_FLAG_GLOBAL 1u
/* Averages, sums and Lp of floats: row-major tap order, one accumulator, as a plain loop adds. */
#define LANEPOOL_FLAG_STRICT_ORDER 2u
#define LANEPOOL_FLAG_ACCUMULATE_F64 4u /* f32 average, sum, Lp: accumulate in f64, round once */
#define LANEPOOL_FLAG_CLAMP 8u          /* clamp y to [clamp_low, clamp_high]; NaN stays NaN */
/* Along an axis of n inputs and m = output_size outputs, window o has the taps from
   floor(o * n / m) up to ceil((o + 1) * n / m). The same fields as for GLOBAL stay unset. */
#define LANEPOOL_FLAG_ADAPTIVE 16u

/* dialects of lanepool_params_init: presets of the policy fields, nothing else */
enum {
  LANEPOOL_DIALECT_ONNX = 0,
  LANEPOOL_DIALECT_ORT = 1,    /* rounding AFTER_ZERO_POINT; oversize_kernel TRUNCATE */
  LANEPOOL_DIALECT_TORCH = 2,  /* divisor INCLUDE_PAD; index_mode PLANE */
  LANEPOOL_DIALECT_TFLITE = 3, /* rounding HALF_AWAY; empty_window REJECT */
  LANEPOOL_DIALECT_ONEDNN = 4  /* empty_window REJECT */
};

/* ---------------------------------------------------------------------------------------------
 * Params: what to compute. Fill with lanepool_params_init, then set fields. Arrays over spatial
 * axes are left-aligned as in ONNX attributes: entry 0 is the first spatial axis, entries at and
 * beyond `rank` stay as lanepool_params_init left them. */
typedef struct lanepool_params {
  uint32_t struct_size; /* sizeof(lanepool_params) of the caller's header; set by params_init.
                           Smaller: missing fields are 0. Larger: the unknown tail must be 0. */
  int32_t op;           /* LANEPOOL_OP_* */
  int32_t layout;       /* LANEPOOL_LAYOUT_* */
  int32_t rank;         /* number of spatial axes, 1..3 */
  int32_t x_type;       /* LANEPOOL_TYPE_* */
  int32_t y_type;
  int32_t index_type;      /* NONE, INT32 or INT64; MAX with indices, MAX_UNPOOL */
  int32_t auto_pad;        /* LANEPOOL_AUTO_PAD_* */
  int32_t ceil_mode;       /* LANEPOOL_CEIL_*; ONNX ceil_mode 0 and 1 are OFF and ON */
  int32_t valid_ceil;      /* LANEPOOL_VALID_* */
  int32_t oversize_kernel; /* LANEPOOL_OVERSIZE_* */
  int32_t divisor;         /* LANEPOOL_DIVISOR_*; ONNX count_include_pad 0, 1: EXCLUDE, INCLUDE */
  int32_t empty_window;    /* LANEPOOL_EMPTY_* */
  int32_t nan_rule;        /* LANEPOOL_NAN_* */
  int32_t rounding;        /* LANEPOOL_ROUND_* */
  int32_t index_mode;      /* LANEPOOL_INDEX_* */
  int32_t storage_order;   /* LANEPOOL_STORAGE_* */
  uint32_t flags;          /* LANEPOOL_FLAG_*, or-ed */
  uint64_t target_mask;    /* 0: the best of this machine; else only these (lanepool_targets) */
  int64_t divisor_value;   /* >= 1, for DIVISOR_CONSTANT; else 0 */
  int64_t batch;           /* N >= 0 */
  int64_t channels;        /* C >= 0 */
  int64_t input[3];        /* spatial sizes, >= 1 */
  int64_t kernel[3];       /* >= 1, in taps */
  int64_t strides[3];      /* >= 1, in input elements */
  int64_t dilations[3];    /* >= 1, distance of neighbouring taps in input elements */
  int64_t pads_begin[3];   /* >= 0 */
  int64_t pads_end[3];     /* >= 0 */
  int64_t output_size[3];  /* >= 1 for FLAG_ADAPTIVE, >= 0 for MAX_UNPOOL; else 0 */
  /* Views: distance in elements between neighbours along N, C, first .. last spatial axis
     (2 + rank entries used). All 0: dense in `layout`. x may repeat (0); y and index may not
     overlap themselves. */
  int64_t x_strides[5];
  int64_t y_strides[5];
  int64_t index_strides[5];
  /* Quantization of u8 and s8: real = scale * (q - zero_point). A count of 0: these values hold for
     the whole tensor. A count equal to channels: each channel has its own, see
     lanepool_table_init. */
  float x_scale;
  float y_scale;
  int32_t x_zero_point;
  int32_t y_zero_point;
  int32_t x_scale_count;
  int32_t y_scale_count;
  double clamp_low; /* for FLAG_CLAMP, in units of y's elements, rounded to y_type if floating */
  double clamp_high;
  double lp_order;     /* p of OP_LP: finite >= 1, or infinity */
  int64_t reserved[4]; /* 0 */
} lanepool_params;

/* ---------------------------------------------------------------------------------------------
 * Desc: a validated plan. Read the documented fields; the sealed part belongs to the library. */
typedef struct lanepool_desc {
  uint32_t magic;
  uint32_t abi_version;
  /* Smallest buffers, in bytes. 0 for index without indices, 0 for all when batch or channels is 0.
   */
  int64_t x_bytes;
  int64_t y_bytes;
  int64_t index_bytes;
  int64_t workspace_bytes; /* scratch of one call; concurrent calls need one each. May be 0. */
  int64_t work_items;      /* for lanepool_run_range */
  int64_t table_bytes;     /* of the table of per-channel quantization; else 0 */
  int64_t output[3];       /* spatial sizes of y, left-aligned; unused entries 0 */
  int64_t pads_begin[3];   /* as resolved from auto_pad */
  int64_t pads_end[3];
  int64_t element_count; /* of y */
  int32_t has_empty_windows;
  int32_t rank;
  uint64_t sealed[238];
} lanepool_desc;

/* Why a call failed. lanepool_error_format makes a sentence of it. */
typedef struct lanepool_error {
  int32_t status; /* LANEPOOL_* above; LANEPOOL_OK when the call succeeded */
  int32_t field;  /* which field or argument, a code for lanepool_error_format */
  int32_t axis;   /* entry of that field's array, or -1 */
  int32_t rule;   /* what it broke, a code for lanepool_error_format */
  int64_t value;  /* the offending value */
  int64_t limit;  /* what it was held against */
  double real;    /* the offending value of a floating-point field */
} lanepool_error;

/* ---------------------------------------------------------------------------------------------
 * Functions. Those that return int32_t return a status, unless they say otherwise. */

/* Fills `params` (of `size` bytes: sizeof(lanepool_params) of the caller) with defaults: batch 1,
 * channels 1, strides and dilations 1, scales 1, lp_order 2, the dialect's policies, all else 0.
 * op, layout, rank, x_type, y_type, input and kernel must be set by the caller: 0 is refused. NULL,
 * STRUCT_SIZE, POLICY (no such dialect). */
LANEPOOL_API int32_t lanepool_params_init(lanepool_params* params, size_t size, int32_t dialect);

/* Validates `params`, resolves shapes, pads and the algorithm, and writes `desc`. `error` may be
 * NULL. Pure arithmetic: O(rank), no allocation, no data is touched. On failure `desc` is not
 * written. Checks in this order: NULL, STRUCT_SIZE; RANK, OP and all other codes, FLAG, entries
 * beyond rank (RANK); TYPE; KERNEL, STRIDE, DILATION, PAD, AUTO_PAD; DIM; OVERFLOW; EMPTY_OUTPUT;
 * EMPTY_WINDOW; VIEW; SCALE, ZERO_POINT; TARGET; UNSUPPORTED. */
LANEPOOL_API int32_t lanepool_plan(const lanepool_params* params, lanepool_desc* desc,
                                   lanepool_error* error);

/* Pools the whole of x into y. Sizes are in bytes and may be larger than needed. `index` is NULL
 * unless the desc has indices, `workspace` may be NULL when desc->workspace_bytes is 0; its
 * alignment is free. y, index and workspace must not overlap x or each other. With batch or
 * channels 0 the buffers may be NULL. NULL, DESC, X_SIZE, Y_SIZE, INDEX_SIZE, WORKSPACE, ALIGNMENT,
 * OVERLAP, TARGET (desc made on another machine), INDEX (MAX_UNPOOL, which reads `index` and writes
 * nothing if one is wrong). Nothing else fails after planning. */
LANEPOOL_API int32_t lanepool_run(const lanepool_desc* desc, const void* x, size_t x_bytes, void* y,
                                  size_t y_bytes, void* index, size_t index_bytes, void* workspace,
                                  size_t workspace_bytes);

/* The work items [begin, end) of the same job, 0 <= begin <= end <= desc->work_items, for a thread
 * pool of the caller. Items write separate outputs; any split gives the same bytes as lanepool_run.
 * As lanepool_run, and RANGE. */
LANEPOOL_API int32_t lanepool_run_range(const lanepool_desc* desc, const void* x, size_t x_bytes,
                                        void* y, size_t y_bytes, void* index, size_t index_bytes,
                                        void* workspace, size_t workspace_bytes, int64_t begin,
                                        int64_t end);

/* Per-channel quantization: fills `table` for a desc with table_bytes > 0, that is, one planned
 * with x_scale_count or y_scale_count equal to channels. The arrays have one entry per channel.
 * NULL stands for params.x_scale, .x_zero_point, .y_scale, .y_zero_point in every channel; arrays
 * of a side whose count is 0 must be NULL. The table is plain data, aligned to 8 bytes, and is
 * valid for this desc and every desc of the same params. Takes about 1 us per channel and divisor.
 * `error` may be NULL; in it, axis is the channel. NULL, DESC, TABLE, ALIGNMENT, SCALE, ZERO_POINT.
 */
LANEPOOL_API int32_t lanepool_table_init(const lanepool_desc* desc, const float* x_scales,
                                         const int32_t* x_zero_points, const float* y_scales,
                                         const int32_t* y_zero_points, void* table,
                                         size_t table_bytes, lanepool_error* error);

/* lanepool_run_range for any desc; `table` is what lanepool_table_init made of this desc, NULL for
 * a desc with table_bytes 0. It is only read and may be shared. lanepool_run and lanepool_run_range
 * answer TABLE for a desc that needs one. As lanepool_run_range, and TABLE. */
LANEPOOL_API int32_t lanepool_run_table(const lanepool_desc* desc, const void* table,
                                        size_t table_bytes, const void* x, size_t x_bytes, void* y,
                                        size_t y_bytes, void* index, size_t index_bytes,
                                        void* workspace, size_t workspace_bytes, int64_t begin,
                                        int64_t end);

/* For a desc that was stored or received: `bytes` (of `size` bytes, any alignment) must be exactly
 * what lanepool_plan makes of the params inside on this machine. lanepool_run trusts a desc, so
 * anything that did not come from lanepool_plan in this process must pass here first. `error` may
 * be NULL. NULL, DESC, and what lanepool_plan answers. */
LANEPOOL_API int32_t lanepool_desc_check(const void* bytes, size_t size, lanepool_error* error);

/* The params that a desc was planned from; `size` is sizeof(lanepool_params) of the caller.
 * NULL, STRUCT_SIZE, DESC. */
LANEPOOL_API int32_t lanepool_desc_params(const lanepool_desc* desc, lanepool_params* params,
                                          size_t size);

/* One number of a desc, for hosts that cannot see structs; -1 for a NULL or foreign desc or an
 * unknown `what`. Add the axis 0..2 to the codes of arrays. */
enum {
  LANEPOOL_GET_X_BYTES = 0,
  LANEPOOL_GET_Y_BYTES = 1,
  LANEPOOL_GET_INDEX_BYTES = 2,
  LANEPOOL_GET_WORKSPACE_BYTES = 3,
  LANEPOOL_GET_WORK_ITEMS = 4,
  LANEPOOL_GET_ELEMENT_COUNT = 5,
  LANEPOOL_GET_HAS_EMPTY_WINDOWS = 6,
  LANEPOOL_GET_RANK = 7,
  LANEPOOL_GET_TABLE_BYTES = 8,
  LANEPOOL_GET_OUTPUT = 16,
  LANEPOOL_GET_PADS_BEGIN = 20,
  LANEPOOL_GET_PADS_END = 24
};
LANEPOOL_API int64_t lanepool_desc_get(const lanepool_desc* desc, int32_t what);

/* The sizes of the structs of this library, for hosts that build them by hand. */
LANEPOOL_API size_t lanepool_params_size(void);
LANEPOOL_API size_t lanepool_desc_size(void);

/* Writes one line about a desc, as "average f32 nhwc 2d 3x3/1: columns, AVX3", or for
 * quantized results "average u8 nhwc 2d 3x3/1: columns, requantize 9 mul16 6 mul16_even 4
 * mul16_even, AVX3" with the divisors and the proven formula of each, cut to `size` bytes with
 * the terminating 0 (size 0: nothing is written). Returns the length of the whole line, or -1 for a
 * desc that lanepool_desc_check refuses. */
LANEPOOL_API int32_t lanepool_explain(const lanepool_desc* desc, char* text, size_t size);

/* A sentence as "kernel[1] is 0; it must be at least 1". Same convention as lanepool_explain. */
LANEPOOL_API int32_t lanepool_error_format(const lanepool_error* error, char* text, size_t size);

/* "OK", "KERNEL", ...; "?" for an unknown status. */
LANEPOOL_API const char* lanepool_status_name(int32_t status);

/* Instruction sets as a bit mask. The bits are the library's own business: name them with
 * lanepool_target_name, combine them into target_mask. 0 for an unknown `which`. */
enum {
  LANEPOOL_TARGETS_COMPILED = 0,  /* in this library */
  LANEPOOL_TARGETS_SUPPORTED = 1, /* of those, what this CPU runs */
  LANEPOOL_TARGETS_BEST = 2       /* the one used with target_mask 0 */
};
LANEPOOL_API uint64_t lanepool_targets(int32_t which);

/* Name of one bit, as "AVX2"; "?" if it is not exactly one known bit. */
LANEPOOL_API const char* lanepool_target_name(uint64_t target);

/* What the library knows of the machine (bytes, or counts); -1 for an unknown `what`. The only
 * function that may allocate: cpuinfo does, when it is first asked. */
enum {
  LANEPOOL_MACHINE_L1D_BYTES = 0,
  LANEPOOL_MACHINE_L2_BYTES = 1,
  LANEPOOL_MACHINE_L3_BYTES = 2,
  LANEPOOL_MACHINE_CORES = 3,
  LANEPOOL_MACHINE_DETECTED = 4 /* 1: asked the CPU; 0: fixed defaults */
};
LANEPOOL_API int64_t lanepool_machine(int32_t what);

/* "0.1.0", and LANEPOOL_ABI_VERSION of the library. */
LANEPOOL_API const char* lanepool_version(void);
LANEPOOL_API int32_t lanepool_abi_version(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* LANEPOOL_LANEPOOL_H_ */
