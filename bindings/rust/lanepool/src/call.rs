//! One call of the library, with everything that it can have.

use core::ffi::c_void;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::ptr::{null, null_mut};

use lanepool_sys as sys;

use crate::axes::to_i64;
use crate::workspace::with_workspace;
use crate::{Buffer, Element, Error, Index, MaybeIndex, Plan, Result, Status, Table};

/// A call that is being put together; [`run`](Self::run) makes it.
///
/// ```
/// # use lanepool::Pool;
/// # use std::mem::MaybeUninit;
/// let plan = Pool::<f32>::sum().kernel_shape([65]).plan([1, 1, 1000])?;
/// let (x, mut y) = ([1.0; 1000], [0.0; 936]);
/// let mut workspace = vec![MaybeUninit::uninit(); plan.workspace_bytes()];
/// plan.call(&x, &mut y).workspace(&mut workspace).run()?;
/// assert_eq!(y, [65.0; 936]);
/// # Ok::<(), lanepool::Error>(())
/// ```
#[must_use]
pub struct Call<'a, X, Y, I> {
    plan: &'a Plan<X, Y, I>,
    buffers: Buffers,
    workspace: Option<&'a mut [MaybeUninit<u8>]>,
    borrows: PhantomData<(&'a [X], &'a mut [Y], &'a mut [I])>,
}

/// What the C function takes besides workspace and range.
#[derive(Clone, Copy)]
pub(crate) struct Buffers {
    x: *const c_void,
    x_bytes: usize,
    y: *mut c_void,
    y_bytes: usize,
    index: *mut c_void,
    index_bytes: usize,
    table: *const c_void,
    table_bytes: usize,
}

impl<'a, X: Element, Y: Element, I: MaybeIndex> Call<'a, X, Y, I> {
    #[inline]
    pub(crate) fn new(plan: &'a Plan<X, Y, I>, x: &'a [X], y: &'a mut [Y]) -> Self {
        // SAFETY: two slices.
        unsafe { Self::from_raw(plan, x.as_ptr(), x.len(), y.as_mut_ptr(), y.len()) }
    }

    /// # Safety
    ///
    /// For `'a`, so many elements can be read at x, and written at y by nobody else. Elements of y
    /// that the plan does not write may be somebody else's.
    #[inline]
    pub(crate) unsafe fn from_raw(
        plan: &'a Plan<X, Y, I>,
        x: *const X,
        x_len: usize,
        y: *mut Y,
        y_len: usize,
    ) -> Self {
        let buffers = Buffers {
            x: x.cast(),
            x_bytes: x_len * size_of::<X>(),
            y: y.cast(),
            y_bytes: y_len * size_of::<Y>(),
            index: null_mut(),
            index_bytes: 0,
            table: null(),
            table_bytes: 0,
        };
        Self { plan, buffers, workspace: None, borrows: PhantomData }
    }

    /// Scratch of at least [`Plan::workspace_bytes`] bytes, of any alignment and content.
    #[inline]
    pub fn workspace(mut self, workspace: &'a mut [MaybeUninit<u8>]) -> Self {
        self.workspace = Some(workspace);
        self
    }

    /// Scales and zero points of each channel.
    #[inline]
    pub fn table(mut self, table: &'a Table<'_>) -> Self {
        self.buffers.table = table.words().as_ptr().cast();
        self.buffers.table_bytes = size_of_val(table.words());
        self
    }

    /// All of the work.
    ///
    /// # Errors
    ///
    /// [`Error::Buffer`] when something is missing or too short, [`Error::Run`] for an index that
    /// unpooling cannot have. Nothing is written then.
    #[inline]
    pub fn run(self) -> Result<()> {
        let all = 0..self.plan.work_items();
        self.run_range(all)
    }

    /// A part of the work; the outputs of the others stay as they are.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), and [`Error::Range`].
    #[inline]
    pub fn run_range(mut self, items: Range<usize>) -> Result<()> {
        // SAFETY: this call has what it borrows for itself.
        unsafe { run_items(self.plan, &self.buffers, self.workspace.as_deref_mut(), items) }
    }

    #[cfg(feature = "rayon")]
    pub(crate) fn items(&self) -> usize {
        self.plan.work_items()
    }

