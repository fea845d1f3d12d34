package lanepool

import (
	"errors"
	"math"
	"slices"
	"testing"

	"lanepool/internal/cside"
)

const strictOrder = 2 // LANEPOOL_FLAG_STRICT_ORDER

// jobOf makes a small job of some bytes, and x of the others.
func jobOf(data []byte) (*naiveJob, []byte) {
	take := func(low, high int) int {
		if len(data) == 0 {
			return low
		}
		value := low + int(data[0])%(high-low+1)
		data = data[1:]
		return value
	}
	n := &naiveJob{axes: make([]naiveAxis, take(1, 3))}
	n.batch, n.channels = take(0, 2), take(0, 5)
	n.ceil, n.counts = take(0, 1) == 1, take(0, 1) == 1
	for i := range n.axes {
		n.axes[i] = naiveAxis{take(1, 9), take(1, 4), take(1, 3), take(1, 2), take(0, 3), take(0, 3)}
	}
	length := n.batch * n.channels
	for _, axis := range n.axes {
		length *= axis.input
	}
	x := make([]byte, length)
	for i := range x {
		if len(data) > 0 {
			x[i] = data[i%len(data)] ^ byte(i*i>>3)
		}
	}
	return n, x
}

func FuzzPool(f *testing.F) {
	for seed := range 64 {
		data := make([]byte, 60)
		state := uint32(seed) * 2654435761
		for i := range data {
			state = state*1664525 + 1013904223
			data[i] = byte(state >> 24)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		job, x := jobOf(data)
		if !job.fits() {
			if _, err := New[uint8](job.params(Average)); !errors.Is(err, StatusEmptyOutput) {
				t.Fatalf("%+v: %v", job, err)
			}
			return
		}
		checkFloats(t, job, x)
		checkBytes(t, job, x)
		checkMaxima(t, job, x)
	})
}

func checkFloats(t *testing.T, job *naiveJob, bytes []byte) {
	t.Helper()
	x := make([]float32, len(bytes))
	for i, b := range bytes {
		x[i] = (float32(b) - 99) * 0.37
	}
	plan, err := New[float32](job.params(Average))
	if err != nil {
		t.Fatalf("%+v: %v", job, err)
	}
	y, parts, byC := make([]float32, plan.YLen()), make([]float32, plan.YLen()),
		make([]float32, plan.YLen())
	if err := plan.Run(x, y); err != nil {
		t.Fatalf("%+v: %v", job, err)
	}
	same := func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }
	// The sign of a zero is free.
	equal := func(a, b float32) bool { return same(a+0, b+0) }
	if expected := job.average(x); !slices.EqualFunc(y, expected, equal) {
		t.Fatalf("%+v\nis     %v\nnot as %v", job, y, expected)
	}
	cut := plan.WorkItems() / 3
	for _, part := range [][2]int{{cut, plan.WorkItems()}, {0, cut}} {
		if err := plan.RunRange(x, parts, part[0], part[1]); err != nil {
			t.Fatalf("%+v: %v", job, err)
		}
	}
	spec, axes := job.spec(Average, typeFloat, strictOrder)
	if status := cside.Run(spec, axes, x, byC, 1); status < 0 {
		t.Fatalf("%+v: C answers %v", job, status)
	}
	if !slices.EqualFunc(y, parts, same) || !slices.EqualFunc(y, byC, same) {
		t.Fatalf("%+v\nis       %v\nin parts %v\nby C     %v", job, y, parts, byC)
	}
}

func checkBytes(t *testing.T, job *naiveJob, x []byte) {
	t.Helper()
	params := job.params(Average)
	params.StrictOrder = false
	plan, err := New[uint8](params)
	if err != nil {
		t.Fatalf("%+v: %v", job, err)
	}
	y, byC := make([]uint8, plan.YLen()), make([]uint8, plan.YLen())
	if err := plan.Run(x, y); err != nil {
		t.Fatalf("%+v: %v", job, err)
	}
	spec, axes := job.spec(Average, typeUint8, 0)
	if status := cside.Run(spec, axes, x, byC, 1); status < 0 {
		t.Fatalf("%+v: C answers %v", job, status)
	}
	if expected := job.averageOfBytes(x); !slices.Equal(y, expected) || !slices.Equal(y, byC) {
		t.Fatalf("%+v\nis     %v\nnot as %v\nby C   %v", job, y, expected, byC)
	}
}

func checkMaxima(t *testing.T, job *naiveJob, bytes []byte) {
	t.Helper()
	x := make([]int16, len(bytes))
	for i, b := range bytes {
		x[i] = int16(b)*100 - 9000
	}
	params := job.params(Max)
	params.StrictOrder = false
	plan, err := NewIndexed[int16, int64](params)
	if err != nil {
		t.Fatalf("%+v: %v", job, err)
	}
	y, index := make([]int16, plan.YLen()), make([]int64, plan.IndexLen())
	if err := plan.Run(x, y, index); err != nil {
		t.Fatalf("%+v: %v", job, err)
	}
	expected, places := job.max(x)
	if !slices.Equal(y, expected) || !slices.Equal(index, places) {
		t.Fatalf("%+v\nis     %v at %v\nnot as %v at %v", job, y, index, expected, places)
	}
}
