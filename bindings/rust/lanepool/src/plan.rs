//! A job that has been checked and prepared.

use core::ffi::{c_char, CStr};
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr::null_mut;

use lanepool_sys as sys;

use crate::axes::Shape;
use crate::{Call, Element, Index, Layout, MaybeIndex, NoIndex, Result};

/// A [`Pool`](crate::Pool) that was planned for the shape of a tensor.
///
/// Plain data of 2 KiB without pointers: copy it, share it between threads, keep it. It displays as
/// the library explains it: "average f32 nhwc 2d 3x3/1: columns, AVX3".
#[derive(Clone, Copy)]
#[must_use]
pub struct Plan<X, Y = X, I = NoIndex> {
    desc: sys::lanepool_desc,
    /// Whether indices are read and not written.
    unpools: bool,
    types: PhantomData<fn(X) -> (Y, I)>,
}

impl<X: Element, Y: Element, I: MaybeIndex> Plan<X, Y, I> {
    /// Of what `lanepool_plan` has made for these types.
    pub(crate) fn new(desc: sys::lanepool_desc, unpools: bool) -> Self {
        Self { desc, unpools, types: PhantomData }
    }

    /// The desc of the C interface.
    #[must_use]
    pub fn desc(&self) -> &sys::lanepool_desc {
        &self.desc
    }

    pub(crate) fn unpools(&self) -> bool {
        self.unpools
    }

    /// The params of the C interface that were planned, strides and scales included.
    #[must_use]
    pub fn params(&self) -> sys::lanepool_params {
        // SAFETY: zeros are a value, and the size is that of the struct.
        unsafe {
            let mut params: sys::lanepool_params = core::mem::zeroed();
            sys::lanepool_desc_params(&self.desc, &mut params, size_of_val(&params));
            params
        }
    }

    /// How many elements x must have at least; it may have more.
    #[must_use]
    pub fn x_len(&self) -> usize {
        self.desc.x_bytes as usize / size_of::<X>() // sizes of a desc are not negative
    }

    /// How many elements y must have at least.
    #[must_use]
    pub fn y_len(&self) -> usize {
        self.desc.y_bytes as usize / size_of::<Y>()
    }

    /// How many indices there must be at least; 0 in a job without.
    #[must_use]
    pub fn index_len(&self) -> usize {
        self.desc.index_bytes as usize / size_of::<I>().max(1)
    }

    /// How many bytes of scratch a call needs; may be 0.
    #[must_use]
    pub fn workspace_bytes(&self) -> usize {
        self.desc.workspace_bytes as usize
    }

    /// How many words a [`Table`](crate::Table) has; 0 without per-channel quantization.
    #[must_use]
    pub fn table_words(&self) -> usize {
        (self.desc.table_bytes as usize).div_ceil(size_of::<u64>())
    }

    /// Into how many parts the work can be split.
    #[must_use]
    pub fn work_items(&self) -> usize {
        self.desc.work_items as usize
    }

    /// Whether some window has no tap inside the input.
    #[must_use]
    pub fn has_empty_windows(&self) -> bool {
        self.desc.has_empty_windows != 0
    }

    /// The order of the axes.
    #[must_use]
    pub fn layout(&self) -> Layout {
        match self.params().layout {
            sys::LANEPOOL_LAYOUT_NHWC => Layout::Nhwc,
            _ => Layout::Nchw,
        }
    }

    /// The shape of x, in the order of its axes.
    #[must_use]
    pub fn x_shape(&self) -> Shape {
        self.shape(&self.params().input)
    }

    /// The shape of y and of the indices.
    #[must_use]
    pub fn y_shape(&self) -> Shape {
        self.shape(&self.desc.output)
    }

    fn shape(&self, spatial: &[i64]) -> Shape {
        let params = self.params();
        let rank = params.rank as usize; // 1 to 3
        Shape::new(self.layout(), params.batch, params.channels, &spatial[..rank])
    }

