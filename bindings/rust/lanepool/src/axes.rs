//! Lists with an entry per axis, in the order of the caller's tensor.

use core::ops::Deref;

use crate::Layout;

/// Most spatial axes.
pub(crate) const MOST_SPATIAL: usize = 3;
/// With batch and channels.
pub(crate) const MOST_AXES: usize = MOST_SPATIAL + 2;

/// Sizes of a tensor, one for each axis. Dereferences to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    sizes: [usize; MOST_AXES],
    axes: usize,
}

impl Shape {
    /// From batch, channels and spatial sizes to the order of the layout.
    pub(crate) fn new(layout: Layout, batch: i64, channels: i64, spatial: &[i64]) -> Self {
        let size = |size: i64| usize::try_from(size).unwrap_or(0);
        let mut shape = Self { sizes: [0; MOST_AXES], axes: spatial.len() + 2 };
        let places = Places::of(layout, spatial.len());
        shape.sizes[0] = size(batch);
        shape.sizes[places.channels] = size(channels);
        for (axis, &length) in spatial.iter().enumerate() {
            shape.sizes[places.spatial + axis] = size(length);
        }
        shape
    }

    /// How many elements there are.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.iter().product()
    }
}

impl Deref for Shape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.sizes[..self.axes]
    }
}

/// Where a layout has its axes; the batch is always the first.
pub(crate) struct Places {
    pub channels: usize,
    pub spatial: usize,
}

impl Places {
    pub(crate) fn of(layout: Layout, rank: usize) -> Self {
        match layout {
            Layout::Nchw => Self { channels: 1, spatial: 2 },
            Layout::Nhwc => Self { channels: rank + 1, spatial: 1 },
        }
    }
}

/// An attribute as it was given, until planning knows the rank. No entries: not given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries {
    values: [i64; 2 * MOST_SPATIAL],
    given: usize,
}

impl Entries {
    pub(crate) const NONE: Self = Self { values: [0; 2 * MOST_SPATIAL], given: 0 };

    pub(crate) fn new(values: impl AsRef<[usize]>) -> Self {
        let values = values.as_ref();
        let mut entries = Self { given: values.len(), ..Self::NONE };
        for (entry, &value) in entries.values.iter_mut().zip(values) {
            *entry = to_i64(value);
        }
        entries
    }

    /// Back from the order of batch, channels, spatial axes to that of a tensor.
    #[cfg(feature = "ndarray")]
    pub(crate) fn from_batch_first(layout: Layout, rank: usize, values: &[i64]) -> Self {
        let places = Places::of(layout, rank);
        let mut entries = Self { given: rank + 2, ..Self::NONE };
        entries.values[0] = values[0];
        entries.values[places.channels] = values[1];
        entries.values[places.spatial..places.spatial + rank].copy_from_slice(&values[2..2 + rank]);
        entries
    }

    pub(crate) fn given(&self) -> usize {
        self.given
    }

    /// Those that are held: all of them, once `given` has been found to be right.
    pub(crate) fn values(&self) -> &[i64] {
        &self.values[..self.given.min(self.values.len())]
    }
}

/// Sizes beyond 2^63 are refused as 2^63 - 1 is.
pub(crate) fn to_i64(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// From the order of a tensor to batch, channels, spatial axes.
pub(crate) fn batch_first(layout: Layout, rank: usize, values: &[i64]) -> [i64; MOST_AXES] {
    let places = Places::of(layout, rank);
    let mut ordered = [0; MOST_AXES];
    ordered[0] = values[0];
    ordered[1] = values[places.channels];
    ordered[2..2 + rank].copy_from_slice(&values[places.spatial..places.spatial + rank]);
    ordered
}
