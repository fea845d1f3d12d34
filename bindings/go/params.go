package lanepool

// Op is what is made of the taps of a window.
type Op int32

// The ops.
const (
	Average   Op = iota + 1 // ONNX AveragePool
	Max                     // ONNX MaxPool
	Min                     // the least tap
	Sum                     // the sum of the taps
	Lp                      // ONNX LpPool: (sum of |x|^p)^(1/p), p being LpOrder
	MaxUnpool               // ONNX MaxUnpool: the way back from a maximum and its index
)

// Layout is the order of the axes of a tensor; the spatial axes are D, H, W in both.
type Layout int32

// The layouts; 0 is NCHW.
const (
	NCHW Layout = iota + 1
	NHWC
)

// places tells where the channels are, and the first spatial axis.
func (l Layout) places(rank int) (channels, spatial int) {
	if l == NHWC {
		return rank + 1, 1
	}
	return 1, 2
}

// AutoPad is ONNX auto_pad.
type AutoPad int32

// The modes of auto_pad.
const (
	NotSet    AutoPad = iota // the pads that are given
	Valid                    // no pads
	SameUpper                // the odd pad goes to the end
	SameLower                // the odd pad goes to the beginning
)

// CeilMode says whether a last window may hang over the end.
type CeilMode int32

// The ceil modes: ONNX ceil_mode 0, 1, and Caffe's.
const (
	CeilOff  CeilMode = iota
	CeilOn            // it may, unless it starts in the end pad
	CeilKeep          // it may, even if it is empty
)

// ValidCeil says what CeilMode means under Valid.
type ValidCeil int32

// CeilMode is honoured under Valid, or ignored.
const (
	ValidCeilHonoured ValidCeil = iota
	ValidCeilIgnored
)

// Divisor is what an average divides by.
type Divisor int32

// The divisors; 0 is the dialect's.
const (
	ExcludePad      Divisor = iota + 1 // taps inside the input: ONNX count_include_pad 0
	IncludePad                         // taps in input and pads: ONNX count_include_pad 1
	FullKernel                         // all taps of the kernel
	ConstantDivisor                    // DivisorValue
)

// OversizeKernel says what becomes of a kernel that is larger than the padded input.
type OversizeKernel int32

// The rules for large kernels; 0 is the dialect's.
const (
	OversizeReject   OversizeKernel = iota + 1 // an error
	OversizeTruncate                           // one partial window
)

// EmptyWindow says what a window without a tap in the input gives.
type EmptyWindow int32

// The rules for empty windows; 0 is the dialect's.
const (
	EmptyZero   EmptyWindow = iota + 1 // 0 or the zero point; of a maximum the lowest value
	EmptyNaN                           // an average of ExcludePad is NaN
	EmptyReject                        // planning fails
)

// NaNRule says what NaN among the taps gives.
type NaNRule int32

// NaN makes the result NaN, or is skipped and does not count.
const (
	PropagateNaN NaNRule = iota
	IgnoreNaN
)

// Rounding is that of integers.
type Rounding int32

// The roundings; 0 is the dialect's.
const (
	HalfEven               Rounding = iota + 1 // before the zero point is added
	HalfEvenAfterZeroPoint                     // ONNX Runtime
	HalfAway                                   // TensorFlow Lite
)

// IndexMode is what an index counts.
type IndexMode int32

// What an index counts; 0 is the dialect's.
const (
	IndexNCHW   IndexMode = iota + 1 // positions in the NCHW tensor, whatever the layout (ONNX)
	IndexNHWC                        // positions in the NHWC tensor
	IndexPlane                       // positions in the channel's plane (PyTorch)
	IndexWindow                      // taps of the kernel
)

// StorageOrder is ONNX storage_order of indices.
type StorageOrder int32

// The last axis counts fastest, or the first one.
const (
	RowMajor StorageOrder = iota
	ColumnMajor
)

// Dialect is whose rules hold where nothing else is said.
type Dialect int32

// The dialects.
const (
	ONNX Dialect = iota
	ORT
	Torch
	TFLite
	OneDNN
)

// Quantization is real = Scale * (q - ZeroPoint).
type Quantization struct {
	Scale      float32 // 0 is 1
	ZeroPoint  int32
	PerChannel bool // each channel has its own: see Plan.WithChannels
}

// Params says what to compute, with the attributes of the ONNX pooling operators. What is left 0
// has the operator's default.
type Params struct {
	Op     Op
	Layout Layout
	Shape  []int // of x, in the order of Layout: 1 to 3 spatial axes, batch and channels

	Kernel    []int // ONNX kernel_shape: taps along each spatial axis
	Strides   []int
	Dilations []int
	Pads      []int // ONNX pads: the beginnings of all spatial axes, then their ends
	AutoPad   AutoPad
	CeilMode  CeilMode
	ValidCeil ValidCeil

	Global     bool  // one window, the whole input
	Adaptive   bool  // PyTorch's adaptive pooling to OutputSize
	OutputSize []int // spatial sizes of y: with Adaptive, and for MaxUnpool

	Dialect        Dialect
	Divisor        Divisor
	DivisorValue   int64 // for ConstantDivisor
	OversizeKernel OversizeKernel
	EmptyWindow    EmptyWindow
	NaNRule        NaNRule
	Rounding       Rounding
	IndexMode      IndexMode
	StorageOrder   StorageOrder
	LpOrder        float64 // p of Lp, from 1 to infinity; 0 is 2

	StrictOrder       bool        // floats are added as a plain loop adds
	AccumulateFloat64 bool        // sums of float32 are made in float64
	Clamp             *[2]float64 // y is limited to this range

	X, Y Quantization

	// Views: distances in elements between neighbours along each axis, in the order of Layout.
	XStrides, YStrides, IndexStrides []int

	TargetMask uint64 // only these instruction sets, as lanepool_targets counts them; 0 is the best
}
