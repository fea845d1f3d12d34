//! Bindings of `lanepool/lanepool.h`, written by hand and held against the header by a test.
//!
//! The names are those of C, and so is the contract: read the header. The crate `lanepool` is the
//! safe way to the same functions.
//!
//! # How the library is found
//!
//! | | |
//! | --- | --- |
//! | `LANEPOOL_LIB_DIR` is set | links `liblanepool.so` of that directory |
//! | feature `pkg-config`, or `LANEPOOL_PKG_CONFIG=1` | links what pkg-config names |
//! | otherwise | CMake builds the static library from this repository |
//!
//! Crates that depend on this one directly see the directory of the header as
//! `DEP_LANEPOOL_INCLUDE` in their build scripts.
#![no_std]
#![allow(non_camel_case_types)]
#![allow(missing_docs)] // the header has the words

use core::ffi::{c_char, c_void};

mod constants;
mod structs;

pub use constants::*;
pub use structs::{lanepool_desc, lanepool_error, lanepool_params};

extern "C" {
    pub fn lanepool_params_init(params: *mut lanepool_params, size: usize, dialect: i32) -> i32;
    pub fn lanepool_plan(
        params: *const lanepool_params,
        desc: *mut lanepool_desc,
        error: *mut lanepool_error,
    ) -> i32;
    pub fn lanepool_run(
        desc: *const lanepool_desc,
        x: *const c_void,
        x_bytes: usize,
        y: *mut c_void,
        y_bytes: usize,
        index: *mut c_void,
        index_bytes: usize,
        workspace: *mut c_void,
        workspace_bytes: usize,
    ) -> i32;
    pub fn lanepool_run_range(
        desc: *const lanepool_desc,
        x: *const c_void,
        x_bytes: usize,
        y: *mut c_void,
        y_bytes: usize,
        index: *mut c_void,
        index_bytes: usize,
        workspace: *mut c_void,
        workspace_bytes: usize,
        begin: i64,
        end: i64,
    ) -> i32;
    pub fn lanepool_table_init(
        desc: *const lanepool_desc,
        x_scales: *const f32,
        x_zero_points: *const i32,
        y_scales: *const f32,
        y_zero_points: *const i32,
        table: *mut c_void,
        table_bytes: usize,
        error: *mut lanepool_error,
    ) -> i32;
    pub fn lanepool_run_table(
        desc: *const lanepool_desc,
        table: *const c_void,
        table_bytes: usize,
        x: *const c_void,
        x_bytes: usize,
        y: *mut c_void,
        y_bytes: usize,
        index: *mut c_void,
        index_bytes: usize,
        workspace: *mut c_void,
        workspace_bytes: usize,
        begin: i64,
        end: i64,
    ) -> i32;
    pub fn lanepool_desc_check(
        bytes: *const c_void,
        size: usize,
        error: *mut lanepool_error,
    ) -> i32;
    pub fn lanepool_desc_params(
        desc: *const lanepool_desc,
        params: *mut lanepool_params,
        size: usize,
    ) -> i32;
    pub fn lanepool_desc_get(desc: *const lanepool_desc, what: i32) -> i64;
    pub fn lanepool_params_size() -> usize;
    pub fn lanepool_desc_size() -> usize;
    pub fn lanepool_explain(desc: *const lanepool_desc, text: *mut c_char, size: usize) -> i32;
    pub fn lanepool_error_format(
        error: *const lanepool_error,
        text: *mut c_char,
        size: usize,
    ) -> i32;
    pub fn lanepool_status_name(status: i32) -> *const c_char;
    pub fn lanepool_targets(which: i32) -> u64;
    pub fn lanepool_target_name(target: u64) -> *const c_char;
    pub fn lanepool_machine(what: i32) -> i64;
    pub fn lanepool_version() -> *const c_char;
    pub fn lanepool_abi_version() -> i32;
}
