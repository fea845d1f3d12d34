//! Random jobs against plain loops: bit for bit, in both layouts, whole and in parts.

mod naive;

use lanepool::{Layout, Pool, Status};
use naive::{channels_last, Job};
use proptest::prelude::*;

fn jobs() -> impl Strategy<Value = Job> {
    (1..=3usize).prop_flat_map(|rank| {
        let list = |low: usize, high: usize, length| prop::collection::vec(low..=high, length);
        let input = if rank == 3 { 6 } else { 11 };
        (
            (0..=2usize, 0..=5usize, list(1, input, rank)),
            (list(1, 4, rank), list(1, 3, rank), list(1, 2, rank), list(0, 3, 2 * rank)),
            (any::<bool>(), any::<bool>()),
        )
            .prop_map(|(shape, window, (ceil_mode, include_pad))| {
                let (batch, channels, input) = shape;
                let (kernel, strides, dilations, pads) = window;
                let shape = [vec![batch, channels], input].concat();
                Job { shape, kernel, strides, dilations, pads, ceil_mode, include_pad }
            })
    })
}

fn job_and_bytes() -> impl Strategy<Value = (Job, Vec<u8>)> {
    jobs().prop_flat_map(|job| {
        let length = job.shape.iter().product::<usize>();
        (Just(job), prop::collection::vec(any::<u8>(), length))
    })
}

macro_rules! with_attributes {
    ($pool:expr, $job:expr) => {
        $pool
            .kernel_shape(&$job.kernel)
            .strides(&$job.strides)
            .dilations(&$job.dilations)
            .pads(&$job.pads)
            .ceil_mode($job.ceil_mode)
            .count_include_pad($job.include_pad)
    };
}

fn last(shape: &[usize]) -> Vec<usize> {
    [&shape[..1], &shape[2..], &shape[1..2]].concat()
}

fn output_shape(job: &Job) -> Vec<usize> {
    [&job.shape[..2], &job.output().unwrap()[..]].concat()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| (value + 0.0).to_bits()).collect() // the sign of a zero is free
}

proptest! {
    #[test]
    fn averages_of_floats((job, bytes) in job_and_bytes()) {
        let x: Vec<f32> = bytes.iter().map(|&b| (f32::from(b) - 99.0) * 0.37).collect();
        let pool = with_attributes!(Pool::<f32>::average().strict_order(), job);
        let planned = pool.plan(&job.shape);
        if job.output().is_none() {
            let refused = matches!(
                planned, Err(lanepool::Error::Plan { status: Status::EmptyOutput, .. }));
            prop_assert!(refused);
            return Ok(());
        }
        let plan = planned.unwrap();
        let expected = job.average(&x);
        prop_assert_eq!(&plan.y_shape()[..], &output_shape(&job)[..]);
        prop_assert_eq!(&plan.x_shape()[..], &job.shape[..]);
        prop_assert_eq!(bits(&plan.pool(&x).unwrap()), bits(&expected));

        let plan = pool.layout(Layout::Nhwc).plan(last(&job.shape)).unwrap();
        let y = plan.pool(&channels_last(&job.shape, &x)).unwrap();
        prop_assert_eq!(&plan.y_shape()[..], &last(&output_shape(&job))[..]);
        prop_assert_eq!(bits(&y), bits(&channels_last(&output_shape(&job), &expected)));
    }

    #[test]
    fn averages_of_bytes((job, x) in job_and_bytes()) {
        prop_assume!(job.output().is_some());
        let plan = with_attributes!(Pool::<u8>::average(), job).plan(&job.shape).unwrap();
        prop_assert_eq!(plan.pool(&x).unwrap(), job.average_of_bytes(&x));
    }

    #[test]
    fn maxima_with_indices((job, bytes) in job_and_bytes()) {
        prop_assume!(job.output().is_some());
        let x: Vec<i16> = bytes.iter().map(|&b| i16::from(b) * 100 - 9000).collect();
        let pool = with_attributes!(Pool::<i16>::max(), job);
        let plan = pool.indices::<i64>().plan(&job.shape).unwrap();
        let (mut y, mut index) = (vec![0; plan.y_len()], vec![0; plan.index_len()]);
        plan.run_indexed(&x, &mut y, &mut index).unwrap();
        let expected = job.max(&x, i16::MIN);
        prop_assert_eq!(y.into_iter().zip(index).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn parts_make_the_whole((job, bytes) in job_and_bytes(), cut in 0.0..1.0) {
        prop_assume!(job.output().is_some());
        let x: Vec<f64> = bytes.iter().map(|&b| f64::from(b) / 7.0).collect();
        let plan = with_attributes!(Pool::<f64>::average(), job).plan(&job.shape).unwrap();
        let cut = (plan.work_items() as f64 * cut) as usize;
        let mut y = vec![f64::NAN; plan.y_len()];
        plan.run_range(&x, &mut y, cut..plan.work_items()).unwrap();
        plan.run_range(&x, &mut y, 0..cut).unwrap();
        prop_assert_eq!(&y, &plan.pool(&x).unwrap());
        let mut shared = vec![f64::NAN; plan.y_len()];
        let work = plan.call(&x, &mut shared).job();
        while work.work(3).unwrap().is_some() {}
        prop_assert_eq!(shared, y);
    }
}
