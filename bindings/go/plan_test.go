package lanepool

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// average is 3x3 with stride 1 and pads of 1, in one to three axes.
func average(shape ...int) Params {
	kernel, pads := make([]int, len(shape)-2), make([]int, 2*(len(shape)-2))
	for axis := range kernel {
		kernel[axis], pads[axis], pads[len(kernel)+axis] = 3, 1, 1
	}
	return Params{Op: Average, Shape: shape, Kernel: kernel, Pads: pads}
}

// must is for jobs that are right.
func must[P any](plan P, err error) P {
	if err != nil {
		panic(err)
	}
	return plan
}

func noise(length int) []float32 {
	x, state := make([]float32, length), uint32(1)
	for i := range x {
		state = state*1664525 + 1013904223
		x[i] = float32(state>>8)/7e6 - 1
	}
	return x
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	params := average(1, 1, 9, 9)
	params.Strides = []int{1, -3}
	_, err := New[float32](params)
	var e *Error
	if !errors.As(err, &e) || !errors.Is(err, StatusStride) {
		t.Fatalf("%v", err)
	}
	if e.Field != "strides" || e.Axis != 1 || e.Value != -3 || e.Limit != 1 {
		t.Errorf("%+v", e)
	}
	if err.Error() != "lanepool: strides[1] is -3; it must be at least 1" {
		t.Error(err)
	}
	if _, err := New[int32](average(1, 1, 9)); !errors.Is(err, StatusType) {
		t.Error(err)
	}
	if StatusKernel.Error() != "lanepool: KERNEL" {
		t.Error(StatusKernel)
	}
	for _, shape := range [][]int{nil, {1, 1}, {1, 1, 1, 1, 1, 1}} {
		if _, err := New[float32](Params{Op: Max, Shape: shape}); err == nil {
			t.Errorf("%v is a shape", shape)
		}
	}
	params = average(1, 1, 9, 9)
	params.Pads = []int{1, 1}
	if _, err := New[float32](params); err == nil ||
		err.Error() != "lanepool: Pads has 2 entries; it must have 4" {
		t.Error(err)
	}
	if _, err := New[float32](Params{Dialect: 99, Shape: []int{1, 1, 1}}); err == nil {
		t.Error("99 is a dialect")
	}
}

func TestStatusesAreThoseOfC(t *testing.T) {
	names := map[Status]string{
		statusNull: "NULL", StatusType: "TYPE", StatusKernel: "KERNEL", StatusStride: "STRIDE",
		StatusPad: "PAD", StatusOverflow: "OVERFLOW", StatusEmptyOutput: "EMPTY_OUTPUT",
		StatusEmptyWindow: "EMPTY_WINDOW", StatusView: "VIEW", StatusScale: "SCALE",
		StatusZeroPoint: "ZERO_POINT", StatusUnsupported: "UNSUPPORTED", StatusXSize: "X_SIZE",
		StatusYSize: "Y_SIZE", StatusIndexSize: "INDEX_SIZE", StatusOverlap: "OVERLAP",
		StatusRange: "RANGE", StatusTable: "TABLE", StatusIndex: "INDEX",
	}
	for status, name := range names {
		if status.String() != name {
			t.Errorf("%d is %v, not %v", status, status, name)
		}
	}
}

func TestSlicesAreChecked(t *testing.T) {
	plan := must(New[float32](average(1, 1, 4, 4)))
	x, y := make([]float32, 16), []float32{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}
	before := slices.Clone(y)
	short := func(err error, status Status, field string, given int64) {
		t.Helper()
		var e *Error
		if !errors.As(err, &e) || e.Status != status || e.Field != field || e.Value != given {
			t.Errorf("%+v", err)
		}
	}
	short(plan.Run(x[:15], y), StatusXSize, "x", 60)
	short(plan.Run(x, y[:15]), StatusYSize, "y", 60)
	short(plan.Run(nil, y), statusNull, "x", 0)
	short(plan.Run(x, nil), statusNull, "y", 0)
	short(plan.RunRange(x, y, -1, 1), StatusRange, "range", -1)
	short(plan.RunRange(x, y, 0, plan.WorkItems()+1), StatusRange, "range", 0)
	if err := plan.Run(y, y); !errors.Is(err, StatusOverlap) {
		t.Error(err)
	}
	if !slices.Equal(y, before) {
		t.Error("a refused call has written")
	}
	indexed := must(NewIndexed[float32, int32](Params{Op: Max, Shape: []int{1, 1, 4}, Kernel: []int{2}}))
	short(indexed.Run(x, y, make([]int32, 2)), StatusIndexSize, "index", 8)
	short(indexed.Run(x, y, nil), statusNull, "index", 0)
	if err := plan.Run(append(x, 1), y); err != nil {
		t.Error(err)
	}
	empty := must(New[float32](average(0, 3, 4, 4)))
	if err := empty.Run(nil, nil); err != nil {
		t.Error(err)
	}
}

