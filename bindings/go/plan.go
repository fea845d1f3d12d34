// Package lanepool pools tensors on CPUs: windows over tensors, exact, fast, and the same bits
// everywhere. It calls the C library of the same name, whose docs/semantics.md has the rules.
package lanepool

import "unsafe"

// Plan is a job that has been checked and prepared for an x of elements X and a y of elements Y. It
// does not change: any number of goroutines may use it at once, for outputs of their own.
type Plan[X, Y Element] struct{ job }

// New plans pooling from elements T to elements T.
func New[T Element](params Params) (*Plan[T, T], error) { return NewConverting[T, T](params) }

// NewConverting plans pooling from elements X to elements Y: between float32, uint8 and int8.
func NewConverting[X, Y Element](params Params) (*Plan[X, Y], error) {
	plan := new(Plan[X, Y])
	if err := plan.plan(&params, codeOf[X](), codeOf[Y](), 0); err != nil {
		return nil, err
	}
	return plan, nil
}

// XLen is how many elements x must have at least; it may have more.
func (p *Plan[X, Y]) XLen() int { return elements[X](int64(p.desc.x_bytes)) }

// YLen is how many elements y must have at least.
func (p *Plan[X, Y]) YLen() int { return elements[Y](int64(p.desc.y_bytes)) }

// Run pools x into y. It allocates nothing, but for workspaces of plans that need one, which are
// kept for later calls. On an error nothing is written.
func (p *Plan[X, Y]) Run(x []X, y []Y) error {
	return p.run(buffersOf(x, y))
}

// RunRange does the work items from begin to before end, for goroutines that share the work. Each
// item writes outputs of its own; any split gives the same bytes as Run.
func (p *Plan[X, Y]) RunRange(x []X, y []Y, begin, end int) error {
	return p.runRange(buffersOf(x, y), begin, end)
}

// WithChannels is the plan with scales and zero points of each channel; Params has to say
// PerChannel. nil stands for what Params has.
func (p *Plan[X, Y]) WithChannels(channels Channels) (*Plan[X, Y], error) {
	plan := &Plan[X, Y]{p.job}
	if err := plan.setTable(&channels); err != nil {
		return nil, err
	}
	return plan, nil
}

// IndexedPlan is a Plan of Max or MaxUnpool with indices of type I.
type IndexedPlan[T Element, I Index] struct{ job }

// NewIndexed plans Max with indices, or MaxUnpool.
func NewIndexed[T Element, I Index](params Params) (*IndexedPlan[T, I], error) {
	plan := new(IndexedPlan[T, I])
	if err := plan.plan(&params, codeOf[T](), codeOf[T](), indexCodeOf[I]()); err != nil {
		return nil, err
	}
	return plan, nil
}

// XLen is how many elements x must have at least.
func (p *IndexedPlan[T, I]) XLen() int { return elements[T](int64(p.desc.x_bytes)) }

// YLen is how many elements y must have at least.
func (p *IndexedPlan[T, I]) YLen() int { return elements[T](int64(p.desc.y_bytes)) }

// IndexLen is how many indices there must be at least.
func (p *IndexedPlan[T, I]) IndexLen() int { return elements[I](int64(p.desc.index_bytes)) }

// Run pools x into y, and the places of the maxima into index. A plan of MaxUnpool reads index, and
// puts the elements of x where it says.
func (p *IndexedPlan[T, I]) Run(x, y []T, index []I) error {
	return p.run(indexedBuffersOf(x, y, index))
}

// RunRange is Run of the work items from begin to before end.
func (p *IndexedPlan[T, I]) RunRange(x, y []T, index []I, begin, end int) error {
	return p.runRange(indexedBuffersOf(x, y, index), begin, end)
}

func buffersOf[X, Y Element](x []X, y []Y) buffers {
	return buffers{
		x: unsafe.Pointer(unsafe.SliceData(x)), xBytes: bytesOf(x),
		y: unsafe.Pointer(unsafe.SliceData(y)), yBytes: bytesOf(y),
	}
}

func indexedBuffersOf[T Element, I Index](x, y []T, index []I) buffers {
	b := buffersOf(x, y)
	b.index, b.indexBytes = unsafe.Pointer(unsafe.SliceData(index)), bytesOf(index)
	return b
}

func bytesOf[T any](values []T) uintptr {
	var zero T
	return uintptr(len(values)) * unsafe.Sizeof(zero)
}

func elements[T any](bytes int64) int {
	var zero T
	return int(bytes / int64(unsafe.Sizeof(zero)))
}
