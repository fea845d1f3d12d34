//! Pooling of feature maps, beside a plain loop and tract's pooling of the same tensor.

use std::sync::Arc;

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use lanepool::{Layout, Pool};
use lanepool_tract::sample::noise;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::cnn::{MaxPool, PaddingSpec, PoolSpec, SumPool};
use tract_onnx::tract_core::ops::nn::DataFormat;

const CHANNELS: usize = 64;
const SIZE: usize = 56;
/// 3x3 with stride 2 and pads of 1.
const OUT: usize = SIZE / 2;

/// The loop that one writes first, over planes.
fn plain_loop(x: &[f32], y: &mut [f32], first: f32, fold: impl Fn(f32, f32) -> f32, mean: bool) {
    for (x, y) in x.chunks_exact(SIZE * SIZE).zip(y.chunks_exact_mut(OUT * OUT)) {
        for (place, y) in y.iter_mut().enumerate() {
            let taps = |o: usize| (2 * o).saturating_sub(1)..(2 * o + 2).min(SIZE);
            let (rows, columns) = (taps(place / OUT), taps(place % OUT));
            let divisor = (rows.len() * columns.len()) as f32;
            let mut value = first;
            for row in rows {
                value = x[row * SIZE..][columns.clone()].iter().fold(value, |a, &b| fold(a, b));
            }
            *y = if mean { value / divisor } else { value };
        }
    }
}

fn by_tract(max: bool, format: DataFormat, shape: &[usize]) -> Arc<TypedRunnableModel> {
    let pool_spec = PoolSpec {
        data_format: format,
        kernel_shape: tvec![3, 3],
        padding: PaddingSpec::Explicit(tvec![1, 1], tvec![1, 1]),
        dilations: None,
        strides: Some(tvec![2, 2]),
        input_channels: CHANNELS,
        output_channels: CHANNELS,
    };
    let mut model = TypedModel::default();
    let build = |model: &mut TypedModel| -> TractResult<()> {
        let source = model.add_source("x", f32::fact(shape))?;
        let wires = if max {
            model.wire_node("y", MaxPool { pool_spec, with_index_outputs: None }, &[source])?
        } else {
            let op = SumPool { pool_spec, count_include_pad: false, normalize: true };
            model.wire_node("y", op, &[source])?
        };
        model.select_output_outlets(&wires)
    };
    build(&mut model).expect("a pooling op");
    model.into_optimized().and_then(TypedModel::into_runnable).expect("a model")
}

fn loops(criterion: &mut Criterion) {
    let x = noise(CHANNELS * SIZE * SIZE, 1);
    let mut y = vec![0.0; CHANNELS * OUT * OUT];
    for (name, max) in [("max", true), ("average", false)] {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(4 * (x.len() + y.len()) as u64));
        group.bench_function(BenchmarkId::new("loop", "nchw"), |bencher| {
            bencher.iter(|| match max {
                true => plain_loop(&x, &mut y, f32::NEG_INFINITY, f32::max, false),
                false => plain_loop(&x, &mut y, 0.0, |a, b| a + b, true),
            });
        });
        for (layout, format, shape) in [
            (Layout::Nchw, DataFormat::NCHW, [1, CHANNELS, SIZE, SIZE]),
            (Layout::Nhwc, DataFormat::NHWC, [1, SIZE, SIZE, CHANNELS]),
        ] {
            let suffix = format!("{layout:?}").to_lowercase();
            let pool = if max { Pool::<f32>::max() } else { Pool::average() };
            let pool = pool.layout(layout).kernel_shape([3, 3]).strides([2, 2]).pads([1; 4]);
            let plan = pool.plan(shape).expect("a job");
            group.bench_function(BenchmarkId::new("lanepool", &suffix), |bencher| {
                bencher.iter(|| plan.run(&x, &mut y));
            });
            let model = by_tract(max, format, &shape);
            let input = Tensor::from_shape(&shape, &x).expect("a tensor").into_tvalue();
            group.bench_function(BenchmarkId::new("tract", &suffix), |bencher| {
                bencher.iter(|| model.run(tvec!(input.clone())));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, loops);
criterion_main!(benches);
