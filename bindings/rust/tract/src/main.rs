//! Runs an ONNX file by tract alone, and with lanepool for its pooling; compares results and times.
//!
//! `lanepool-tract [FILE.onnx]`; without a file, two of its own.

use std::time::{Duration, Instant};

use lanepool_tract::{greatest_difference, sample, use_lanepool};
use tract_onnx::prelude::InferenceModelExt;
use tract_onnx::tract_core::internal::*;

const ROUNDS: usize = 30;

fn noise_for(model: &TypedModel) -> TractResult<TValue> {
    let shape = model.input_fact(0)?.shape.as_concrete().map(<[usize]>::to_vec);
    let shape = shape.context("the shape of the input is not known")?;
    let length = shape.iter().product();
    Ok(Tensor::from_shape(&shape, &sample::noise(length, 7))?.into_tvalue())
}

/// The quickest of rounds in which both models take turns.
fn compare(name: &str, file: &[u8]) -> TractResult<()> {
    let read =
        || tract_onnx::onnx().model_for_read(&mut &file[..])?.into_typed()?.into_decluttered();
    let mut swapped = read()?;
    let replaced = use_lanepool(&mut swapped)?;
    let input = noise_for(&swapped)?;
    let models = [read()?, swapped].map(|model| model.into_optimized()?.into_runnable());
    let [by_tract, by_lanepool] = models;
    let models = [by_tract?, by_lanepool?];
    let (mut best, mut results) = ([Duration::MAX; 2], [None, None]);
    for _ in 0..ROUNDS {
        for (i, model) in models.iter().enumerate() {
            let start = Instant::now();
            let result = model.run(tvec!(input.clone()))?;
            best[i] = best[i].min(start.elapsed());
            results[i] = Some(result);
        }
    }
    let [Some(expected), Some(result)] = results else { unreachable!("there are rounds") };
    let mut difference = 0f32;
    for (expected, result) in expected.iter().zip(&result) {
        difference = difference.max(greatest_difference(expected, result)?);
    }
    println!(
        "{name}: {replaced} pooling ops replaced; tract {:.0?}, with lanepool {:.0?}; results \
         differ by at most {difference:.1e}",
        best[0], best[1]
    );
    Ok(())
}

fn main() -> TractResult<()> {
    if let Some(path) = std::env::args_os().nth(1) {
        return compare(&path.to_string_lossy(), &std::fs::read(&path)?);
    }
    compare("convolutions and pooling", &sample::onnx_file(true))?;
    compare("pooling alone", &sample::onnx_file(false))
}
