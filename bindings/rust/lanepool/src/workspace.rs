//! Scratch of calls that were not given any.

use core::mem::MaybeUninit;

use crate::Result;

/// Calls with a workspace that the thread keeps, and lets grow, until it ends.
#[cfg(feature = "std")]
pub(crate) fn with_workspace(
    bytes: usize,
    run: impl FnOnce(&mut [MaybeUninit<u8>]) -> Result<()>,
) -> Result<()> {
    use core::cell::RefCell;
    use std::vec::Vec;
    std::thread_local! {
        static WORKSPACE: RefCell<Vec<MaybeUninit<u8>>> = const { RefCell::new(Vec::new()) };
    }
    let mut run = Some(run);
    let kept = WORKSPACE.try_with(|workspace| {
        let mut workspace = workspace.borrow_mut(); // the library calls nothing of ours
        if workspace.len() < bytes {
            *workspace = Vec::new(); // its content is not worth a copy
            workspace.resize(bytes, MaybeUninit::uninit());
        }
        run.take().map(|run| run(&mut workspace))
    });
    match (kept, run) {
        (Ok(Some(result)), _) => result,
        // A call from the destructor of another thread-local.
        (_, Some(run)) => run(&mut std::vec![MaybeUninit::uninit(); bytes]),
        (_, None) => unreachable!("`run` is only taken where its result is returned"),
    }
}

#[cfg(not(feature = "std"))]
pub(crate) fn with_workspace(
    bytes: usize,
    _run: impl FnOnce(&mut [MaybeUninit<u8>]) -> Result<()>,
) -> Result<()> {
    use crate::{Buffer, Error};
    Err(Error::Buffer { buffer: Buffer::Workspace, given: 0, needed: bytes })
}
