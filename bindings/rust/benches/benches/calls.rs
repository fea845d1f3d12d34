//! What a call costs that has hardly anything to compute, beside the C function itself.

use std::hint::black_box;
use std::ptr::null_mut;

use criterion::{criterion_group, criterion_main, Criterion};
use lanepool::Pool;
use lanepool_sys as sys;

fn calls(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("call");
    let pool = Pool::<f32>::average().kernel_shape([2, 2]).strides([2, 2]);
    let plan = pool.plan([1, 1, 4, 4]).expect("a job");
    let (x, mut y) = ([1.0f32; 16], [0.0f32; 4]);
    group.bench_function("c", |bencher| {
        let desc = *plan.desc();
        bencher.iter(|| {
            let (x, y) = (black_box(&x), black_box(&mut y));
            // SAFETY: the sizes given are those of the buffers.
            let status = unsafe {
                sys::lanepool_run(
                    &desc,
                    x.as_ptr().cast(),
                    size_of_val(x),
                    y.as_mut_ptr().cast(),
                    size_of_val(y),
                    null_mut(),
                    0,
                    null_mut(),
                    0,
                )
            };
            assert_eq!(status, sys::LANEPOOL_OK);
        });
    });
    group.bench_function("run", |bencher| {
        bencher.iter(|| plan.run(black_box(&x), black_box(&mut y)).expect("buffers of the plan"));
    });
    group.bench_function("run_range", |bencher| {
        let items = plan.work_items();
        bencher.iter(|| plan.run_range(black_box(&x), black_box(&mut y), 0..items).expect("items"));
    });
    group.finish();
    criterion.bench_function("plan", |bencher| bencher.iter(|| pool.plan([1, 64, 56, 56])));
}

criterion_group!(benches, calls);
criterion_main!(benches);