func TestUnpoolingIsTheWayBack(t *testing.T) {
	params := Params{Op: Max, Shape: []int{1, 1, 4}, Kernel: []int{2}, Strides: []int{2}}
	pool := must(NewIndexed[uint8, int64](params))
	y, index := make([]uint8, 2), make([]int64, 2)
	if err := pool.Run([]uint8{1, 5, 4, 2}, y, index); err != nil {
		t.Fatal(err)
	}
	params.Op, params.Shape = MaxUnpool, []int{1, 1, 2}
	unpool := must(NewIndexed[uint8, int64](params))
	back := make([]uint8, unpool.YLen())
	if err := unpool.Run(y, back, index); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back, []uint8{0, 5, 4, 0}) {
		t.Error(back)
	}
	if err := unpool.Run(y, back, []int64{1, 4}); !errors.Is(err, StatusIndex) {
		t.Error(err)
	}
}

func TestChannelsHaveScalesOfTheirOwn(t *testing.T) {
	params := Params{
		Op: Average, Shape: []int{1, 2, 2}, Kernel: []int{2},
		X: Quantization{PerChannel: true}, Y: Quantization{Scale: 0.5, ZeroPoint: 1},
	}
	plan := must(New[uint8](params))
	x, y := []uint8{1, 3, 5, 7}, make([]uint8, 2)
	if err := plan.Run(x, y); !errors.Is(err, StatusTable) {
		t.Error(err)
	}
	scaled := must(plan.WithChannels(Channels{XScales: []float32{1, 2}}))
	if err := scaled.Run(x, y); err != nil || !slices.Equal(y, []uint8{5, 25}) {
		t.Error(y, err)
	}
	if _, err := plan.WithChannels(Channels{XScales: []float32{1}}); err == nil {
		t.Error("one scale is enough for two channels")
	}
	if _, err := plan.WithChannels(Channels{XScales: []float32{1, -1}}); !errors.Is(err, StatusScale) {
		t.Error(err)
	}
}

func TestTypesAndConversions(t *testing.T) {
	halves := must(New[Float16](Params{Op: Average, Shape: []int{1, 1, 2}, Global: true}))
	y := make([]Float16, 1)
	if err := halves.Run([]Float16{0x3C00, 0x4200}, y); err != nil || y[0] != 0x4000 {
		t.Errorf("%#x %v", y, err) // 1 and 3 average to 2
	}
	brain := must(New[BFloat16](Params{Op: Max, Shape: []int{1, 1, 2}, Global: true}))
	z := make([]BFloat16, 1)
	if err := brain.Run([]BFloat16{0x3F80, 0x4040}, z); err != nil || z[0] != 0x4040 {
		t.Errorf("%#x %v", z, err)
	}
	bytes := must(NewConverting[float32, int8](Params{
		Op: Max, Shape: []int{1, 1, 3}, Global: true, Y: Quantization{Scale: 0.5, ZeroPoint: -3},
		Clamp: &[2]float64{-10, 6},
	}))
	w := make([]int8, 1)
	if err := bytes.Run([]float32{1, 2, -9}, w); err != nil || w[0] != 1 {
		t.Error(w, err)
	}
	if text := bytes.String(); !strings.HasPrefix(text, "global max f32->s8 nchw 1d") {
		t.Error(text)
	}
}

