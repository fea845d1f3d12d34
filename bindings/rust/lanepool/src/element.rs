//! Types of elements and indices.

use lanepool_sys as sys;

/// A number that tensors can be made of.
///
/// Implemented for `f32`, `f64`, `u8`, `i8`, `u16`, `i16` and `i32`, and with the feature `half` for
/// `half::f16` and `half::bf16`. Which operation takes which type is in the README of lanepool;
/// [`Pool::plan`](crate::Pool::plan) refuses the others.
///
/// # Safety
///
/// Every bit pattern is a value, there is no padding, and size and alignment are those of the C
/// type that `CODE` names.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The number of the type in ONNX `TensorProto.DataType`, which is also that of the C interface.
    const CODE: i32;
}

/// A number that says where a maximum was: `i64` or `i32`.
///
/// # Safety
///
/// As for [`Element`].
pub unsafe trait Index: Copy + Send + Sync + 'static {
    /// As [`Element::CODE`].
    const CODE: i32;
}

/// Stands for the type of indices in a job that has none.
#[derive(Clone, Copy, Debug)]
pub enum NoIndex {}

/// [`NoIndex`] or an [`Index`].
pub trait MaybeIndex: Copy + Send + Sync + 'static + sealed::Sealed {
    #[doc(hidden)]
    const CODE_OR_NONE: i32;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::NoIndex {}
    impl<T: super::Index> Sealed for T {}
}

impl MaybeIndex for NoIndex {
    const CODE_OR_NONE: i32 = sys::LANEPOOL_TYPE_NONE;
}

impl<T: Index> MaybeIndex for T {
    const CODE_OR_NONE: i32 = T::CODE;
}

macro_rules! numbers {
    ($name:ident: $($type:ty = $code:ident,)+) => {
        // SAFETY: these are the C types of the same name.
        $(unsafe impl $name for $type {
            const CODE: i32 = sys::$code;
        })+
    };
}

numbers! {
    Element:
    f32 = LANEPOOL_TYPE_FLOAT,
    f64 = LANEPOOL_TYPE_DOUBLE,
    u8 = LANEPOOL_TYPE_UINT8,
    i8 = LANEPOOL_TYPE_INT8,
    u16 = LANEPOOL_TYPE_UINT16,
    i16 = LANEPOOL_TYPE_INT16,
    i32 = LANEPOOL_TYPE_INT32,
}

#[cfg(feature = "half")]
numbers! {
    Element:
    half::f16 = LANEPOOL_TYPE_FLOAT16,
    half::bf16 = LANEPOOL_TYPE_BFLOAT16,
}

numbers! {
    Index:
    i32 = LANEPOOL_TYPE_INT32,
    i64 = LANEPOOL_TYPE_INT64,
}
