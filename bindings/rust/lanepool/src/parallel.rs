//! Calls on the threads of rayon.

use rayon::prelude::*;

use crate::{Call, Element, Index, MaybeIndex, Plan, Result};

/// Parts per thread: some, so that a thread that is late holds up the others but little.
const PARTS_PER_THREAD: usize = 4;

impl<X: Element, Y: Element, I: MaybeIndex> Call<'_, X, Y, I> {
    /// All of the work, on the threads of rayon's current pool. The same bytes as [`run`](Self::run).
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn par_run(self) -> Result<()> {
        let parts = rayon::current_num_threads() * PARTS_PER_THREAD;
        let items = self.items();
        let each = items.div_ceil(parts).max(1);
        if items <= each {
            return self.run();
        }
        let job = self.job();
        (0..items.div_ceil(each)).into_par_iter().try_for_each(|_| job.work(each).map(|_| ()))
    }
}

impl<X: Element, Y: Element> Plan<X, Y> {
    /// [`run`](Self::run) on the threads of rayon's current pool.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    ///
    /// ```
    /// # use lanepool::Pool;
    /// let plan = Pool::<u8>::max().kernel_shape([2, 2]).plan([1, 64, 9, 9])?;
    /// let x: Vec<u8> = (0..plan.x_len()).map(|i| (i % 251) as u8).collect();
    /// let mut y = vec![0; plan.y_len()];
    /// plan.par_run(&x, &mut y)?;
    /// assert_eq!(y, plan.pool(&x)?);
    /// # Ok::<(), lanepool::Error>(())
    /// ```
    pub fn par_run(&self, x: &[X], y: &mut [Y]) -> Result<()> {
        self.call(x, y).par_run()
    }
}

impl<X: Element, Y: Element, I: Index> Plan<X, Y, I> {
    /// [`run_indexed`](Self::run_indexed) on the threads of rayon's current pool.
    ///
    /// # Errors
    ///
    /// As [`run`](Plan::run).
    pub fn par_run_indexed(&self, x: &[X], y: &mut [Y], index: &mut [I]) -> Result<()> {
        self.call(x, y).write_index(index).par_run()
    }
}
