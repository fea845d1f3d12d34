//! Quantization with scales and zero points of each channel.

use core::ptr::null;

use lanepool_sys as sys;

use crate::error::{refusal, NO_REPORT};
use crate::{Buffer, Element, Error, Field, MaybeIndex, Plan, Result};

/// Scales and zero points, one for each channel. Without: those of the pool hold for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Channels<'a> {
    /// Of x; only with [`Pool::x_per_channel`](crate::Pool::x_per_channel).
    pub x_scales: Option<&'a [f32]>,
    /// Of x.
    pub x_zero_points: Option<&'a [i32]>,
    /// Of y; only with [`Pool::y_per_channel`](crate::Pool::y_per_channel).
    pub y_scales: Option<&'a [f32]>,
    /// Of y.
    pub y_zero_points: Option<&'a [i32]>,
}

/// What a plan has made of [`Channels`]: may be shared, and serves every plan of the same params.
///
/// ```
/// # use lanepool::{Channels, Pool};
/// let pool = Pool::<u8>::average().kernel_shape([2]).x_per_channel();
/// let plan = pool.plan([1, 2, 2])?;
/// let table = plan.table(&Channels { x_scales: Some(&[1.0, 2.0]), ..Channels::default() })?;
/// let mut y = [0; 2];
/// plan.call(&[1, 3, 5, 7], &mut y).table(&table).run()?;
/// assert_eq!(y, [2, 12]);
/// # Ok::<(), lanepool::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table<'a>(Words<'a>);

#[derive(Clone, Debug)]
enum Words<'a> {
    Borrowed(&'a [u64]),
    #[cfg(feature = "alloc")]
    Owned(alloc::vec::Vec<u64>),
}

impl Table<'_> {
    pub(crate) fn words(&self) -> &[u64] {
        match &self.0 {
            Words::Borrowed(words) => words,
            #[cfg(feature = "alloc")]
            Words::Owned(words) => words,
        }
    }
}

impl<X: Element, Y: Element, I: MaybeIndex> Plan<X, Y, I> {
    /// The table of per-channel quantization. Takes about a microsecond per channel.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless all lists have an entry per channel, [`Error::Plan`] for a scale or
    /// a zero point that cannot be; its axis is the channel.
    #[cfg(feature = "alloc")]
    pub fn table(&self, channels: &Channels<'_>) -> Result<Table<'static>> {
        let mut words = alloc::vec![0; self.table_words()];
        self.fill_table(channels, &mut words)?;
        Ok(Table(Words::Owned(words)))
    }

    /// The same in memory of yours, at least [`table_words`](Self::table_words) long.
    ///
    /// # Errors
    ///
    /// As `table`, and [`Error::Buffer`].
    pub fn table_in<'a>(&self, channels: &Channels<'_>, words: &'a mut [u64]) -> Result<Table<'a>> {
        self.fill_table(channels, words)?;
        Ok(Table(Words::Borrowed(words)))
    }

    fn fill_table(&self, channels: &Channels<'_>, words: &mut [u64]) -> Result<()> {
        let (given, needed) = (words.len(), self.table_words());
        if given < needed {
            return Err(Error::Buffer { buffer: Buffer::Table, given, needed });
        }
        let count = self.params().channels as usize; // not negative in a plan
        let x_scales = list(Field::XScale, channels.x_scales, count)?;
        let x_zero_points = list(Field::XZeroPoint, channels.x_zero_points, count)?;
        let y_scales = list(Field::YScale, channels.y_scales, count)?;
        let y_zero_points = list(Field::YZeroPoint, channels.y_zero_points, count)?;
        let mut report = NO_REPORT;
        // SAFETY: the lists have an entry per channel, the size of the table is given.
        let status = unsafe {
            sys::lanepool_table_init(
                self.desc(),
                x_scales,
                x_zero_points,
                y_scales,
                y_zero_points,
                words.as_mut_ptr().cast(),
                size_of_val(words),
                &mut report,
            )
        };
        match status {
            sys::LANEPOOL_OK => Ok(()),
            _ => Err(refusal(&report)),
        }
    }
}

fn list<T>(field: Field, values: Option<&[T]>, needed: usize) -> Result<*const T> {
    let Some(values) = values else {
        return Ok(null());
    };
    if values.len() != needed {
        return Err(Error::Length { field, given: values.len(), needed });
    }
    Ok(values.as_ptr())
}