    /// Calls with everything that a call can have. [`run`](Plan::run) and its like are short for it.
    #[inline]
    pub fn call<'a>(&'a self, x: &'a [X], y: &'a mut [Y]) -> Call<'a, X, Y, I> {
        Call::new(self, x, y)
    }

    /// As [`call`](Self::call); a y without [`y_strides`](crate::Pool::y_strides) is written whole.
    pub fn call_uninit<'a>(&'a self, x: &'a [X], y: &'a mut [MaybeUninit<Y>]) -> Call<'a, X, Y, I> {
        // SAFETY: the call writes elements of y, and reads none.
        unsafe { Call::from_raw(self, x.as_ptr(), x.len(), y.as_mut_ptr().cast(), y.len()) }
    }
}

impl<X: Element, Y: Element> Plan<X, Y> {
    /// Pools x into y.
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`](crate::Error::Buffer) when a slice is too short. Nothing is written then.
    #[inline]
    pub fn run(&self, x: &[X], y: &mut [Y]) -> Result<()> {
        // What most calls are, without a detour: nothing but x and y.
        if self.desc.workspace_bytes == 0 {
            let (x_bytes, y_bytes) = (size_of_val(x), size_of_val(y));
            let (x_data, y_data) = (x.as_ptr().cast(), y.as_mut_ptr().cast());
            let (none, desc) = (null_mut(), &self.desc);
            // SAFETY: the desc was made by the library for elements X and Y, which the slices have;
            // their sizes are given and checked.
            let status = unsafe {
                sys::lanepool_run(desc, x_data, x_bytes, y_data, y_bytes, none, 0, none, 0)
            };
            if status == sys::LANEPOOL_OK {
                return Ok(());
            }
        }
        self.call(x, y).run() // with workspace, or with the reason of the failure
    }

    /// Does a part of the work: [`work_items`](Self::work_items) are all of it. The others' outputs
    /// stay as they are. For several threads see [`Call::job`].
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), and [`Error::Range`](crate::Error::Range).
    #[inline]
    pub fn run_range(&self, x: &[X], y: &mut [Y], items: Range<usize>) -> Result<()> {
        self.call(x, y).run_range(items)
    }

    /// Pools x into a new vector.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    #[cfg(feature = "alloc")]
    pub fn pool(&self, x: &[X]) -> Result<alloc::vec::Vec<Y>> {
        let (length, elements) = (self.y_len(), self.y_shape().elements());
        let mut y = alloc::vec::Vec::with_capacity(length);
        if length != elements {
            // SAFETY: as below, but for what lies between the elements, which is made 0 here.
            unsafe { core::ptr::write_bytes::<Y>(y.as_mut_ptr(), 0, length) };
        }
        self.call_uninit(x, &mut y.spare_capacity_mut()[..length]).run()?;
        // SAFETY: a whole call writes every element.
        unsafe { y.set_len(length) };
        Ok(y)
    }
}

impl<X: Element, Y: Element, I: Index> Plan<X, Y, I> {
    /// Pools x into y, and the places of the maxima into index.
    ///
    /// # Errors
    ///
    /// As [`run`](Plan::run).
    #[inline]
    pub fn run_indexed(&self, x: &[X], y: &mut [Y], index: &mut [I]) -> Result<()> {
        self.call(x, y).write_index(index).run()
    }

    /// Puts each element of x where index says, as [`Pool::max_unpool`](crate::Pool::max_unpool)
    /// has planned it.
    ///
    /// # Errors
    ///
    /// As [`run`](Plan::run), and [`Error::Run`](crate::Error::Run) for an index that is not in
    /// its plane; nothing is written then.
    #[inline]
    pub fn unpool(&self, x: &[X], index: &[I], y: &mut [Y]) -> Result<()> {
        self.call(x, y).read_index(index).run()
    }
}

impl<X, Y, I> PartialEq for Plan<X, Y, I> {
    fn eq(&self, other: &Self) -> bool {
        self.desc == other.desc
    }
}

impl<X, Y, I> Eq for Plan<X, Y, I> {}

impl<X, Y, I> fmt::Display for Plan<X, Y, I> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text: [c_char; 512] = [0; 512];
        // SAFETY: the text ends with a 0 inside of the buffer.
        let line = unsafe {
            sys::lanepool_explain(&self.desc, text.as_mut_ptr(), text.len());
            CStr::from_ptr(text.as_ptr())
        };
        out.write_str(line.to_str().unwrap_or("?"))
    }
}

impl<X, Y, I> fmt::Debug for Plan<X, Y, I> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Plan({self})")
    }
}
