//! Pooling on CPUs: windows over tensors, exact, fast, and the same bits everywhere.
//!
//! A [`Pool`] says what to compute, with the attributes of the ONNX operators; for the shape of a
//! tensor it becomes a [`Plan`], which is plain data (`Copy`, `Send`, `Sync`) and runs on slices.
//!
//! ```
//! use lanepool::{Layout, Pool};
//!
//! let pool = Pool::<f32>::average().layout(Layout::Nhwc).kernel_shape([3, 3]).pads([1, 1, 1, 1]);
//! let plan = pool.plan([1, 35, 35, 64])?;
//! let (x, mut y) = (vec![1.0; plan.x_len()], vec![0.0; plan.y_len()]);
//! plan.run(&x, &mut y)?;
//! assert!(y.iter().all(|&mean| mean == 1.0));
//! # Ok::<(), lanepool::Error>(())
//! ```
//!
//! # What is promised
//!
//! - The rules of shapes, divisors, NaN and rounding are written in `docs/semantics.md` of lanepool.
//!   The bytes of y are those of the C function, on every instruction set, however the work is split.
//! - Planning and running allocate nothing, but for windows of many taps and some conversions: these
//!   need a workspace ([`Plan::workspace_bytes`]), which [`Plan::run`] makes once per thread and
//!   keeps; [`Call::workspace`] takes one of yours.
//! - What is refused is an [`Error`] that names field, axis, value and limit. Nothing panics.
//!
//! # Features
//!
//! | feature | |
//! | --- | --- |
//! | `std`, on by default | workspaces that are kept per thread; without it the crate is `no_std` |
//! | `alloc`, by `std` | results in a `Vec`, tables of per-channel quantization |
//! | `half` | `half::f16` and `half::bf16` as elements |
//! | `ndarray` | arrays and views with their strides |
//! | `rayon` | [`Plan::run`] on the threads of rayon: `Plan::par_run` |
//! | `pkg-config` | links the installed library instead of building it |
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "ndarray")]
mod arrays;
mod axes;
mod call;
mod element;
mod error;
#[cfg(target_has_atomic = "ptr")]
mod job;
mod options;
#[cfg(feature = "rayon")]
mod parallel;
mod plan;
mod pool;
mod table;
mod workspace;

pub use axes::Shape;
pub use call::Call;
pub use element::{Element, Index, MaybeIndex, NoIndex};
pub use error::{Buffer, Error, Field, Result, Status, Value};
#[cfg(target_has_atomic = "ptr")]
pub use job::Job;
pub use options::{
    AutoPad, CeilMode, Dialect, Divisor, EmptyWindow, IndexMode, Layout, NanRule, Op,
    OversizeKernel, Rounding, StorageOrder, ValidCeil,
};
pub use plan::Plan;
pub use pool::Pool;
pub use table::{Channels, Table};

/// The version of the linked library, as "0.1.0".
#[must_use]
pub fn version() -> &'static str {
    // SAFETY: a string that is part of the library.
    let version = unsafe { core::ffi::CStr::from_ptr(lanepool_sys::lanepool_version()) };
    version.to_str().unwrap_or("?")
}

/// The program of the README is compiled and run.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