    /// The same call for several threads, each of which takes parts of the work. They need a
    /// workspace each: one that was given here is not used.
    #[cfg(target_has_atomic = "ptr")]
    pub fn job(self) -> crate::Job<'a, X, Y, I> {
        crate::Job::new(self.plan, self.buffers)
    }
}

impl<'a, X: Element, Y: Element, I: Index> Call<'a, X, Y, I> {
    /// Where a maximum was, to be written.
    #[inline]
    pub fn write_index(mut self, index: &'a mut [I]) -> Self {
        if !self.plan.unpools() {
            self.buffers.index = index.as_mut_ptr().cast();
            self.buffers.index_bytes = size_of_val(index);
        }
        self
    }

    /// # Safety
    ///
    /// For `'a`, so many indices can be written there by nobody else.
    #[cfg(feature = "ndarray")]
    pub(crate) unsafe fn write_index_to(mut self, index: *mut I, length: usize) -> Self {
        if !self.plan.unpools() {
            self.buffers.index = index.cast();
            self.buffers.index_bytes = length * size_of::<I>();
        }
        self
    }

    /// Where unpooling puts an element.
    #[inline]
    pub fn read_index(mut self, index: &'a [I]) -> Self {
        if self.plan.unpools() {
            self.buffers.index = index.as_ptr().cast_mut().cast(); // only read
            self.buffers.index_bytes = size_of_val(index);
        }
        self
    }
}

/// # Safety
///
/// The buffers are alive, and nobody else reads or writes what these items write.
pub(crate) unsafe fn run_items<X: Element, Y: Element, I: MaybeIndex>(
    plan: &Plan<X, Y, I>,
    buffers: &Buffers,
    workspace: Option<&mut [MaybeUninit<u8>]>,
    items: Range<usize>,
) -> Result<()> {
    let needed = plan.workspace_bytes();
    // SAFETY: that of this function.
    let run = |scratch: &mut [MaybeUninit<u8>]| unsafe { run_with(plan, buffers, scratch, items) };
    match workspace {
        _ if needed == 0 => run(&mut []),
        Some(workspace) => run(workspace),
        None => with_workspace(needed, run),
    }
}

/// # Safety
///
/// As for `run_items`.
#[inline]
unsafe fn run_with<X: Element, Y: Element, I: MaybeIndex>(
    plan: &Plan<X, Y, I>,
    buffers: &Buffers,
    workspace: &mut [MaybeUninit<u8>],
    items: Range<usize>,
) -> Result<()> {
    // SAFETY: the desc was made by the library for the types of the buffers; all sizes are given
    // and checked, and the range as well.
    let status = unsafe {
        sys::lanepool_run_table(
            plan.desc(),
            buffers.table,
            buffers.table_bytes,
            buffers.x,
            buffers.x_bytes,
            buffers.y,
            buffers.y_bytes,
            buffers.index,
            buffers.index_bytes,
            workspace.as_mut_ptr().cast(),
            workspace.len(),
            to_i64(items.start),
            to_i64(items.end),
        )
    };
    if status == sys::LANEPOOL_OK {
        return Ok(());
    }
    Err(failure(plan, buffers, workspace.len(), &items, status))
}

#[cold]
fn failure<X: Element, Y: Element, I: MaybeIndex>(
    plan: &Plan<X, Y, I>,
    buffers: &Buffers,
    workspace: usize,
    items: &Range<usize>,
    status: i32,
) -> Error {
    let too_short = |buffer, given, needed| Error::Buffer { buffer, given, needed };
    match Status::from_code(status) {
        Status::XSize => too_short(Buffer::X, buffers.x_bytes / size_of::<X>(), plan.x_len()),
        Status::YSize => too_short(Buffer::Y, buffers.y_bytes / size_of::<Y>(), plan.y_len()),
        // Slices are never NULL, only an index that was not given.
        Status::IndexSize | Status::Null => {
            let given = buffers.index_bytes / size_of::<I>().max(1);
            too_short(Buffer::Index, given, plan.index_len())
        }
        Status::Workspace => too_short(Buffer::Workspace, workspace, plan.workspace_bytes()),
        Status::Table if buffers.table.is_null() => too_short(Buffer::Table, 0, plan.table_words()),
        Status::Range => {
            Error::Range { begin: items.start, end: items.end, work_items: plan.work_items() }
        }
        status => Error::Run { status },
    }
}
