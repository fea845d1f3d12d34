//! The builder: what to compute.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use lanepool_sys as sys;

use crate::axes::{batch_first, Entries, MOST_SPATIAL};
use crate::error::{refusal, Error, Field, Result, NO_REPORT};
use crate::{
    AutoPad, CeilMode, Dialect, Divisor, Element, EmptyWindow, Index, IndexMode, Layout,
    MaybeIndex, NanRule, NoIndex, Op, OversizeKernel, Plan, Rounding, StorageOrder, ValidCeil,
};

/// What to compute, with the attributes of the ONNX pooling operators: x of elements `X`, y of
/// elements `Y`, indices `I`.
///
/// ```
/// use lanepool::Pool;
///
/// // AveragePool, 3x3 with stride 2 and pads of 1, of one 5x5 channel.
/// let pool = Pool::<f32>::average().kernel_shape([3, 3]).strides([2, 2]).pads([1, 1, 1, 1]);
/// let plan = pool.plan([1, 1, 5, 5])?;
/// let x: Vec<f32> = (0..25).map(|i| i as f32).collect();
/// let mut y = [0.0; 9];
/// plan.run(&x, &mut y)?;
/// assert_eq!(y, [3.0, 4.5, 6.0, 10.5, 12.0, 13.5, 18.0, 19.5, 21.0]);
/// # Ok::<(), lanepool::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Pool<X, Y = X, I = NoIndex> {
    params: sys::lanepool_params,
    /// What `lanepool_params_init` answered.
    made: i32,
    layout: Layout,
    kernel: Entries,
    strides: Entries,
    dilations: Entries,
    pads: Entries,
    output_size: Entries,
    x_strides: Entries,
    y_strides: Entries,
    index_strides: Entries,
    x_per_channel: bool,
    y_per_channel: bool,
    types: PhantomData<fn(X) -> (Y, I)>,
}

impl<X: Element> Pool<X> {
    /// A job with the rules of a dialect, in NCHW.
    pub fn new(op: Op, dialect: Dialect) -> Self {
        let mut params = MaybeUninit::<sys::lanepool_params>::zeroed();
        // SAFETY: the size is that of the struct; if the call fails the zeros are a value, too.
        let (made, params) = unsafe {
            let size = size_of::<sys::lanepool_params>();
            let made = sys::lanepool_params_init(params.as_mut_ptr(), size, dialect.code());
            (made, params.assume_init())
        };
        let params = sys::lanepool_params { op: op.code(), ..params };
        Self {
            params,
            made,
            layout: Layout::Nchw,
            kernel: Entries::NONE,
            strides: Entries::NONE,
            dilations: Entries::NONE,
            pads: Entries::NONE,
            output_size: Entries::NONE,
            x_strides: Entries::NONE,
            y_strides: Entries::NONE,
            index_strides: Entries::NONE,
            x_per_channel: false,
            y_per_channel: false,
            types: PhantomData,
        }
    }

    /// ONNX AveragePool.
    pub fn average() -> Self {
        Self::new(Op::Average, Dialect::Onnx)
    }

    /// ONNX MaxPool; see [`indices`](Self::indices) for its second output.
    pub fn max() -> Self {
        Self::new(Op::Max, Dialect::Onnx)
    }

    /// The least tap of each window.
    pub fn min() -> Self {
        Self::new(Op::Min, Dialect::Onnx)
    }

    /// The sum of each window's taps.
    pub fn sum() -> Self {
        Self::new(Op::Sum, Dialect::Onnx)
    }

    /// ONNX LpPool with its attribute `p`: any number from 1 to infinity.
    pub fn lp(p: f64) -> Self {
        let mut pool = Self::new(Op::Lp, Dialect::Onnx);
        pool.params.lp_order = p;
        pool
    }
}

impl<X: Element, I: Index> Pool<X, X, I> {
    /// ONNX MaxUnpool: the way back from a maximum and its index.
    pub fn max_unpool() -> Self {
        Pool::<X>::new(Op::MaxUnpool, Dialect::Onnx).with_types()
    }
}

