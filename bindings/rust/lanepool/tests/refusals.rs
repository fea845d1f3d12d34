//! What is wrong is said, and nothing is written.

use lanepool::{Buffer, Channels, Error, Field, Layout, Pool, Status, Value};

fn plan_error(error: Error) -> (Status, Field, Option<usize>, Value, i64) {
    match error {
        Error::Plan { status, field, axis, value, limit, .. } => {
            (status, field, axis, value, limit)
        }
        other => panic!("{other}"),
    }
}

#[test]
fn attributes() {
    let pool = Pool::<f32>::average().kernel_shape([3, 3]);
    let error = pool.strides([1, 0]).plan([1, 1, 9, 9]).unwrap_err();
    assert_eq!(plan_error(error), (Status::Stride, Field::Strides, Some(1), Value::Integer(0), 1));
    assert_eq!(error.to_string(), "strides[1] is 0; it must be at least 1");
    let error = pool.clamp(f64::NAN, 0.0).plan([1, 1, 9, 9]).unwrap_err();
    assert!(matches!(plan_error(error), (Status::Scale, Field::ClampLow, None, Value::Real(_), _)));
    let error = pool.plan([1, 1, 2, 9]).unwrap_err();
    assert_eq!(plan_error(error).0, Status::EmptyOutput);
    assert_eq!(plan_error(Pool::<i32>::average().plan([1, 1, 9]).unwrap_err()).0, Status::Type);
    assert_eq!(plan_error(pool.plan([1, usize::MAX, 9, 9]).unwrap_err()).0, Status::Overflow);
    assert_eq!(plan_error(pool.indices::<i64>().plan([1, 1, 9, 9]).unwrap_err()).0, Status::Type);
}

#[test]
fn numbers_of_axes() {
    let pool = Pool::<f32>::average().kernel_shape([3, 3]);
    let length = |field, given, needed| Err(Error::Length { field, given, needed });
    assert_eq!(pool.plan([1, 9]).map(|_| ()), length(Field::Input, 2, 3));
    assert_eq!(pool.plan([1; 6]).map(|_| ()), length(Field::Input, 6, 3));
    assert_eq!(pool.plan([]).map(|_| ()), length(Field::Input, 0, 3));
    assert_eq!(pool.plan([1, 1, 9]).map(|_| ()), length(Field::Kernel, 2, 1));
    let few = pool.strides([2]).plan([1, 1, 9, 9]).map(|_| ());
    assert_eq!(few, length(Field::Strides, 1, 2));
    let many = pool.pads([1; 9]).plan([1, 1, 9, 9]).map(|_| ());
    assert_eq!(many, length(Field::PadsBegin, 9, 4));
    let few = pool.x_strides([9, 9]).plan([1, 1, 9, 9]).map(|_| ());
    assert_eq!(few, length(Field::XStrides, 2, 4));
}

#[test]
fn slices() {
    let plan = Pool::<f32>::max().kernel_shape([2, 2]).strides([2, 2]).plan([1, 1, 4, 4]).unwrap();
    let short = |buffer, given, needed| Err(Error::Buffer { buffer, given, needed });
    let mut y = [7.0; 4];
    assert_eq!(plan.run(&[0.0; 15], &mut y), short(Buffer::X, 15, 16));
    assert_eq!(plan.run(&[0.0; 16], &mut y[..3]), short(Buffer::Y, 3, 4));
    let items = plan.work_items();
    assert_eq!(
        plan.run_range(&[0.0; 16], &mut y, 0..items + 1),
        Err(Error::Range { begin: 0, end: items + 1, work_items: items })
    );
    assert_eq!(y, [7.0; 4]);
    plan.run(&[0.0; 17], &mut y).unwrap();
    assert_eq!(y, [0.0; 4]);
}

