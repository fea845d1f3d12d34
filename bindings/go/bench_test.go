package lanepool

import (
	"fmt"
	"math"
	"testing"
	"time"

	"lanepool/internal/cside"
)

// BenchmarkCall is a call with hardly anything to compute. c-ns is the same call made from C,
// over-ns what the way from Go costs more: the quickest of rounds that take turns, which other
// programs on the machine disturb least.
func BenchmarkCall(b *testing.B) {
	job := naiveJob{batch: 1, channels: 1, axes: []naiveAxis{{4, 2, 2, 1, 0, 0}, {4, 2, 2, 1, 0, 0}}}
	params := job.params(Average)
	params.StrictOrder = false
	plan := must(New[float32](params))
	x, y := noise(plan.XLen()), make([]float32, plan.YLen())
	spec, axes := job.spec(Average, typeFloat, 0)
	call := func() {
		if err := plan.Run(x, y); err != nil {
			b.Fatal(err)
		}
	}
	const rounds, calls = 200, 2000
	ofC, ofGo := math.Inf(1), math.Inf(1)
	for range rounds {
		ofC = min(ofC, cside.Run(spec, axes, x, y, calls))
		start := time.Now()
		for range calls {
			call()
		}
		ofGo = min(ofGo, float64(time.Since(start).Nanoseconds())/calls)
	}
	b.ReportAllocs()
	for b.Loop() {
		call()
	}
	b.ReportMetric(ofC, "c-ns")
	b.ReportMetric(ofGo-ofC, "over-ns")
}

// BenchmarkPlan is planning.
func BenchmarkPlan(b *testing.B) {
	params := average(1, 64, 56, 56)
	for b.Loop() {
		if _, err := New[float32](params); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPool is pooling of a feature map, beside the same as a loop in Go.
func BenchmarkPool(b *testing.B) {
	for _, layout := range []Layout{NCHW, NHWC} {
		shape := []int{1, 64, 56, 56}
		if layout == NHWC {
			shape = []int{1, 56, 56, 64}
		}
		b.Run(fmt.Sprintf("lanepool/layout=%d", layout), func(b *testing.B) {
			plan := must(New[float32](Params{
				Op: Max, Layout: layout, Shape: shape, Kernel: []int{3, 3}, Strides: []int{2, 2},
				Pads: []int{1, 1, 1, 1},
			}))
			x, y := noise(plan.XLen()), make([]float32, plan.YLen())
			b.SetBytes(int64(4 * (len(x) + len(y))))
			for b.Loop() {
				if err := plan.Run(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("loop", func(b *testing.B) {
		x, y := noise(64*56*56), make([]float32, 64*28*28)
		b.SetBytes(int64(4 * (len(x) + len(y))))
		for b.Loop() {
			maxLoop(x, y)
		}
	})
}

// maxLoop is 3x3 with stride 2 and pads of 1, over 64 planes of 56x56.
func maxLoop(x, y []float32) {
	for plane := range 64 {
		in, out := x[plane*56*56:(plane+1)*56*56], y[plane*28*28:(plane+1)*28*28]
		for i := range 28 {
			for j := range 28 {
				best := float32(math.Inf(-1))
				for h := max(0, 2*i-1); h < min(56, 2*i+2); h++ {
					for w := max(0, 2*j-1); w < min(56, 2*j+2); w++ {
						best = max(best, in[h*56+w])
					}
				}
				out[i*28+j] = best
			}
		}
	}
}