impl<X: Element, Y: Element, I: MaybeIndex> Pool<X, Y, I> {
    fn with_types<Y2, I2>(self) -> Pool<X, Y2, I2> {
        Pool {
            params: self.params,
            made: self.made,
            layout: self.layout,
            kernel: self.kernel,
            strides: self.strides,
            dilations: self.dilations,
            pads: self.pads,
            output_size: self.output_size,
            x_strides: self.x_strides,
            y_strides: self.y_strides,
            index_strides: self.index_strides,
            x_per_channel: self.x_per_channel,
            y_per_channel: self.y_per_channel,
            types: PhantomData,
        }
    }

    /// y of another type than x: between `f32`, `u8` and `i8`.
    pub fn output<Y2: Element>(self) -> Pool<X, Y2, I> {
        self.with_types()
    }

    /// A maximum also says where it was.
    ///
    /// ```
    /// # use lanepool::Pool;
    /// let plan = Pool::<u8>::max().kernel_shape([2]).strides([2]).indices::<i64>().plan([1, 1, 4])?;
    /// let (mut y, mut index) = ([0; 2], [0; 2]);
    /// plan.run_indexed(&[1, 5, 4, 2], &mut y, &mut index)?;
    /// assert_eq!((y, index), ([5, 4], [1, 2]));
    /// # Ok::<(), lanepool::Error>(())
    /// ```
    pub fn indices<I2: Index>(self) -> Pool<X, Y, I2> {
        self.with_types()
    }

    /// The order of the axes of x, y and the indices; NCHW unless set.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// ONNX `kernel_shape`: taps along each spatial axis.
    pub fn kernel_shape(mut self, taps: impl AsRef<[usize]>) -> Self {
        self.kernel = Entries::new(taps);
        self
    }

    /// ONNX `strides`; 1 unless set.
    pub fn strides(mut self, strides: impl AsRef<[usize]>) -> Self {
        self.strides = Entries::new(strides);
        self
    }

    /// ONNX `dilations`; 1 unless set.
    pub fn dilations(mut self, dilations: impl AsRef<[usize]>) -> Self {
        self.dilations = Entries::new(dilations);
        self
    }

    /// ONNX `pads`: the beginnings of all spatial axes, then their ends.
    pub fn pads(mut self, pads: impl AsRef<[usize]>) -> Self {
        self.pads = Entries::new(pads);
        self
    }

    /// ONNX `auto_pad`.
    pub fn auto_pad(mut self, auto_pad: AutoPad) -> Self {
        self.params.auto_pad = auto_pad.code();
        self
    }

    /// ONNX `ceil_mode`, a `bool` or a [`CeilMode`].
    pub fn ceil_mode(mut self, mode: impl Into<CeilMode>) -> Self {
        self.params.ceil_mode = mode.into().code();
        self
    }

    /// ONNX `count_include_pad`.
    pub fn count_include_pad(self, include: bool) -> Self {
        self.divisor(if include { Divisor::IncludePad } else { Divisor::ExcludePad })
    }

    /// ONNX `storage_order`.
    pub fn storage_order(mut self, order: StorageOrder) -> Self {
        self.params.storage_order = order.code();
        self
    }

    /// What an average divides by; [`count_include_pad`](Self::count_include_pad) with more choice.
    pub fn divisor(mut self, divisor: Divisor) -> Self {
        (self.params.divisor, self.params.divisor_value) = divisor.code();
        self
    }

    /// What [`ceil_mode`](Self::ceil_mode) means under [`AutoPad::Valid`].
    pub fn valid_ceil(mut self, rule: ValidCeil) -> Self {
        self.params.valid_ceil = rule.code();
        self
    }

    /// What becomes of a kernel that is larger than the input.
    pub fn oversize_kernel(mut self, rule: OversizeKernel) -> Self {
        self.params.oversize_kernel = rule.code();
        self
    }

    /// What a window without a tap in the input gives.
    pub fn empty_window(mut self, rule: EmptyWindow) -> Self {
        self.params.empty_window = rule.code();
        self
    }

    /// What NaN among the taps gives.
    pub fn nan_rule(mut self, rule: NanRule) -> Self {
        self.params.nan_rule = rule.code();
        self
    }

    /// How results of integers are rounded.
    pub fn rounding(mut self, rounding: Rounding) -> Self {
        self.params.rounding = rounding.code();
        self
    }

    /// What an index counts.
    pub fn index_mode(mut self, mode: IndexMode) -> Self {
        self.params.index_mode = mode.code();
        self
    }

