//! Puts lanepool in the place of the pooling ops of a tract model.
//!
//! ```no_run
//! use tract_onnx::prelude::*;
//!
//! # fn main() -> TractResult<()> {
//! let mut model = tract_onnx::onnx().model_for_path("model.onnx")?.into_typed()?.into_decluttered()?;
//! let replaced = lanepool_tract::use_lanepool(&mut model)?;
//! let model = model.into_optimized()?.into_runnable()?;
//! # let _ = (replaced, model);
//! # Ok(())
//! # }
//! ```

mod pool;
pub mod sample;

use tract_onnx::tract_core::internal::*;
use tract_onnx::tract_core::ops::cnn::{MaxPool, SumPool};

pub use pool::LanepoolPool;

/// Replaces every pooling op that lanepool has, and says how many these were. The model should be
/// decluttered; input shapes have to be known, elements to be floats, or bytes under a maximum.
///
/// # Errors
///
/// What tract says of a model that it cannot change.
pub fn use_lanepool(model: &mut TypedModel) -> TractResult<usize> {
    let mut replaced = 0;
    for id in model.eval_order()? {
        let Some(op) = replacement(model, model.node(id))? else {
            continue;
        };
        let node = model.node(id);
        TypedModelPatch::replace_single_op(model, node, &node.inputs, op)?.apply(model)?;
        replaced += 1;
    }
    Ok(replaced)
}

/// How far two results are apart, of the same shape and of `f32`: averages may differ, as lanepool
/// divides where tract multiplies with a reciprocal, and adds in another order.
///
/// # Errors
///
/// For tensors of other types or of different shapes.
pub fn greatest_difference(a: &Tensor, b: &Tensor) -> TractResult<f32> {
    ensure!(a.shape() == b.shape(), "{:?} is not {:?}", a.shape(), b.shape());
    let (a, b) = (a.try_as_plain_ram()?, b.try_as_plain_ram()?);
    let pairs = a.as_slice::<f32>()?.iter().zip(b.as_slice::<f32>()?);
    // As NaN is greater than every number here, it is not overlooked.
    Ok(pairs.map(|(a, b)| (a - b).abs()).max_by(f32::total_cmp).unwrap_or(0.0))
}

fn replacement(model: &TypedModel, node: &TypedNode) -> TractResult<Option<Box<dyn TypedOp>>> {
    let Some(&input) = node.inputs.first() else {
        return Ok(None);
    };
    let kind = if let Some(op) = node.op_as::<MaxPool>() {
        if op.with_index_outputs.is_some() {
            return Ok(None); // tract counts indices in its own way
        }
        (pool::Kind::Max, &op.pool_spec)
    } else if let Some(op) = node.op_as::<SumPool>() {
        let include_pad = op.count_include_pad;
        let kind = if op.normalize { pool::Kind::Average { include_pad } } else { pool::Kind::Sum };
        (kind, &op.pool_spec)
    } else {
        return Ok(None);
    };
    let fact = model.outlet_fact(input)?;
    let Some(shape) = fact.shape.as_concrete() else {
        return Ok(None);
    };
    let op = pool::replacement(kind.0, kind.1, fact.datum_type, shape);
    // What the library refuses, and what has another shape there, stays tract's.
    Ok(op.filter(|op| {
        op.output_facts(&[fact]).is_ok_and(|facts| facts[0].shape == node.outputs[0].fact.shape)
    }))
}
