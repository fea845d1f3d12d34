//! The op that calls lanepool.

use lanepool::{AutoPad, Element, Layout, Plan, Pool};
use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::cnn::{PaddingSpec, PoolSpec};

/// What a pooling op of tract computes.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Max,
    Sum,
    Average { include_pad: bool },
}

/// A pooling op for one shape of its input.
#[derive(Clone, Debug)]
pub struct LanepoolPool<T: Element> {
    plan: Plan<T>,
    /// tract's: without the batch, where the model has none.
    output: TVec<usize>,
}

// By hand: elements need not have an equality for their plans to have one.
impl<T: Element> PartialEq for LanepoolPool<T> {
    fn eq(&self, other: &Self) -> bool {
        self.plan == other.plan && self.output == other.output
    }
}

impl<T: Element> Eq for LanepoolPool<T> {}

/// The op that does what tract's does, or `None` where lanepool has none.
pub(crate) fn replacement(
    kind: Kind,
    spec: &PoolSpec,
    elements: DatumType,
    shape: &[usize],
) -> Option<Box<dyn TypedOp>> {
    let is_max = matches!(kind, Kind::Max);
    match elements {
        DatumType::F32 => boxed::<f32>(kind, spec, shape),
        DatumType::F64 => boxed::<f64>(kind, spec, shape),
        DatumType::F16 => boxed::<f16>(kind, spec, shape),
        DatumType::U8 if is_max => boxed::<u8>(kind, spec, shape),
        DatumType::I8 if is_max => boxed::<i8>(kind, spec, shape),
        _ => None,
    }
}

fn boxed<T: Element + Datum>(
    kind: Kind,
    spec: &PoolSpec,
    shape: &[usize],
) -> Option<Box<dyn TypedOp>> {
    let pool = match kind {
        Kind::Max => Pool::<T>::max(),
        Kind::Sum => Pool::sum(),
        Kind::Average { include_pad } => Pool::average().count_include_pad(include_pad),
    };
    let layout = if spec.data_format.c_is_last() { Layout::Nhwc } else { Layout::Nchw };
    let pool = pool
        .layout(layout)
        .kernel_shape(&spec.kernel_shape)
        .strides(spec.strides())
        .dilations(spec.dilations());
    let batch = if spec.data_format.has_n() { &[][..] } else { &[1] };
    let plan = with_padding(pool, &spec.padding).plan([batch, shape].concat()).ok()?;
    let output = plan.y_shape()[batch.len()..].into();
    Some(Box::new(LanepoolPool { plan, output }))
}

fn with_padding<T: Element>(pool: Pool<T>, padding: &PaddingSpec) -> Pool<T> {
    match padding {
        PaddingSpec::Valid => pool.auto_pad(AutoPad::Valid),
        PaddingSpec::SameUpper => pool.auto_pad(AutoPad::SameUpper),
        PaddingSpec::SameLower => pool.auto_pad(AutoPad::SameLower),
        PaddingSpec::Explicit(before, after) => pool.pads([&before[..], &after[..]].concat()),
        PaddingSpec::ExplicitOnnxPool(before, after, ceil_mode) => {
            pool.pads([&before[..], &after[..]].concat()).ceil_mode(*ceil_mode)
        }
    }
}

impl<T: Element + Datum> Op for LanepoolPool<T> {
    fn name(&self) -> StaticName {
        "LanepoolPool".into()
    }

    fn info(&self) -> TractResult<Vec<String>> {
        Ok(vec![self.plan.to_string()])
    }

    fn validation(&self) -> Validation {
        Validation::Rounding // averages divide, where tract multiplies with a reciprocal
    }

    op_as_typed_op!();
}

impl<T: Element + Datum> EvalOp for LanepoolPool<T> {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let input = args_1!(inputs);
        let x = input.try_as_plain_ram()?;
        // SAFETY: the call writes every element, or its error leaves before one is read.
        let mut output = unsafe { Tensor::uninitialized::<T>(&self.output)? };
        self.plan.run(x.as_slice()?, output.try_as_plain_ram_mut()?.as_slice_mut()?)?;
        Ok(tvec!(output.into_tvalue()))
    }
}

impl<T: Element + Datum> TypedOp for LanepoolPool<T> {
    fn output_facts(&self, _: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        Ok(tvec!(T::fact(&self.output)))
    }

    as_op!();
}
