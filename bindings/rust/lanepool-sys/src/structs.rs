//! The three structs of the header.

/// What to compute. Fill with `lanepool_params_init`, then set fields.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct lanepool_params {
    pub struct_size: u32,
    pub op: i32,
    pub layout: i32,
    pub rank: i32,
    pub x_type: i32,
    pub y_type: i32,
    pub index_type: i32,
    pub auto_pad: i32,
    pub ceil_mode: i32,
    pub valid_ceil: i32,
    pub oversize_kernel: i32,
    pub divisor: i32,
    pub empty_window: i32,
    pub nan_rule: i32,
    pub rounding: i32,
    pub index_mode: i32,
    pub storage_order: i32,
    pub flags: u32,
    pub target_mask: u64,
    pub divisor_value: i64,
    pub batch: i64,
    pub channels: i64,
    pub input: [i64; 3],
    pub kernel: [i64; 3],
    pub strides: [i64; 3],
    pub dilations: [i64; 3],
    pub pads_begin: [i64; 3],
    pub pads_end: [i64; 3],
    pub output_size: [i64; 3],
    pub x_strides: [i64; 5],
    pub y_strides: [i64; 5],
    pub index_strides: [i64; 5],
    pub x_scale: f32,
    pub y_scale: f32,
    pub x_zero_point: i32,
    pub y_zero_point: i32,
    pub x_scale_count: i32,
    pub y_scale_count: i32,
    pub clamp_low: f64,
    pub clamp_high: f64,
    pub lp_order: f64,
    pub reserved: [i64; 4],
}

/// A validated plan: plain data without pointers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct lanepool_desc {
    pub magic: u32,
    pub abi_version: u32,
    pub x_bytes: i64,
    pub y_bytes: i64,
    pub index_bytes: i64,
    pub workspace_bytes: i64,
    pub work_items: i64,
    pub table_bytes: i64,
    pub output: [i64; 3],
    pub pads_begin: [i64; 3],
    pub pads_end: [i64; 3],
    pub element_count: i64,
    pub has_empty_windows: i32,
    pub rank: i32,
    pub sealed: [u64; 238],
}

/// Why a call failed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct lanepool_error {
    pub status: i32,
    pub field: i32,
    pub axis: i32,
    pub rule: i32,
    pub value: i64,
    pub limit: i64,
    pub real: f64,
}
