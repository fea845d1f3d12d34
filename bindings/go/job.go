package lanepool

/*
#include <lanepool/lanepool.h>
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

// job is a plan whatever its types.
type job struct {
	desc       C.lanepool_desc
	table      []uint64   // of per-channel quantization, or nil
	workspaces *sync.Pool // of *[]byte; nil when none is needed
}

// buffers are the arguments of a call.
type buffers struct {
	x, y, index                unsafe.Pointer
	xBytes, yBytes, indexBytes uintptr
}

func (j *job) plan(params *Params, xType, yType, indexType int32) error {
	c, err := params.cParams(C.int32_t(xType), C.int32_t(yType), C.int32_t(indexType))
	if err != nil {
		return err
	}
	var report C.lanepool_error
	if C.lanepool_plan(&c, &j.desc, &report) != ok {
		return errorOf(&report)
	}
	if size := int(j.desc.workspace_bytes); size > 0 {
		j.workspaces = &sync.Pool{New: func() any {
			workspace := make([]byte, size)
			return &workspace
		}}
	}
	return nil
}

// WorkItems is into how many parts the work can be split.
func (j *job) WorkItems() int { return int(j.desc.work_items) }

// OutputSize has the spatial sizes of y.
func (j *job) OutputSize() []int {
	sizes := make([]int, j.desc.rank)
	for axis := range sizes {
		sizes[axis] = int(j.desc.output[axis])
	}
	return sizes
}

// WorkspaceBytes is the size of the scratch of a call, which Run provides; may be 0.
func (j *job) WorkspaceBytes() int { return int(j.desc.workspace_bytes) }

// HasEmptyWindows says whether some window has no tap inside the input.
func (j *job) HasEmptyWindows() bool { return j.desc.has_empty_windows != 0 }

// String explains the plan in a line, as "average f32 nhwc 2d 3x3/1: columns, AVX3".
func (j *job) String() string {
	var text [512]C.char
	C.lanepool_explain(&j.desc, &text[0], C.size_t(len(text)))
	return C.GoString(&text[0])
}

// run does all of the work.
func (j *job) run(b buffers) error {
	if j.workspaces != nil || j.table != nil {
		return j.runRange(b, 0, j.WorkItems())
	}
	status := C.lanepool_run(&j.desc, b.x, C.size_t(b.xBytes), b.y, C.size_t(b.yBytes),
		b.index, C.size_t(b.indexBytes), nil, 0)
	if status == ok {
		return nil
	}
	return j.failure(status, &b, 0, j.WorkItems())
}

func (j *job) runRange(b buffers, begin, end int) error {
	var scratch unsafe.Pointer
	if j.workspaces != nil {
		workspace := j.workspaces.Get().(*[]byte)
		defer j.workspaces.Put(workspace)
		scratch = unsafe.Pointer(unsafe.SliceData(*workspace))
	}
	status := C.lanepool_run_table(&j.desc,
		unsafe.Pointer(unsafe.SliceData(j.table)), C.size_t(8*len(j.table)),
		b.x, C.size_t(b.xBytes), b.y, C.size_t(b.yBytes), b.index, C.size_t(b.indexBytes),
		scratch, C.size_t(j.desc.workspace_bytes), C.int64_t(begin), C.int64_t(end))
	if status == ok {
		return nil
	}
	return j.failure(status, &b, begin, end)
}

// failure says which argument was wrong.
func (j *job) failure(status C.int32_t, b *buffers, begin, end int) error {
	e := &Error{Status: Status(status), Axis: -1}
	size := func(field string, given uintptr, needed C.int64_t) {
		e.Field, e.Value, e.Limit = field, int64(given), int64(needed)
		e.text = fmt.Sprintf("%s has %d bytes; it must have at least %d", field, given, needed)
	}
	switch e.Status {
	case StatusXSize:
		size("x", b.xBytes, j.desc.x_bytes)
	case StatusYSize:
		size("y", b.yBytes, j.desc.y_bytes)
	case StatusIndexSize:
		size("index", b.indexBytes, j.desc.index_bytes)
	case statusNull: // of an empty slice
		switch {
		case b.x == nil && j.desc.x_bytes > 0:
			size("x", 0, j.desc.x_bytes)
		case b.y == nil && j.desc.y_bytes > 0:
			size("y", 0, j.desc.y_bytes)
		default:
			size("index", b.indexBytes, j.desc.index_bytes)
		}
	case StatusRange:
		e.Field, e.Value, e.Limit = "range", int64(begin), int64(j.desc.work_items)
		e.text = fmt.Sprintf("%d to %d is not a part of the %d work items", begin, end,
			j.desc.work_items)
	default:
		e.Field = "call"
	}
	return e
}
