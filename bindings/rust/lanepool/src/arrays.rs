//! Arrays and views of ndarray, with whatever strides they have.

use ndarray::{Array, ArrayBase, ArrayRef, Data, DataMut, Dimension};

use crate::axes::{Entries, MOST_AXES};
use crate::{Buffer, Call, Element, Error, Field, Index, MaybeIndex, Plan, Pool, Result};

impl<X: Element, Y: Element, I: MaybeIndex> Pool<X, Y, I> {
    /// As [`plan`](Self::plan), for arrays with the shape and the strides of x, and a dense y.
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan); an axis that runs backwards is refused.
    pub fn plan_array<S, D>(&self, x: &ArrayBase<S, D>) -> Result<Plan<X, Y, I>>
    where
        S: Data<Elem = X>,
        D: Dimension,
    {
        self.x_entries(strides_of(x, Buffer::X)?).plan(x.shape())
    }

    /// As [`plan_array`](Self::plan_array), for arrays with the strides of y as well.
    ///
    /// # Errors
    ///
    /// As [`plan_array`](Self::plan_array), and [`Error::Array`] when y has not the shape of the
    /// result.
    pub fn plan_arrays<S, T, D>(
        &self,
        x: &ArrayBase<S, D>,
        y: &ArrayBase<T, D>,
    ) -> Result<Plan<X, Y, I>>
    where
        S: Data<Elem = X>,
        T: Data<Elem = Y>,
        D: Dimension,
    {
        let plan = self.y_entries(strides_of(y, Buffer::Y)?).plan_array(x)?;
        let shape = plan.y_shape();
        check_shape(Buffer::Y, y.shape(), &shape)?;
        Ok(plan)
    }
}

impl<X: Element, Y: Element> Pool<X, Y> {
    /// Plans, and pools x into a new array. An x that runs backwards along an axis is copied first.
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan).
    ///
    /// ```
    /// # use lanepool::Pool;
    /// use ndarray::{array, s};
    ///
    /// let image = array![[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12u8]];
    /// let tensor = image.slice(s![.., 1..]); // a view; its rows are four elements apart
    /// let tensor = tensor.insert_axis(ndarray::Axis(0)).insert_axis(ndarray::Axis(0));
    /// let y = Pool::<u8>::max().kernel_shape([2, 2]).pool_array(&tensor)?;
    /// assert_eq!(y, array![[[[7, 8], [11, 12]]]]);
    /// # Ok::<(), lanepool::Error>(())
    /// ```
    pub fn pool_array<S, D>(&self, x: &ArrayBase<S, D>) -> Result<Array<Y, D>>
    where
        S: Data<Elem = X>,
        D: Dimension,
    {
        if needs_copy(x) {
            return self.pool_array(&dense_copy(x));
        }
        let plan = self.plan_array(x)?;
        let mut y = Array::uninit(shape_like(x, &plan.y_shape()));
        let (data, length) = (y.as_mut_ptr().cast(), y.len());
        // SAFETY: the plan is for the shape and strides of x, the new array is dense.
        unsafe { Call::from_raw(&plan, x.as_ptr(), extent(x), data, length) }.run()?;
        // SAFETY: a whole call writes every element.
        Ok(unsafe { y.assume_init() })
    }
}

impl<X: Element, Y: Element, I: Index> Pool<X, Y, I> {
    /// As [`pool_array`](Pool::pool_array), with the places of the maxima.
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan).
    pub fn pool_array_indexed<S, D>(
        &self,
        x: &ArrayBase<S, D>,
    ) -> Result<(Array<Y, D>, Array<I, D>)>
    where
        S: Data<Elem = X>,
        D: Dimension,
    {
        if needs_copy(x) {
            return self.pool_array_indexed(&dense_copy(x));
        }
        let plan = self.plan_array(x)?;
        let mut y = Array::uninit(shape_like(x, &plan.y_shape()));
        let mut index = Array::uninit(y.raw_dim());
        let (data, length) = (y.as_mut_ptr().cast(), y.len());
        // SAFETY: as in `pool_array`; the indices have the shape of y.
        unsafe {
            let call = Call::from_raw(&plan, x.as_ptr(), extent(x), data, length);
            call.write_index_to(index.as_mut_ptr().cast(), length).run()?;
            Ok((y.assume_init(), index.assume_init()))
        }
    }
}

impl<X: Element, Y: Element, I: MaybeIndex> Plan<X, Y, I> {
    /// As [`call`](Self::call), for arrays with the shapes and strides that were planned.
    ///
    /// # Errors
    ///
    /// [`Error::Array`] for other arrays.
    pub fn call_arrays<'a, S, T, D>(
        &'a self,
        x: &'a ArrayBase<S, D>,
        y: &'a mut ArrayBase<T, D>,
    ) -> Result<Call<'a, X, Y, I>>
    where
        S: Data<Elem = X>,
        T: DataMut<Elem = Y>,
        D: Dimension,
    {
        let data = y.as_mut_ptr(); // first: a shared array becomes another one here
        let params = self.params();
        let rank = params.rank as usize; // 1 to 3
        let planned =
            |strides: &[i64; MOST_AXES]| Entries::from_batch_first(self.layout(), rank, strides);
        check_array(Buffer::X, x, &self.x_shape(), planned(&params.x_strides))?;
        check_array(Buffer::Y, y, &self.y_shape(), planned(&params.y_strides))?;
        // SAFETY: shapes and strides are those of the plan, which stays inside of these arrays.
        Ok(unsafe { Call::from_raw(self, x.as_ptr(), extent(x), data, extent(y)) })
    }
}

