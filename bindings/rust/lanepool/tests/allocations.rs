//! Planning and running allocate nothing; a workspace is made once for each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use lanepool::Pool;

struct Counting;

std::thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: that of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: that of this function.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(mut run: impl FnMut()) -> usize {
    let before = COUNT.with(Cell::get);
    run();
    COUNT.with(Cell::get) - before
}

#[test]
fn a_call_allocates_nothing() {
    let (x, mut y) = (vec![1.0f32; 64 * 35 * 35], vec![0.0f32; 64 * 35 * 35]);
    let counted = allocations(|| {
        let pool = Pool::<f32>::average().kernel_shape([3, 3]).pads([1, 1, 1, 1]);
        let plan = pool.plan([1, 64, 35, 35]).unwrap();
        plan.run(&x, &mut y).unwrap();
        plan.run_range(&x, &mut y, 0..plan.work_items()).unwrap();
        let job = plan.call(&x, &mut y).job();
        while job.work(16).unwrap().is_some() {}
        assert!(plan.run(&x[1..], &mut y).is_err());
    });
    assert_eq!(counted, 0);
}

#[test]
fn a_workspace_is_made_once() {
    let plan = Pool::<f32>::sum().kernel_shape([65]).plan([1, 1, 1000]).unwrap();
    assert!(plan.workspace_bytes() > 0);
    let (x, mut y) = ([1.0; 1000], [0.0; 936]);
    assert_eq!(allocations(|| plan.run(&x, &mut y).unwrap()), 1);
    let again = allocations(|| {
        for _ in 0..10 {
            plan.run(&x, &mut y).unwrap();
        }
    });
    assert_eq!(again, 0);
}
