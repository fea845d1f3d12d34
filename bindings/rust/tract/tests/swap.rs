//! Models give the same results with lanepool's pooling.

use lanepool_tract::{greatest_difference, sample, use_lanepool, LanepoolPool};
use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::cnn::{MaxPool, PaddingSpec, PoolSpec, SumPool};
use tract_onnx::tract_core::ops::nn::DataFormat;

fn read(file: &[u8]) -> TypedModel {
    let model = tract_onnx::onnx().model_for_read(&mut &file[..]).unwrap();
    model.into_typed().unwrap().into_decluttered().unwrap()
}

fn run(model: TypedModel, input: &Tensor) -> TVec<TValue> {
    let model = model.into_optimized().unwrap().into_runnable().unwrap();
    model.run(tvec!(input.clone().into_tvalue())).unwrap()
}

fn count(model: &TypedModel) -> usize {
    model.nodes().iter().filter(|node| node.op_is::<LanepoolPool<f32>>()).count()
}

#[test]
fn an_onnx_model() {
    for (convolutions, channels) in [(true, 3), (false, 32)] {
        let file = sample::onnx_file(convolutions);
        let mut swapped = read(&file);
        assert_eq!(use_lanepool(&mut swapped).unwrap(), sample::POOLS);
        assert_eq!(count(&swapped), sample::POOLS);
        let shape = [1, channels, sample::SIZE, sample::SIZE];
        let x = sample::noise(shape.iter().product(), 3);
        let input = Tensor::from_shape(&shape, &x).unwrap();
        let (expected, result) = (run(read(&file), &input), run(swapped, &input));
        // Two averages follow each other, and convolutions of these weights do not enlarge.
        let difference = greatest_difference(&expected[0], &result[0]).unwrap();
        assert!(difference <= 2.0 * bound(9), "{difference}");
    }
}

/// How far two averages of so many taps between -1 and 1 may be apart: each is an addition less than
/// the taps, a reciprocal and a product away from the exact one.
fn bound(taps: usize) -> f32 {
    2.0 * (taps + 1) as f32 * (f32::EPSILON / 2.0)
}

/// A model of one op.
fn single(op: impl Into<Box<dyn TypedOp>>, shape: &[usize]) -> TypedModel {
    let mut model = TypedModel::default();
    let source = model.add_source("x", f32::fact(shape)).unwrap();
    let wires = model.wire_node("pool", op, &[source]).unwrap();
    model.select_output_outlets(&wires).unwrap();
    model
}

fn check(model: impl Fn() -> TypedModel, shape: &[usize], allowed: f32) {
    let mut swapped = model();
    assert_eq!(use_lanepool(&mut swapped).unwrap(), 1);
    let input = Tensor::from_shape(shape, &sample::noise(shape.iter().product(), 5)).unwrap();
    let (expected, result) = (run(model(), &input), run(swapped, &input));
    let difference = greatest_difference(&expected[0], &result[0]).unwrap();
    assert!(difference <= allowed, "{difference}");
}

#[test]
fn every_padding_format_and_op() {
    let paddings = [
        PaddingSpec::Valid,
        PaddingSpec::SameUpper,
        PaddingSpec::SameLower,
        PaddingSpec::Explicit(tvec![1, 0], tvec![0, 2]),
        PaddingSpec::ExplicitOnnxPool(tvec![1, 0], tvec![1, 1], false),
        PaddingSpec::ExplicitOnnxPool(tvec![1, 0], tvec![1, 1], true),
    ];
    let formats = [
        (DataFormat::NCHW, vec![2, 5, 11, 13]),
        (DataFormat::NHWC, vec![2, 11, 13, 5]),
        (DataFormat::CHW, vec![5, 11, 13]),
        (DataFormat::HWC, vec![11, 13, 5]),
    ];
    for padding in paddings {
        for (format, shape) in &formats {
            let spec = PoolSpec {
                data_format: *format,
                kernel_shape: tvec![3, 2],
                padding: padding.clone(),
                dilations: Some(tvec![1, 2]),
                strides: Some(tvec![2, 2]),
                input_channels: 5,
                output_channels: 5,
            };
            let max =
                || single(MaxPool { pool_spec: spec.clone(), with_index_outputs: None }, shape);
            check(max, shape, 0.0);
            for (count_include_pad, normalize) in [(true, true), (false, true), (false, false)] {
                let sum = || {
                    let pool_spec = spec.clone();
                    single(SumPool { pool_spec, count_include_pad, normalize }, shape)
                };
                check(sum, shape, if normalize { bound(6) } else { 6.0 * bound(6) });
            }
        }
    }
}
