//! Work that several threads share.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::call::{run_items, Buffers};
use crate::{Element, MaybeIndex, Plan, Result};

/// A call whose work items are handed out, each one once, to the threads that ask for them.
///
/// The bytes of y do not depend on who does what.
///
/// ```
/// # use lanepool::Pool;
/// let plan = Pool::<f32>::max().kernel_shape([3, 3]).plan([8, 16, 30, 30])?;
/// let x: Vec<f32> = (0..plan.x_len()).map(|i| (i % 97) as f32).collect();
/// let mut y = vec![0.0; plan.y_len()];
/// let job = plan.call(&x, &mut y).job();
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| while job.work(8).expect("buffers of the plan").is_some() {});
///     }
/// });
/// assert_eq!(y, plan.pool(&x)?);
/// # Ok::<(), lanepool::Error>(())
/// ```
pub struct Job<'a, X, Y, I> {
    plan: &'a Plan<X, Y, I>,
    buffers: Buffers,
    next: AtomicUsize,
    borrows: PhantomData<(&'a [X], &'a mut [Y], &'a mut [I])>,
}

// SAFETY: elements and indices may be sent and shared, and work items write separate outputs, each
// of them once.
unsafe impl<X: Element, Y: Element, I: MaybeIndex> Send for Job<'_, X, Y, I> {}
// SAFETY: as above.
unsafe impl<X: Element, Y: Element, I: MaybeIndex> Sync for Job<'_, X, Y, I> {}

impl<'a, X: Element, Y: Element, I: MaybeIndex> Job<'a, X, Y, I> {
    pub(crate) fn new(plan: &'a Plan<X, Y, I>, buffers: Buffers) -> Self {
        Self { plan, buffers, next: AtomicUsize::new(0), borrows: PhantomData }
    }

    /// Does the next so many items, at least one, or what is left, and says which they were; `None`
    /// when nothing is left.
    ///
    /// # Errors
    ///
    /// As [`Call::run`](crate::Call::run). The items are not handed out again.
    pub fn work(&self, items: usize) -> Result<Option<Range<usize>>> {
        self.work_with(items, None)
    }

    /// As [`work`](Self::work), with a workspace that is this thread's alone.
    ///
    /// # Errors
    ///
    /// As [`work`](Self::work).
    pub fn work_with(
        &self,
        items: usize,
        workspace: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Option<Range<usize>>> {
        let Some(range) = self.take(items.max(1)) else {
            return Ok(None);
        };
        // SAFETY: the job borrows its buffers, and nobody else has or had these items.
        unsafe { run_items(self.plan, &self.buffers, workspace, range.clone())? };
        Ok(Some(range))
    }

    fn take(&self, items: usize) -> Option<Range<usize>> {
        let all = self.plan.work_items();
        let end = |begin: usize| begin.saturating_add(items).min(all);
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |begin| {
            (begin < all).then(|| end(begin))
        });
        taken.ok().map(|begin| begin..end(begin))
    }
}
