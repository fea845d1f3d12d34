//! The choices of a pooling job, each with the number that the C functions know it by.

use lanepool_sys as sys;

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $code:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$item_doc])* $item,)+
        }

        impl $name {
            /// The number in the C interface.
            #[must_use]
            pub const fn code(self) -> i32 {
                match self {
                    $(Self::$item => sys::$code,)+
                }
            }
        }
    };
}

codes! {
    /// What is made of the taps of a window.
    Op {
        /// Their mean.
        Average = LANEPOOL_OP_AVERAGE,
        /// The greatest.
        Max = LANEPOOL_OP_MAX,
        /// The least.
        Min = LANEPOOL_OP_MIN,
        /// Their sum.
        Sum = LANEPOOL_OP_SUM,
        /// `(sum of |x|^p)^(1/p)`.
        Lp = LANEPOOL_OP_LP,
        /// The way back from a maximum and its index.
        MaxUnpool = LANEPOOL_OP_MAX_UNPOOL,
    }
}

codes! {
    /// The order of the axes of a tensor; the spatial axes are D, H, W in both.
    Layout {
        /// N C \[D\] \[H\] W
        Nchw = LANEPOOL_LAYOUT_NCHW,
        /// N \[D\] \[H\] W C
        Nhwc = LANEPOOL_LAYOUT_NHWC,
    }
}

codes! {
    /// ONNX `auto_pad`.
    AutoPad {
        /// The pads that are given.
        NotSet = LANEPOOL_AUTO_PAD_NOTSET,
        /// No pads.
        Valid = LANEPOOL_AUTO_PAD_VALID,
        /// `ceil(input / stride)` outputs; the odd pad goes to the end.
        SameUpper = LANEPOOL_AUTO_PAD_SAME_UPPER,
        /// `ceil(input / stride)` outputs; the odd pad goes to the beginning.
        SameLower = LANEPOOL_AUTO_PAD_SAME_LOWER,
    }
}

codes! {
    /// Whether a last window may hang over the end. `false` and `true` are `Off` and `On`.
    CeilMode {
        /// It may not.
        Off = LANEPOOL_CEIL_OFF,
        /// It may, unless it starts in the end pad (ONNX).
        On = LANEPOOL_CEIL_ON,
        /// It may, even if it is empty (Caffe).
        Keep = LANEPOOL_CEIL_KEEP,
    }
}

impl From<bool> for CeilMode {
    fn from(on: bool) -> Self {
        if on {
            Self::On
        } else {
            Self::Off
        }
    }
}

codes! {
    /// What [`CeilMode`] means under [`AutoPad::Valid`].
    ValidCeil {
        /// It is honoured.
        Ceil = LANEPOOL_VALID_CEIL,
        /// It is ignored.
        Floor = LANEPOOL_VALID_FLOOR,
    }
}

codes! {
    /// A kernel that is larger than the padded input, without [`CeilMode`].
    OversizeKernel {
        /// An error.
        Reject = LANEPOOL_OVERSIZE_REJECT,
        /// One partial window (ONNX Runtime).
        Truncate = LANEPOOL_OVERSIZE_TRUNCATE,
    }
}

/// What an average divides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Divisor {
    /// Taps inside the input: ONNX `count_include_pad = 0`.
    ExcludePad,
    /// Taps in input and pads: ONNX `count_include_pad = 1`.
    IncludePad,
    /// All taps of the kernel.
    FullKernel,
    /// This number (PyTorch `divisor_override`).
    Constant(i64),
}

impl Divisor {
    /// The number in the C interface, and the value of `divisor_value`.
    #[must_use]
    pub const fn code(self) -> (i32, i64) {
        match self {
            Self::ExcludePad => (sys::LANEPOOL_DIVISOR_EXCLUDE_PAD, 0),
            Self::IncludePad => (sys::LANEPOOL_DIVISOR_INCLUDE_PAD, 0),
            Self::FullKernel => (sys::LANEPOOL_DIVISOR_FULL_KERNEL, 0),
            Self::Constant(value) => (sys::LANEPOOL_DIVISOR_CONSTANT, value),
        }
    }
}

codes! {
    /// A window without a tap inside the input.
    EmptyWindow {
        /// 0 or the zero point; of a maximum the lowest value, with index -1.
        Zero = LANEPOOL_EMPTY_ZERO,
        /// An average of [`Divisor::ExcludePad`] is NaN, all else as `Zero`.
        Nan = LANEPOOL_EMPTY_NAN,
        /// Planning fails.
        Reject = LANEPOOL_EMPTY_REJECT,
    }
}

codes! {
    /// NaN among the taps.
    NanRule {
        /// The result is NaN.
        Propagate = LANEPOOL_NAN_PROPAGATE,
        /// NaN is skipped, and does not count.
        Ignore = LANEPOOL_NAN_IGNORE,
    }
}

codes! {
    /// How results of integers are rounded.
    Rounding {
        /// To the nearest, ties to even, before the zero point is added.
        HalfEven = LANEPOOL_ROUND_HALF_EVEN,
        /// The same after the zero point is added (ONNX Runtime).
        HalfEvenAfterZeroPoint = LANEPOOL_ROUND_HALF_EVEN_AFTER_ZERO_POINT,
        /// Ties away from zero (TensorFlow Lite).
        HalfAway = LANEPOOL_ROUND_HALF_AWAY,
    }
}

codes! {
    /// What an index counts.
    IndexMode {
        /// Positions in the NCHW tensor, whatever the layout (ONNX).
        Nchw = LANEPOOL_INDEX_NCHW,
        /// Positions in the NHWC tensor.
        Nhwc = LANEPOOL_INDEX_NHWC,
        /// Positions in the channel's plane (PyTorch).
        Plane = LANEPOOL_INDEX_PLANE,
        /// Taps of the kernel.
        Window = LANEPOOL_INDEX_WINDOW,
    }
}

codes! {
    /// ONNX `storage_order` of indices.
    StorageOrder {
        /// The last axis counts fastest.
        RowMajor = LANEPOOL_STORAGE_ROW_MAJOR,
        /// The first axis counts fastest.
        ColumnMajor = LANEPOOL_STORAGE_COLUMN_MAJOR,
    }
}

codes! {
    /// Whose rules hold where nothing else is said.
    Dialect {
        /// The ONNX operators.
        Onnx = LANEPOOL_DIALECT_ONNX,
        /// ONNX Runtime.
        Ort = LANEPOOL_DIALECT_ORT,
        /// PyTorch.
        Torch = LANEPOOL_DIALECT_TORCH,
        /// TensorFlow Lite.
        Tflite = LANEPOOL_DIALECT_TFLITE,
        /// oneDNN.
        Onednn = LANEPOOL_DIALECT_ONEDNN,
    }
}
