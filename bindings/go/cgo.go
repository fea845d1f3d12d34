package lanepool

/*
#cgo noescape lanepool_run
#cgo nocallback lanepool_run
#cgo noescape lanepool_run_table
#cgo nocallback lanepool_run_table
#include <lanepool/lanepool.h>
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// The numbers of the C interface.
const (
	ok = C.LANEPOOL_OK

	abiVersion  = C.LANEPOOL_ABI_VERSION
	axesOfViews = 5
	rankLimit   = 3
)

// Version is that of the linked library, as "0.1.0".
func Version() string { return C.GoString(C.lanepool_version()) }

// cParams makes the params of the C interface.
func (p *Params) cParams(xType, yType, indexType C.int32_t) (C.lanepool_params, error) {
	var c C.lanepool_params
	if abi := C.lanepool_abi_version(); abi != abiVersion {
		return c, fmt.Errorf("lanepool: the library has ABI version %d, not %d", abi, abiVersion)
	}
	status := C.lanepool_params_init(&c, C.size_t(unsafe.Sizeof(c)), C.int32_t(p.Dialect))
	if status != ok {
		return c, &Error{Status: Status(status), Field: "dialect", Axis: -1, Value: int64(p.Dialect)}
	}
	rank := len(p.Shape) - 2
	if rank < 1 || rank > rankLimit {
		return c, fmt.Errorf("lanepool: Shape has %d entries; it must have 3 to 5", len(p.Shape))
	}
	c.op, c.layout, c.rank = C.int32_t(p.Op), C.int32_t(p.Layout), C.int32_t(rank)
	if p.Layout == 0 {
		c.layout = C.int32_t(NCHW)
	}
	c.x_type, c.y_type, c.index_type = xType, yType, indexType
	p.setPolicies(&c)
	p.setQuantization(&c)
	p.setShape(&c, rank)
	if err := p.setWindows(&c, rank); err != nil {
		return c, err
	}
	return c, p.setViews(&c, rank)
}

// setPolicies leaves what is 0 to the dialect.
func (p *Params) setPolicies(c *C.lanepool_params) {
	choose := func(field *C.int32_t, choice int32) {
		if choice != 0 {
			*field = C.int32_t(choice - 1)
		}
	}
	choose(&c.divisor, int32(p.Divisor))
	choose(&c.oversize_kernel, int32(p.OversizeKernel))
	choose(&c.empty_window, int32(p.EmptyWindow))
	choose(&c.rounding, int32(p.Rounding))
	choose(&c.index_mode, int32(p.IndexMode))
	c.auto_pad = C.int32_t(p.AutoPad)
	c.ceil_mode = C.int32_t(p.CeilMode)
	c.valid_ceil = C.int32_t(p.ValidCeil)
	c.nan_rule = C.int32_t(p.NaNRule)
	c.storage_order = C.int32_t(p.StorageOrder)
	c.divisor_value = C.int64_t(p.DivisorValue)
	c.target_mask = C.uint64_t(p.TargetMask)
	if p.LpOrder != 0 {
		c.lp_order = C.double(p.LpOrder)
	}
	if p.Clamp != nil {
		c.flags |= C.LANEPOOL_FLAG_CLAMP
		c.clamp_low, c.clamp_high = C.double(p.Clamp[0]), C.double(p.Clamp[1])
	}
	flag := func(set bool, bit C.uint32_t) {
		if set {
			c.flags |= bit
		}
	}
	flag(p.Global, C.LANEPOOL_FLAG_GLOBAL)
	flag(p.Adaptive, C.LANEPOOL_FLAG_ADAPTIVE)
	flag(p.StrictOrder, C.LANEPOOL_FLAG_STRICT_ORDER)
	flag(p.AccumulateFloat64, C.LANEPOOL_FLAG_ACCUMULATE_F64)
}

func (p *Params) setQuantization(c *C.lanepool_params) {
	set := func(side Quantization, scale *C.float, zeroPoint *C.int32_t) {
		if side.Scale != 0 {
			*scale = C.float(side.Scale)
		}
		*zeroPoint = C.int32_t(side.ZeroPoint)
	}
	set(p.X, &c.x_scale, &c.x_zero_point)
	set(p.Y, &c.y_scale, &c.y_zero_point)
}

// setShape sorts the axes of the layout.
func (p *Params) setShape(c *C.lanepool_params, rank int) {
	channels, spatial := p.Layout.places(rank)
	c.batch = C.int64_t(p.Shape[0])
	c.channels = C.int64_t(p.Shape[channels])
	for axis := range rank {
		c.input[axis] = C.int64_t(p.Shape[spatial+axis])
	}
	if p.X.PerChannel {
		c.x_scale_count = C.int32_t(min(c.channels, 1<<31-1))
	}
	if p.Y.PerChannel {
		c.y_scale_count = C.int32_t(min(c.channels, 1<<31-1))
	}
}

// set copies an attribute that was given.
func set(name string, values []int, to []C.int64_t) error {
	if len(values) == 0 {
		return nil
	}
	if len(values) != len(to) {
		return fmt.Errorf("lanepool: %s has %d entries; it must have %d", name, len(values), len(to))
	}
	for i, value := range values {
		to[i] = C.int64_t(value)
	}
	return nil
}

func (p *Params) setWindows(c *C.lanepool_params, rank int) error {
	var pads [2 * rankLimit]C.int64_t
	attributes := []struct {
		name   string
		values []int
		to     []C.int64_t
	}{
		{"Kernel", p.Kernel, c.kernel[:rank]},
		{"Strides", p.Strides, c.strides[:rank]},
		{"Dilations", p.Dilations, c.dilations[:rank]},
		{"OutputSize", p.OutputSize, c.output_size[:rank]},
		{"Pads", p.Pads, pads[:2*rank]},
	}
	for _, attribute := range attributes {
		if err := set(attribute.name, attribute.values, attribute.to); err != nil {
			return err
		}
	}
	copy(c.pads_begin[:rank], pads[:rank])
	copy(c.pads_end[:rank], pads[rank:2*rank])
	return nil
}

// setViews sorts strides as setShape sorts sizes.
func (p *Params) setViews(c *C.lanepool_params, rank int) error {
	channels, spatial := p.Layout.places(rank)
	views := []struct {
		name    string
		strides []int
		to      *[axesOfViews]C.int64_t
	}{
		{"XStrides", p.XStrides, &c.x_strides},
		{"YStrides", p.YStrides, &c.y_strides},
		{"IndexStrides", p.IndexStrides, &c.index_strides},
	}
	for _, view := range views {
		var given [axesOfViews]C.int64_t
		if err := set(view.name, view.strides, given[:rank+2]); err != nil {
			return err
		}
		view.to[0], view.to[1] = given[0], given[channels]
		copy(view.to[2:], given[spatial:spatial+rank])
	}
	return nil
}

// errorOf makes an error of a report.
func errorOf(report *C.lanepool_error) error {
	var text [256]C.char
	C.lanepool_error_format(report, &text[0], C.size_t(len(text)))
	sentence := C.GoString(&text[0])
	field := sentence
	for i, letter := range sentence {
		if letter == '[' || letter == ' ' {
			field = sentence[:i]
			break
		}
	}
	return &Error{
		Status: Status(report.status), Field: field, Axis: int(report.axis),
		Value: int64(report.value), Real: float64(report.real), Limit: int64(report.limit),
		text: sentence,
	}
}

// String is the name in the C interface, as "KERNEL".
func (s Status) String() string { return C.GoString(C.lanepool_status_name(C.int32_t(s))) }
