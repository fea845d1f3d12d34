package lanepool

import "lanepool/internal/cside"

// naiveJob pools as a plain loop does, by the rules in docs/semantics.md: dense NCHW.
type naiveJob struct {
	batch, channels int
	axes            []naiveAxis
	ceil, counts    bool // ceil_mode, count_include_pad
}

type naiveAxis struct{ input, kernel, stride, dilation, begin, end int }

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}

// output is 0 or less where the kernel does not fit.
func (a naiveAxis) output(ceil bool) int {
	room := a.input + a.begin + a.end - (a.kernel-1)*a.dilation - 1
	if !ceil {
		return floorDiv(room, a.stride) + 1
	}
	out := -floorDiv(-room, a.stride) + 1
	if (out-1)*a.stride >= a.input+a.begin {
		out--
	}
	return out
}

// taps has the positions inside the input, and how many taps count when pads do.
func (a naiveAxis) taps(o int) (inside []int, counted int) {
	for j := range a.kernel {
		t := o*a.stride - a.begin + j*a.dilation
		if t >= 0 && t < a.input {
			inside = append(inside, t)
		}
		if t < a.input+a.end {
			counted++
		}
	}
	return inside, counted
}

func (n *naiveJob) fits() bool {
	for _, axis := range n.axes {
		if axis.output(n.ceil) < 1 {
			return false
		}
	}
	return true
}

func (n *naiveJob) params(op Op) Params {
	p := Params{Op: op, Shape: []int{n.batch, n.channels}, Divisor: ExcludePad, StrictOrder: true}
	var ends []int
	for _, a := range n.axes {
		p.Shape = append(p.Shape, a.input)
		p.Kernel = append(p.Kernel, a.kernel)
		p.Strides = append(p.Strides, a.stride)
		p.Dilations = append(p.Dilations, a.dilation)
		p.Pads = append(p.Pads, a.begin)
		ends = append(ends, a.end)
	}
	p.Pads = append(p.Pads, ends...)
	if n.ceil {
		p.CeilMode = CeilOn
	}
	if n.counts {
		p.Divisor = IncludePad
	}
	return p
}

// windows calls fold for every element of y, in order.
func (n *naiveJob) windows(fold func(element int, positions []int, divisor int)) int {
	outputs, area := 1, 1
	for _, axis := range n.axes {
		outputs *= axis.output(n.ceil)
		area *= axis.input
	}
	element := 0
	for plane := range n.batch * n.channels {
		for place := range outputs {
			positions, divisor, rest := []int{0}, 1, outputs
			left := place
			for _, axis := range n.axes {
				rest /= axis.output(n.ceil)
				inside, counted := axis.taps(left / rest)
				left %= rest
				var next []int
				for _, position := range positions {
					for _, tap := range inside {
						next = append(next, position*axis.input+tap)
					}
				}
				positions, divisor = next, divisor*counted
			}
			if !n.counts {
				divisor = len(positions)
			}
			for i := range positions {
				positions[i] += plane * area
			}
			fold(element, positions, divisor)
			element++
		}
	}
	return element
}

func (n *naiveJob) average(x []float32) []float32 {
	var y []float32
	n.windows(func(_ int, positions []int, divisor int) {
		var sum float32
		for _, position := range positions {
			sum += x[position]
		}
		if len(positions) > 0 {
			sum /= float32(divisor)
		}
		y = append(y, sum)
	})
	return y
}

func (n *naiveJob) averageOfBytes(x []uint8) []uint8 {
	var y []uint8
	n.windows(func(_ int, positions []int, divisor int) {
		sum := 0
		for _, position := range positions {
			sum += int(x[position])
		}
		mean := 0
		if len(positions) > 0 {
			mean = sum / divisor
			if rest := 2 * (sum % divisor); rest > divisor || rest == divisor && mean%2 == 1 {
				mean++ // to the nearest, ties to even
			}
		}
		y = append(y, uint8(mean))
	})
	return y
}

func (n *naiveJob) max(x []int16) (y []int16, index []int64) {
	n.windows(func(_ int, positions []int, _ int) {
		best, at := int16(-1<<15), int64(-1)
		for _, position := range positions {
			if at < 0 || x[position] > best {
				best, at = x[position], int64(position)
			}
		}
		y, index = append(y, best), append(index, at)
	})
	return y, index
}

// spec is the same job in the numbers of the C interface.
func (n *naiveJob) spec(op Op, code int32, flags int64) (cside.Spec, [3]cside.Axis) {
	spec := cside.Spec{
		Op: int64(op), Layout: 1, Type: int64(code), Rank: int64(len(n.axes)),
		Batch: int64(n.batch), Channels: int64(n.channels), Flags: flags,
	}
	if n.ceil {
		spec.CeilMode = 1
	}
	if n.counts {
		spec.Divisor = 1
	}
	var axes [3]cside.Axis
	for i, a := range n.axes {
		axes[i] = cside.Axis{
			Input: int64(a.input), Kernel: int64(a.kernel), Stride: int64(a.stride),
			Dilation: int64(a.dilation), PadBegin: int64(a.begin), PadEnd: int64(a.end),
		}
	}
	return spec, axes
}