impl<X: Element, Y: Element> Plan<X, Y> {
    /// Pools x into y, arrays with the shapes and strides that were planned.
    ///
    /// # Errors
    ///
    /// [`Error::Array`] for other arrays.
    ///
    /// ```
    /// # use lanepool::{Layout, Pool};
    /// use ndarray::{Array4, s};
    ///
    /// // The left half of an image of four channels, into a part of a larger array.
    /// let image = Array4::<f32>::from_shape_fn((1, 8, 8, 4), |(_, i, j, _)| (i * 8 + j) as f32);
    /// let mut atlas = Array4::<f32>::zeros((1, 16, 16, 4));
    /// let x = image.slice(s![.., .., ..4, ..]);
    /// let mut y = atlas.slice_mut(s![.., 3..7, 5..7, ..]);
    /// let pool = Pool::<f32>::average().layout(Layout::Nhwc).kernel_shape([2, 2]).strides([2, 2]);
    /// let plan = pool.plan_arrays(&x, &y)?;
    /// plan.run_arrays(&x, &mut y)?;
    /// assert_eq!((atlas[[0, 3, 5, 0]], atlas[[0, 6, 6, 3]]), (4.5, 54.5));
    /// assert_eq!(atlas.sum(), 4.0 * 29.5 * 8.0);
    /// # Ok::<(), lanepool::Error>(())
    /// ```
    pub fn run_arrays<S, T, D>(&self, x: &ArrayBase<S, D>, y: &mut ArrayBase<T, D>) -> Result<()>
    where
        S: Data<Elem = X>,
        T: DataMut<Elem = Y>,
        D: Dimension,
    {
        self.call_arrays(x, y)?.run()
    }
}

/// From the first element to behind the last one, when no stride is negative.
fn extent<A>(array: &ArrayRef<A, impl Dimension>) -> usize {
    if array.is_empty() {
        return 0;
    }
    let step = |(&length, &stride): (&usize, &isize)| (length - 1) * stride.unsigned_abs();
    1 + array.shape().iter().zip(array.strides()).map(step).sum::<usize>()
}

/// Whether the strides cannot be told to the library: it counts upwards, and zeros mean dense.
fn needs_copy<A>(array: &ArrayRef<A, impl Dimension>) -> bool {
    let axes = || array.shape().iter().zip(array.strides()).filter(|(&length, _)| length > 1);
    axes().any(|(_, &stride)| stride < 0)
        || array.shape().iter().all(|&length| length > 1)
            && array.strides().iter().all(|&stride| stride == 0)
}

fn dense_copy<A: Element, D: Dimension>(array: &ArrayRef<A, D>) -> Array<A, D> {
    array.as_standard_layout().into_owned()
}

/// Strides as the builder takes them: none for a dense array.
fn strides_of<A, D: Dimension>(array: &ArrayRef<A, D>, buffer: Buffer) -> Result<Entries> {
    if array.is_standard_layout() {
        return Ok(Entries::NONE);
    }
    if array.ndim() > MOST_AXES {
        return Err(Error::Length { field: Field::Input, given: array.ndim(), needed: MOST_AXES });
    }
    if needs_copy(array) {
        let backwards = |(&length, &stride): (&usize, &isize)| length > 1 && stride < 0;
        let axis = array.shape().iter().zip(array.strides()).position(backwards);
        return Err(Error::Array { buffer, axis: axis.unwrap_or(0) });
    }
    let mut strides = [0; MOST_AXES];
    for (axis, (&length, &stride)) in array.shape().iter().zip(array.strides()).enumerate() {
        // What an axis of one element has is nobody's concern, but all zeros would mean dense.
        strides[axis] = if length > 1 { stride.unsigned_abs() } else { 1 };
    }
    Ok(Entries::new(&strides[..array.ndim()]))
}

fn check_shape(buffer: Buffer, given: &[usize], planned: &[usize]) -> Result<()> {
    if given.len() != planned.len() {
        return Err(Error::Array { buffer, axis: planned.len().min(given.len()) });
    }
    match given.iter().zip(planned).position(|(given, planned)| given != planned) {
        Some(axis) => Err(Error::Array { buffer, axis }),
        None => Ok(()),
    }
}

fn check_array<A, D: Dimension>(
    buffer: Buffer,
    array: &ArrayRef<A, D>,
    shape: &[usize],
    planned: Entries,
) -> Result<()> {
    check_shape(buffer, array.shape(), shape)?;
    let dense = planned.values().iter().all(|&stride| stride == 0);
    if dense && array.is_standard_layout() || array.is_empty() {
        return Ok(());
    }
    let mut dense_stride = array.len() as isize;
    for (axis, (&length, &stride)) in array.shape().iter().zip(array.strides()).enumerate() {
        dense_stride /= length as isize; // not 0: the array is not empty
        let wanted = if dense { dense_stride as i64 } else { planned.values()[axis] };
        if length > 1 && stride as i64 != wanted {
            return Err(Error::Array { buffer, axis });
        }
    }
    Ok(())
}

/// A dimension of D with these sizes.
fn shape_like<A, D: Dimension>(array: &ArrayRef<A, D>, sizes: &[usize]) -> D {
    let mut dimension = array.raw_dim();
    dimension.slice_mut().copy_from_slice(sizes);
    dimension
}
