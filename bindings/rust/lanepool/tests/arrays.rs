//! Views of ndarray with all kinds of strides give what dense copies of them give.
#![cfg(feature = "ndarray")]

use lanepool::{Buffer, Error, Layout, Pool};
use ndarray::{s, Array, Array4, ArrayView4, Axis, IxDyn};

fn image() -> Array4<f32> {
    let mut state = 1u32;
    Array::from_shape_simple_fn((3, 9, 10, 11), || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 7e6 - 1.0
    })
}

fn pool() -> Pool<f32> {
    Pool::average().strict_order().kernel_shape([3, 2]).strides([1, 2]).pads([1, 0, 1, 1])
}

fn check(x: ArrayView4<'_, f32>) {
    let dense = x.as_standard_layout();
    for layout in [Layout::Nchw, Layout::Nhwc] {
        let pool = pool().layout(layout);
        assert_eq!(pool.pool_array(&x), pool.pool_array(&dense), "{:?}", x.strides());
        let max = Pool::<f32>::max().layout(layout).kernel_shape([2, 3]).indices::<i64>();
        assert_eq!(max.pool_array_indexed(&x), max.pool_array_indexed(&dense));
    }
}

#[test]
fn any_strides() {
    let image = image();
    check(image.view());
    check(image.slice(s![.., 1..8, ..;2, 3..]));
    check(image.view().permuted_axes([0, 2, 3, 1]));
    check(image.view().permuted_axes([3, 2, 1, 0]));
    check(image.slice(s![..;-1, .., .., ..]));
    check(image.slice(s![.., .., ..;-1, ..;-2]));
    check(image.slice(s![1..2, 2..3, .., ..]));
    check(image.slice(s![1..2;-1, 2..3, ..;3, ..]));
    check(image.slice(s![..0, .., .., ..]));
    let row = image.slice(s![..1, ..1, 5..6, ..]);
    check(row.broadcast((3, 4, 10, 11)).unwrap());
    let one = image.slice(s![..1, ..1, 5..6, 5..6]);
    check(one.broadcast((3, 4, 10, 11)).unwrap());
    check(one.broadcast((1, 1, 10, 11)).unwrap());
}

#[test]
fn dynamic_dimensions() {
    let image = image();
    let dynamic = image.clone().into_dyn();
    assert_eq!(pool().pool_array(&dynamic).unwrap(), pool().pool_array(&image).unwrap().into_dyn());
    let flat = Array::<f32, _>::zeros(IxDyn(&[4, 4]));
    assert!(matches!(pool().pool_array(&flat), Err(Error::Length { given: 2, .. })));
    let deep = Array::<f32, _>::zeros(IxDyn(&[2; 7]));
    assert!(matches!(pool().pool_array(&deep.t()), Err(Error::Length { given: 7, .. })));
}

#[test]
fn results_into_views() {
    let image = image();
    let x = image.view().permuted_axes([0, 1, 3, 2]);
    let expected = pool().pool_array(&x).unwrap();
    let shape = expected.raw_dim();
    let mut large = Array4::<f32>::from_elem((shape[0], 2 * shape[1], shape[2] + 3, shape[3]), 7.0);
    let mut y = large.slice_mut(s![.., ..;2, 3.., ..]);
    let plan = pool().plan_arrays(&x, &y).unwrap();
    plan.run_arrays(&x, &mut y).unwrap();
    assert_eq!(y, expected);
    assert!(large.slice(s![.., 1..;2, .., ..]).iter().all(|&value| value == 7.0));
    assert!(large.slice(s![.., .., ..3, ..]).iter().all(|&value| value == 7.0));
}

#[test]
fn other_arrays_are_refused() {
    let image = image();
    let plan = pool().plan_array(&image).unwrap();
    let mut y = Array4::<f32>::zeros((3, 9, 10, 6));
    plan.run_arrays(&image, &mut y).unwrap();
    let other = |buffer, axis| Err(Error::Array { buffer, axis });
    let shorter = image.slice(s![.., .., ..9, ..]);
    assert_eq!(plan.run_arrays(&shorter, &mut y), other(Buffer::X, 2));
    let mut turned = image.clone();
    turned.invert_axis(Axis(1));
    assert_eq!(plan.run_arrays(&turned, &mut y), other(Buffer::X, 1));
    assert!(matches!(pool().plan_array(&turned), Err(Error::Array { axis: 1, .. })));
    let mut wide = Array4::<f32>::zeros((3, 9, 10, 12));
    let mut strided = wide.slice_mut(s![.., .., .., ..;2]);
    assert_eq!(plan.run_arrays(&image, &mut strided), other(Buffer::Y, 0));
    let mut small = Array4::<f32>::zeros((3, 9, 10, 5));
    assert_eq!(plan.run_arrays(&image, &mut small), other(Buffer::Y, 3));
    assert!(matches!(pool().plan_arrays(&image, &small), Err(Error::Array { axis: 3, .. })));
}

/// Writing to an array that is shared makes another one, which may have other strides.
#[test]
fn a_shared_array_is_not_written_through() {
    let image = image();
    let plan = pool().plan_array(&image).unwrap();
    let mut large = Array4::<f32>::zeros((12, 9, 10, 6)).into_shared();
    large.slice_collapse(s![..;4, .., .., ..]);
    let strided = pool().plan_arrays(&image, &large).unwrap();
    let other = large.clone();
    // The copy is dense, which is not what was planned.
    let refused = strided.run_arrays(&image, &mut large);
    assert_eq!(refused, Err(Error::Array { buffer: Buffer::Y, axis: 0 }));
    assert!(other.iter().chain(&large).all(|&value| value == 0.0));
    let mut dense = Array4::<f32>::zeros((3, 9, 10, 6)).into_shared();
    let other = dense.clone();
    plan.run_arrays(&image, &mut dense).unwrap();
    assert_eq!(dense, pool().pool_array(&image).unwrap());
    assert!(other.iter().all(|&value| value == 0.0));
}