    /// One window, the whole input: ONNX GlobalAveragePool, GlobalMaxPool, GlobalLpPool.
    pub fn global(mut self) -> Self {
        self.params.flags |= sys::LANEPOOL_FLAG_GLOBAL;
        self
    }

    /// PyTorch's adaptive pooling to these spatial sizes.
    pub fn adaptive(mut self, output_size: impl AsRef<[usize]>) -> Self {
        self.params.flags |= sys::LANEPOOL_FLAG_ADAPTIVE;
        self.output_size(output_size)
    }

    /// The spatial sizes of y that unpooling makes, ONNX `output_shape` without N and C.
    pub fn output_size(mut self, sizes: impl AsRef<[usize]>) -> Self {
        self.output_size = Entries::new(sizes);
        self
    }

    /// Floats are added as a plain loop adds: row-major, one accumulator.
    pub fn strict_order(mut self) -> Self {
        self.params.flags |= sys::LANEPOOL_FLAG_STRICT_ORDER;
        self
    }

    /// Sums of `f32` are made in `f64` and rounded once.
    pub fn accumulate_f64(mut self) -> Self {
        self.params.flags |= sys::LANEPOOL_FLAG_ACCUMULATE_F64;
        self
    }

    /// y is limited to this range, as by ReLU (0, infinity) or ReLU6 (0, 6).
    pub fn clamp(mut self, low: f64, high: f64) -> Self {
        self.params.flags |= sys::LANEPOOL_FLAG_CLAMP;
        (self.params.clamp_low, self.params.clamp_high) = (low, high);
        self
    }

    /// Scale and zero point of x: real = scale * (q - zero_point).
    pub fn x_quantization(mut self, scale: f32, zero_point: i32) -> Self {
        (self.params.x_scale, self.params.x_zero_point) = (scale, zero_point);
        self
    }

    /// Scale and zero point of y.
    pub fn y_quantization(mut self, scale: f32, zero_point: i32) -> Self {
        (self.params.y_scale, self.params.y_zero_point) = (scale, zero_point);
        self
    }

    /// Each channel of x has its own scale and zero point: see [`Plan::table`].
    pub fn x_per_channel(mut self) -> Self {
        self.x_per_channel = true;
        self
    }

    /// Each channel of y has its own scale and zero point: see [`Plan::table`].
    pub fn y_per_channel(mut self) -> Self {
        self.y_per_channel = true;
        self
    }

    /// Distances in elements between neighbours along each axis of x, in the order of its shape.
    pub fn x_strides(mut self, strides: impl AsRef<[usize]>) -> Self {
        self.x_strides = Entries::new(strides);
        self
    }

    /// The same for y. What lies between its elements is not written.
    pub fn y_strides(mut self, strides: impl AsRef<[usize]>) -> Self {
        self.y_strides = Entries::new(strides);
        self
    }

    /// The same for the indices.
    pub fn index_strides(mut self, strides: impl AsRef<[usize]>) -> Self {
        self.index_strides = Entries::new(strides);
        self
    }

    #[cfg(feature = "ndarray")]
    pub(crate) fn x_entries(mut self, strides: Entries) -> Self {
        self.x_strides = strides;
        self
    }

    #[cfg(feature = "ndarray")]
    pub(crate) fn y_entries(mut self, strides: Entries) -> Self {
        self.y_strides = strides;
        self
    }

    /// Only these instruction sets, a mask of the C function `lanepool_targets`; 0 is the best one.
    pub fn target_mask(mut self, mask: u64) -> Self {
        self.params.target_mask = mask;
        self
    }