func TestViewsAreSortedByLayout(t *testing.T) {
	plan := must(New[uint8](Params{
		Op: Max, Layout: NHWC, Shape: []int{1, 3, 2}, Kernel: []int{1}, YStrides: []int{12, 4, 1},
	}))
	y := slices.Repeat([]uint8{9}, 10)
	if err := plan.Run([]uint8{1, 2, 3, 4, 5, 6}, y); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(y, []uint8{1, 2, 9, 9, 3, 4, 9, 9, 5, 6}) {
		t.Error(y)
	}
}

// plansOfAllKinds: without workspace, and with.
func plansOfAllKinds(t testing.TB) map[string]*Plan[float32, float32] {
	wide := Params{Op: Sum, Shape: []int{2, 3, 1000}, Kernel: []int{65}}
	plans := map[string]*Plan[float32, float32]{
		"plain":     must(New[float32](average(2, 16, 35, 35))),
		"workspace": must(New[float32](wide)),
	}
	if plans["workspace"].WorkspaceBytes() == 0 {
		t.Fatal("the plan with a workspace has none")
	}
	return plans
}

func TestCallsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool forget on purpose")
	}
	for name, plan := range plansOfAllKinds(t) {
		x, y := noise(plan.XLen()), make([]float32, plan.YLen())
		run := func() {
			if plan.Run(x, y) != nil || plan.RunRange(x, y, 0, plan.WorkItems()/2) != nil {
				t.Fatal("a call is refused")
			}
		}
		if count := testing.AllocsPerRun(100, run); count != 0 {
			t.Errorf("%s: %v allocations per call", name, count)
		}
	}
	sum := must(New[float32](Params{Op: Sum, Shape: []int{1, 1, 4}, Global: true}))
	onStack := func() {
		x, y := [4]float32{1, 2, 3, 4}, [1]float32{}
		if sum.Run(x[:], y[:]) != nil || y[0] != 10 {
			t.Fatal(y)
		}
	}
	if count := testing.AllocsPerRun(100, onStack); count != 0 {
		t.Errorf("buffers on the stack: %v allocations per call", count)
	}
	indexed := must(NewIndexed[float32, int64](Params{Op: Max, Shape: []int{1, 1, 9}, Kernel: []int{2}}))
	x, y, index := noise(9), make([]float32, 8), make([]int64, 8)
	if count := testing.AllocsPerRun(100, func() { _ = indexed.Run(x, y, index) }); count != 0 {
		t.Errorf("indexed: %v allocations per call", count)
	}
}

func TestGoroutinesShareAPlan(t *testing.T) {
	for name, plan := range plansOfAllKinds(t) {
		x := noise(plan.XLen())
		whole, shared := make([]float32, plan.YLen()), make([]float32, plan.YLen())
		if err := plan.Run(x, whole); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for begin := range plan.WorkItems() {
			group.Add(1)
			go func() {
				defer group.Done()
				if err := plan.RunRange(x, shared, begin, begin+1); err != nil {
					t.Error(err)
				}
			}()
		}
		group.Wait()
		if !slices.Equal(shared, whole) {
			t.Errorf("%s: parts differ from the whole", name)
		}
	}
}

// The stack of a goroutine moves while its calls run: buffers on it must not be lost.
func TestBuffersOnTheStack(t *testing.T) {
	plan := must(New[float32](Params{Op: Sum, Shape: []int{1, 1, 4}, Global: true}))
	var deep func(depth int) float32
	deep = func(depth int) float32 {
		x, y := [4]float32{1, 2, 3, float32(depth)}, [1]float32{}
		if depth > 0 {
			x[0] += deep(depth-1) * 0
		}
		if err := plan.Run(x[:], y[:]); err != nil {
			t.Fatal(err)
		}
		return y[0]
	}
	done := make(chan float32)
	go func() { done <- deep(3000) }()
	runtime.GC()
	if sum := <-done; sum != 3006 {
		t.Error(sum)
	}
}

func TestReadmeHasTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("examples/minimal/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```go\n"+string(example)+"```") {
		t.Error("README.md does not show examples/minimal/main.go as it is")
	}
	if !strings.HasPrefix(Version(), "0.1.") {
		t.Error(Version())
	}
}
