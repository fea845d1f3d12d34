//! What can be wrong with a job or a call.

use core::ffi::{c_char, CStr};
use core::fmt;

use lanepool_sys as sys;

/// The result of planning and running.
pub type Result<T> = core::result::Result<T, Error>;

/// Why a job was refused, or a call.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The job cannot be planned. Shown as "kernel\[1\] is 0; it must be at least 1".
    Plan {
        /// Kind of refusal.
        status: Status,
        /// What is wrong.
        field: Field,
        /// Which entry of that field, or which channel of a table.
        axis: Option<usize>,
        /// What it is.
        value: Value,
        /// What it was held against.
        limit: i64,
        /// Which rule it broke, a number of the library.
        rule: i32,
    },
    /// An attribute does not have one entry (pads: two) for each spatial axis, or the shape is not
    /// that of a tensor with one to three of them.
    Length {
        /// Which attribute; [`Field::Input`] is the shape.
        field: Field,
        /// How many entries it has.
        given: usize,
        /// How many it must have.
        needed: usize,
    },
    /// A slice is too short.
    Buffer {
        /// Which one.
        buffer: Buffer,
        /// How many elements it has (workspace: bytes).
        given: usize,
        /// How many it must have.
        needed: usize,
    },
    /// The work items are not a part of the plan's.
    Range {
        /// The first one.
        begin: usize,
        /// One behind the last one.
        end: usize,
        /// How many there are.
        work_items: usize,
    },
    /// An array has another shape than the plan, or other strides.
    Array {
        /// Which one.
        buffer: Buffer,
        /// The first axis of the array that differs.
        axis: usize,
    },
    /// What [`run`](crate::Plan::run) refuses otherwise, as an index that unpooling cannot have.
    Run {
        /// Kind of refusal.
        status: Status,
    },
    /// The linked library is not of the version that these bindings are for.
    Version {
        /// `LANEPOOL_ABI_VERSION` of the library.
        abi: i32,
    },
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Buffer {
    X,
    Y,
    Index,
    Workspace,
    Table,
}

/// The value of a field that was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of an integer or a code.
    Integer(i64),
    /// Of a floating-point field.
    Real(f64),
}

macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $($item:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        #[repr(i32)]
        #[non_exhaustive]
        pub enum $name {
            /// A number that these bindings do not know.
            Unknown = -1,
            $($item,)+
        }

        impl $name {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$item,)+];

            /// The name in the C interface.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Unknown => "?",
                    $(Self::$item => $text,)+
                }
            }

            pub(crate) fn from_code(code: i32) -> Self {
                let place = usize::try_from(code).ok();
                place.and_then(|place| Self::ALL.get(place).copied()).unwrap_or(Self::Unknown)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.name())
            }
        }
    };
}

numbered! {
    /// Kinds of refusals: `LANEPOOL_KERNEL` and so on, in the order of their numbers.
    Status {
        Ok = "OK",
        Null = "NULL",
        StructSize = "STRUCT_SIZE",
        Op = "OP",
        Type = "TYPE",
        Layout = "LAYOUT",
        Rank = "RANK",
        Dim = "DIM",
        Kernel = "KERNEL",
        Stride = "STRIDE",
        Dilation = "DILATION",
        Pad = "PAD",
        AutoPad = "AUTO_PAD",
        Policy = "POLICY",
        Overflow = "OVERFLOW",
        EmptyOutput = "EMPTY_OUTPUT",
        EmptyWindow = "EMPTY_WINDOW",
        View = "VIEW",
        Scale = "SCALE",
        ZeroPoint = "ZERO_POINT",
        Flag = "FLAG",
        Target = "TARGET",
        Unsupported = "UNSUPPORTED",
        Desc = "DESC",
        XSize = "X_SIZE",
        YSize = "Y_SIZE",
        IndexSize = "INDEX_SIZE",
        Workspace = "WORKSPACE",
        Alignment = "ALIGNMENT",
        Overlap = "OVERLAP",
        Range = "RANGE",
        Table = "TABLE",
        Index = "INDEX",
    }
}

numbered! {
    /// The fields that [`Error::Plan`] can name, in the order of the library's numbers.
    Field {
        None = "input",
        Params = "params",
        Desc = "desc",
        StructSize = "struct_size",
        Op = "op",
        Layout = "layout",
        Rank = "rank",
        XType = "x_type",
        YType = "y_type",
        IndexType = "index_type",
        AutoPad = "auto_pad",
        CeilMode = "ceil_mode",
        ValidCeil = "valid_ceil",
        OversizeKernel = "oversize_kernel",
        Divisor = "divisor",
        EmptyWindow = "empty_window",
        NanRule = "nan_rule",
        Rounding = "rounding",
        IndexMode = "index_mode",
        StorageOrder = "storage_order",
        Flags = "flags",
        TargetMask = "target_mask",
        DivisorValue = "divisor_value",
        Batch = "batch",
        Channels = "channels",
        Input = "input",
        Kernel = "kernel",
        Strides = "strides",
        Dilations = "dilations",
        PadsBegin = "pads_begin",
        PadsEnd = "pads_end",
        OutputSize = "output_size",
        XStrides = "x_strides",
        YStrides = "y_strides",
        IndexStrides = "index_strides",
        XScale = "x_scale",
        YScale = "y_scale",
        XZeroPoint = "x_zero_point",
        YZeroPoint = "y_zero_point",
        XScaleCount = "x_scale_count",
        YScaleCount = "y_scale_count",
        ClampLow = "clamp_low",
        ClampHigh = "clamp_high",
        LpOrder = "lp_order",
        Reserved = "reserved",
        X = "x",
        Y = "y",
        Table = "table",
        TableBytes = "table_bytes",
    }
}

