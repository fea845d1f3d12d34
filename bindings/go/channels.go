package lanepool

/*
#include <lanepool/lanepool.h>
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Channels has scales and zero points, one for each channel; nil stands for those of Params.
type Channels struct {
	XScales     []float32
	XZeroPoints []int32
	YScales     []float32
	YZeroPoints []int32
}

// setTable makes the table of per-channel quantization.
func (j *job) setTable(channels *Channels) error {
	var params C.lanepool_params
	C.lanepool_desc_params(&j.desc, &params, C.size_t(unsafe.Sizeof(params)))
	lengths := map[string]int{
		"XScales": len(channels.XScales), "XZeroPoints": len(channels.XZeroPoints),
		"YScales": len(channels.YScales), "YZeroPoints": len(channels.YZeroPoints),
	}
	for name, length := range lengths {
		if length != 0 && C.int64_t(length) != params.channels {
			return fmt.Errorf("lanepool: %s has %d entries; it must have %d", name, length,
				params.channels)
		}
	}
	var report C.lanepool_error
	table := make([]uint64, (j.desc.table_bytes+7)/8)
	status := C.lanepool_table_init(&j.desc,
		(*C.float)(unsafe.SliceData(channels.XScales)),
		(*C.int32_t)(unsafe.SliceData(channels.XZeroPoints)),
		(*C.float)(unsafe.SliceData(channels.YScales)),
		(*C.int32_t)(unsafe.SliceData(channels.YZeroPoints)),
		unsafe.Pointer(unsafe.SliceData(table)), C.size_t(8*len(table)), &report)
	if status != ok {
		return errorOf(&report)
	}
	j.table = table
	return nil
}
