//! The bytes of y and of the indices are those that the C functions write.

use std::ptr::{null_mut, NonNull};

use lanepool::{AutoPad, Element, Index, Layout, MaybeIndex, Plan, Pool};
use lanepool_sys as sys;

/// Bytes without any pattern, the same ones every time.
fn noise<T: Element>(length: usize, from: impl Fn(u32) -> T) -> Vec<T> {
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        from(state >> 8)
    };
    (0..length).map(|_| next()).collect()
}

/// What a C program would do with the params of the plan.
fn by_c<X: Element, Y: Element, I: MaybeIndex>(
    plan: &Plan<X, Y, I>,
    x: &[X],
    fill: Y,
) -> (Vec<Y>, Vec<u8>) {
    let mut y = vec![fill; plan.y_len()];
    let mut index = vec![0u64; plan.desc().index_bytes as usize / 4];
    let mut workspace = vec![0u8; plan.workspace_bytes()];
    // SAFETY: the sizes given are those of the buffers.
    unsafe {
        let mut desc: sys::lanepool_desc = std::mem::zeroed();
        assert_eq!(sys::lanepool_plan(&plan.params(), &mut desc, null_mut()), sys::LANEPOOL_OK);
        let indexed = if index.is_empty() { None } else { NonNull::new(index.as_mut_ptr()) };
        let status = sys::lanepool_run(
            &desc,
            x.as_ptr().cast(),
            size_of_val(x),
            y.as_mut_ptr().cast(),
            size_of_val(&y[..]),
            indexed.map_or(null_mut(), |index| index.as_ptr().cast()),
            desc.index_bytes as usize,
            workspace.as_mut_ptr().cast(),
            workspace.len(),
        );
        assert_eq!(status, sys::LANEPOOL_OK);
        let index_bytes = std::slice::from_raw_parts(index.as_ptr().cast(), desc.index_bytes as _);
        (y, index_bytes.to_vec())
    }
}

fn bytes<T: Copy>(values: &[T]) -> &[u8] {
    // SAFETY: only numbers come here.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

fn check<X: Element, Y: Element>(plan: &Plan<X, Y>, x: &[X], fill: Y) {
    let (expected, _) = by_c(plan, x, fill);
    let mut y = vec![fill; plan.y_len()];
    plan.run(x, &mut y).unwrap();
    assert_eq!(bytes(&y), bytes(&expected), "{plan}");
    #[cfg(feature = "rayon")]
    {
        let mut y = vec![fill; plan.y_len()];
        plan.par_run(x, &mut y).unwrap();
        assert_eq!(bytes(&y), bytes(&expected), "{plan}");
    }
}

fn check_indexed<X: Element, I: Index>(plan: &Plan<X, X, I>, x: &[X], fill: (X, I)) {
    let (expected, expected_index) = by_c(plan, x, fill.0);
    let (mut y, mut index) = (vec![fill.0; plan.y_len()], vec![fill.1; plan.index_len()]);
    plan.run_indexed(x, &mut y, &mut index).unwrap();
    assert_eq!((bytes(&y), bytes(&index)), (bytes(&expected), &expected_index[..]), "{plan}");
}

/// The windows that each type is pooled with: small and strided, many taps, padded, global.
fn every_window<X: Element, Y: Element>(pool: Pool<X, Y>, x: &[X], fill: Y) {
    for (layout, shape) in [(Layout::Nchw, [2, 7, 19, 23]), (Layout::Nhwc, [2, 19, 23, 7])] {
        let pool = pool.layout(layout);
        let windows = [
            pool.kernel_shape([3, 3]).strides([2, 2]).pads([1, 1, 1, 1]),
            pool.kernel_shape([2, 2]).auto_pad(AutoPad::SameUpper).ceil_mode(true),
            pool.kernel_shape([3, 2]).dilations([2, 3]),
            pool.kernel_shape([15, 17]),
            pool.global(),
            pool.adaptive([4, 5]),
        ];
        for window in windows {
            check(&window.plan(shape).unwrap(), x, fill);
        }
    }
}

const LENGTH: usize = 2 * 7 * 19 * 23;

#[test]
fn floats() {
    let x = noise(LENGTH, |n| n as f32 / 7e6 - 1.0);
    for pool in [Pool::average(), Pool::max(), Pool::min(), Pool::sum(), Pool::lp(2.0)] {
        every_window(pool, &x, -1.0f32);
    }
    let x = noise(LENGTH, |n| f64::from(n) / 7e6 - 1.0);
    for pool in [Pool::average(), Pool::max(), Pool::lp(3.0)] {
        every_window(pool, &x, -1.0f64);
    }
}

#[test]
fn integers() {
    for pool in [Pool::average(), Pool::max(), Pool::min()] {
        every_window(pool, &noise(LENGTH, |n| n as u8), 7u8);
        every_window(pool.output::<u8>().output(), &noise(LENGTH, |n| n as u8), 7i8);
    }
    for pool in [Pool::average(), Pool::max()] {
        every_window(pool, &noise(LENGTH, |n| n as i8), 7i8);
    }
    for pool in [Pool::average(), Pool::max()] {
        every_window(pool, &noise(LENGTH, |n| n as u16), 7u16);
    }
    for pool in [Pool::average(), Pool::max()] {
        every_window(pool, &noise(LENGTH, |n| n as i16), 7i16);
    }
    every_window(Pool::max(), &noise(LENGTH, |n| n as i32), 7i32);
}

#[test]
fn quantized() {
    let pool = Pool::<u8>::average().x_quantization(0.3, 11).y_quantization(0.2, 7);
    every_window(pool, &noise(LENGTH, |n| n as u8), 7);
    let from_floats = Pool::<f32>::max().output::<i8>().y_quantization(0.02, -3);
    every_window(from_floats, &noise(LENGTH, |n| n as f32 / 7e6 - 1.0), 7);
}

#[cfg(feature = "half")]
#[test]
fn halves() {
    use half::{bf16, f16};
    for pool in [Pool::average(), Pool::max()] {
        let x = noise(LENGTH, |n| f16::from_f32(n as f32 / 7e6));
        every_window(pool, &x, f16::ZERO);
    }
    for pool in [Pool::average(), Pool::sum()] {
        let x = noise(LENGTH, |n| bf16::from_f32(n as f32 / 7e6));
        every_window(pool, &x, bf16::ZERO);
    }
}

#[test]
fn indices() {
    let x = noise(LENGTH, |n| n as u8);
    let pool = Pool::<u8>::max().kernel_shape([3, 3]).strides([2, 2]).pads([1, 1, 1, 1]);
    check_indexed(&pool.indices::<i64>().plan([2, 7, 19, 23]).unwrap(), &x, (0, 0));
    check_indexed(&pool.indices::<i32>().plan([2, 7, 19, 23]).unwrap(), &x, (0, 0));
    let pool = pool.layout(Layout::Nhwc).indices::<i64>();
    check_indexed(&pool.plan([2, 19, 23, 7]).unwrap(), &x, (0, 0));
}