#[test]
fn workspaces_and_tables() {
    let plan = Pool::<f32>::sum().kernel_shape([65]).plan([1, 1, 1000]).unwrap();
    let needed = plan.workspace_bytes();
    assert!(needed > 0);
    let (x, mut y) = ([1.0; 1000], [0.0; 936]);
    assert_eq!(
        plan.call(&x, &mut y).workspace(&mut []).run(),
        Err(Error::Buffer { buffer: Buffer::Workspace, given: 0, needed })
    );
    let plan = Pool::<u8>::average().kernel_shape([2]).x_per_channel().plan([1, 2, 2]).unwrap();
    let needed = plan.table_words();
    assert_eq!(
        plan.run(&[1; 4], &mut [0; 2]),
        Err(Error::Buffer { buffer: Buffer::Table, given: 0, needed })
    );
    let scales = |scales| Channels { x_scales: Some(scales), ..Channels::default() };
    let error = plan.table(&scales(&[1.0])).unwrap_err();
    assert_eq!(error, Error::Length { field: Field::XScale, given: 1, needed: 2 });
    let error = plan.table(&scales(&[1.0, -1.0])).unwrap_err();
    assert_eq!(plan_error(error), (Status::Scale, Field::XScale, Some(1), Value::Real(-1.0), 0));
    let error = plan.table_in(&scales(&[1.0, 1.0]), &mut []).map(|_| ()).unwrap_err();
    assert_eq!(error, Error::Buffer { buffer: Buffer::Table, given: 0, needed });
    // A table of other params.
    let other = Pool::<u8>::average().kernel_shape([1]).x_per_channel().plan([1, 2, 2]).unwrap();
    let table = other.table(&Channels::default()).unwrap();
    let refused = plan.call(&[1; 4], &mut [0; 2]).table(&table).run();
    assert!(refused.is_err(), "{refused:?}");
}

#[test]
fn indices() {
    let plan = Pool::<f32>::max().kernel_shape([2]).indices::<i64>().plan([1, 1, 4]).unwrap();
    let (x, mut y, mut index) = ([1.0, 4.0, 2.0, 3.0], [0.0; 3], [0; 3]);
    let short = |given| Err(Error::Buffer { buffer: Buffer::Index, given, needed: 3 });
    assert_eq!(plan.run_indexed(&x, &mut y, &mut index[..2]), short(2));
    assert_eq!(plan.call(&x, &mut y).run(), short(0));
    // Only a plan to unpool takes indices that it must not write.
    assert_eq!(plan.unpool(&x, &index, &mut y), short(0));
    plan.run_indexed(&x, &mut y, &mut index).unwrap();
    assert_eq!((y, index), ([4.0, 4.0, 3.0], [1, 1, 3]));

    let back = Pool::<f32, f32, i64>::max_unpool().kernel_shape([2]).plan([1, 1, 3]).unwrap();
    let mut unpooled = [9.0; 4];
    back.unpool(&y, &index, &mut unpooled).unwrap();
    assert_eq!(unpooled, [0.0, 4.0, 0.0, 3.0]);
    let refused = back.unpool(&y, &[1, 4, 3], &mut unpooled);
    assert_eq!(refused, Err(Error::Run { status: Status::Index }));
    assert_eq!(unpooled, [0.0, 4.0, 0.0, 3.0]);
    assert_eq!(
        back.run_indexed(&y, &mut unpooled, &mut index),
        Err(Error::Buffer { buffer: Buffer::Index, given: 0, needed: 3 })
    );
}

#[test]
fn empty_tensors() {
    let plan = Pool::<f32>::average().kernel_shape([3]).plan([0, 5, 9]).unwrap();
    assert_eq!((plan.x_len(), plan.y_len(), plan.work_items()), (0, 0, 0));
    plan.run(&[], &mut []).unwrap();
    assert!(plan.pool(&[]).unwrap().is_empty());
}

#[test]
fn strided_results_leave_gaps() {
    let pool = Pool::<u8>::max().layout(Layout::Nhwc).kernel_shape([1]).y_strides([12, 4, 1]);
    let plan = pool.plan([1, 3, 2]).unwrap();
    let mut y = [9; 10];
    plan.run(&[1, 2, 3, 4, 5, 6], &mut y).unwrap();
    assert_eq!(y, [1, 2, 9, 9, 3, 4, 9, 9, 5, 6]);
    assert_eq!(plan.pool(&[1, 2, 3, 4, 5, 6]).unwrap(), [1, 2, 0, 0, 3, 4, 0, 0, 5, 6]);
}

fn is_copy_and_shared<T: Copy + Send + Sync + 'static>(_: T) {}

#[test]
fn plans_are_plain_data() {
    let plan = Pool::<f32>::max().kernel_shape([2]).indices::<i64>().plan([1, 1, 4]).unwrap();
    is_copy_and_shared(plan);
    assert!(plan.to_string().starts_with("max f32 with s64 nchw 1d 2/1"), "{plan}");
    assert_eq!(lanepool::version(), "0.1.0");
}