impl Field {
    const fn is_real(self) -> bool {
        matches!(
            self,
            Self::XScale | Self::YScale | Self::ClampLow | Self::ClampHigh | Self::LpOrder
        )
    }
}

pub(crate) const NO_REPORT: sys::lanepool_error =
    sys::lanepool_error { status: 0, field: 0, axis: -1, rule: 0, value: 0, limit: 0, real: 0.0 };

/// The error that a report of the library tells of.
pub(crate) fn refusal(report: &sys::lanepool_error) -> Error {
    let field = Field::from_code(report.field);
    Error::Plan {
        status: Status::from_code(report.status),
        field,
        axis: usize::try_from(report.axis).ok(),
        value: if field.is_real() {
            Value::Real(report.real)
        } else {
            Value::Integer(report.value)
        },
        limit: report.limit,
        rule: report.rule,
    }
}

/// The library's own sentence of a report.
fn write_sentence(report: &sys::lanepool_error, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text: [c_char; 256] = [0; 256];
    // SAFETY: the text ends with a 0 inside of the buffer.
    let sentence = unsafe {
        sys::lanepool_error_format(report, text.as_mut_ptr(), text.len());
        CStr::from_ptr(text.as_ptr())
    };
    out.write_str(sentence.to_str().unwrap_or("?"))
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Plan { status, field, axis, value, limit, rule } => {
                let mut report = sys::lanepool_error {
                    status: status as i32,
                    field: field as i32,
                    axis: axis.map_or(-1, |axis| i32::try_from(axis).unwrap_or(i32::MAX)),
                    rule,
                    limit,
                    ..NO_REPORT
                };
                match value {
                    Value::Integer(value) => report.value = value,
                    Value::Real(value) => report.real = value,
                }
                write_sentence(&report, out)
            }
            Self::Length { field: Field::Input, given, .. } => {
                write!(out, "the shape has {given} entries; it must have 3 to 5")
            }
            Self::Length { field, given, needed } => {
                write!(out, "{field} has {given} entries; it must have {needed}")
            }
            Self::Buffer { buffer, given, needed } => {
                let unit = if buffer == Buffer::Workspace { "bytes" } else { "elements" };
                write!(out, "{buffer:?} has {given} {unit}; it must have at least {needed}")
            }
            Self::Range { begin, end, work_items } => {
                write!(out, "{begin}..{end} is not a part of the {work_items} work items")
            }
            Self::Array { buffer, axis } => {
                write!(out, "{buffer:?} is not the array of the plan: axis {axis} differs")
            }
            Self::Run { status } => write!(out, "the call was refused: {status}"),
            Self::Version { abi } => write!(
                out,
                "the library has ABI version {abi}; these bindings are for {}",
                sys::LANEPOOL_ABI_VERSION
            ),
        }
    }
}

impl core::error::Error for Error {}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::format;
    use std::string::{String, ToString};

    fn sentence_of(field: i32) -> String {
        const NOT_NULL: i32 = 1;
        let report = sys::lanepool_error { field, rule: NOT_NULL, status: 1, ..NO_REPORT };
        refusal(&report).to_string()
    }

    #[test]
    fn fields_are_numbered_as_in_the_library() {
        for (code, field) in (0..).zip(Field::ALL).skip(1) {
            let mut text: [c_char; 256] = [0; 256];
            let report = sys::lanepool_error { field: code, rule: 1, status: 1, ..NO_REPORT };
            // SAFETY: as in `write_sentence`.
            let told = unsafe {
                sys::lanepool_error_format(&report, text.as_mut_ptr(), text.len());
                CStr::from_ptr(text.as_ptr()).to_str().unwrap()
            };
            let told = told.split(' ').next().unwrap();
            assert_eq!(told, field.name(), "{code}");
            assert!(sentence_of(code).starts_with(field.name()));
        }
        let next = i32::try_from(Field::ALL.len()).unwrap();
        assert_eq!(sentence_of(next), "NULL", "the library has more fields");
    }

    #[test]
    fn statuses_are_numbered_as_in_the_library() {
        // SAFETY: the names are static strings.
        let name = |code| unsafe { CStr::from_ptr(sys::lanepool_status_name(code)) };
        for (code, status) in (0..).zip(Status::ALL) {
            assert_eq!(name(code).to_str(), Ok(status.name()));
            assert_eq!(*status as i32, code);
        }
        assert_eq!(name(i32::try_from(Status::ALL.len()).unwrap()).to_str(), Ok("?"));
    }

    #[test]
    fn an_error_is_small_and_prints() {
        assert!(size_of::<Error>() <= 64);
        let error = Error::Buffer { buffer: Buffer::Y, given: 3, needed: 4 };
        assert_eq!(format!("{error}"), "Y has 3 elements; it must have at least 4");
    }
}