    /// Checks the job for an x of this shape, in the order of the layout, and prepares it.
    ///
    /// Takes well below a microsecond, allocates nothing, touches no data.
    ///
    /// # Errors
    ///
    /// [`Error::Plan`] says which attribute breaks which rule; [`Error::Length`] that one of them,
    /// or the shape, has another number of axes.
    ///
    /// ```
    /// # use lanepool::{Error, Field, Pool, Value};
    /// let error = Pool::<f32>::max().kernel_shape([3, 0]).plan([1, 8, 5, 5]).unwrap_err();
    /// assert_eq!(error.to_string(), "kernel[1] is 0; it must be at least 1");
    /// let Error::Plan { field, axis, value, limit, .. } = error else { unreachable!() };
    /// assert_eq!((field, axis, value, limit), (Field::Kernel, Some(1), Value::Integer(0), 1));
    /// ```
    pub fn plan(&self, shape: impl AsRef<[usize]>) -> Result<Plan<X, Y, I>> {
        let params = self.params_of(shape.as_ref())?;
        // SAFETY: any desc of zeros is a value; the library writes a whole one, or none.
        let mut desc: sys::lanepool_desc = unsafe { core::mem::zeroed() };
        let mut report = NO_REPORT;
        // SAFETY: three structs of the sizes that the library was found to have.
        let status = unsafe { sys::lanepool_plan(&params, &mut desc, &mut report) };
        if status != sys::LANEPOOL_OK {
            return Err(refusal(&report));
        }
        Ok(Plan::new(desc, self.params.op == Op::MaxUnpool.code()))
    }

    /// The params of the C interface.
    fn params_of(&self, shape: &[usize]) -> Result<sys::lanepool_params> {
        // SAFETY: these only answer.
        let (abi, size) = unsafe { (sys::lanepool_abi_version(), sys::lanepool_desc_size()) };
        let same = self.made == sys::LANEPOOL_OK && size == size_of::<sys::lanepool_desc>();
        if !same || abi != sys::LANEPOOL_ABI_VERSION {
            return Err(Error::Version { abi });
        }
        let rank = shape.len().wrapping_sub(2);
        if !(1..=MOST_SPATIAL).contains(&rank) {
            return Err(Error::Length { field: Field::Input, given: shape.len(), needed: 3 });
        }
        let mut params = self.params;
        params.rank = rank as i32; // at most 3
        params.layout = self.layout.code();
        params.x_type = X::CODE;
        params.y_type = Y::CODE;
        params.index_type = I::CODE_OR_NONE;
        self.set_shape(shape, &mut params);
        self.set_windows(rank, &mut params)?;
        self.set_views(rank, &mut params)?;
        Ok(params)
    }

    fn set_shape(&self, shape: &[usize], params: &mut sys::lanepool_params) {
        let rank = shape.len() - 2;
        let shape = batch_first(self.layout, rank, Entries::new(shape).values());
        params.batch = shape[0];
        params.channels = shape[1];
        params.input[..rank].copy_from_slice(&shape[2..2 + rank]);
        let count = i32::try_from(params.channels).unwrap_or(i32::MAX);
        params.x_scale_count = if self.x_per_channel { count } else { 0 };
        params.y_scale_count = if self.y_per_channel { count } else { 0 };
    }

    fn set_windows(&self, rank: usize, params: &mut sys::lanepool_params) -> Result<()> {
        set(Field::Kernel, &self.kernel, &mut params.kernel[..rank])?;
        set(Field::Strides, &self.strides, &mut params.strides[..rank])?;
        set(Field::Dilations, &self.dilations, &mut params.dilations[..rank])?;
        set(Field::OutputSize, &self.output_size, &mut params.output_size[..rank])?;
        let mut pads = [0; 2 * MOST_SPATIAL];
        set(Field::PadsBegin, &self.pads, &mut pads[..2 * rank])?;
        params.pads_begin[..rank].copy_from_slice(&pads[..rank]);
        params.pads_end[..rank].copy_from_slice(&pads[rank..2 * rank]);
        Ok(())
    }

    fn set_views(&self, rank: usize, params: &mut sys::lanepool_params) -> Result<()> {
        let views = [
            (Field::XStrides, &self.x_strides, &mut params.x_strides),
            (Field::YStrides, &self.y_strides, &mut params.y_strides),
            (Field::IndexStrides, &self.index_strides, &mut params.index_strides),
        ];
        for (field, given, strides) in views {
            let mut ordered = [0; MOST_SPATIAL + 2];
            set(field, given, &mut ordered[..rank + 2])?;
            *strides = batch_first(self.layout, rank, &ordered);
        }
        Ok(())
    }
}

/// Leaves `to` as it is when the attribute was not given.
fn set(field: Field, entries: &Entries, to: &mut [i64]) -> Result<()> {
    if entries.given() == 0 {
        return Ok(());
    }
    if entries.given() != to.len() {
        return Err(Error::Length { field, given: entries.given(), needed: to.len() });
    }
    to.copy_from_slice(entries.values());
    Ok(())
}
