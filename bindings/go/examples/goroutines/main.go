// Goroutines takes the maxima of a large tensor with as many goroutines as there are CPUs, and
// compares with one call.
package main

import (
	"fmt"
	"log"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"lanepool"
)

// partsPerWorker: some, so that a goroutine that is late holds up the others but little.
const partsPerWorker = 4

// runShared does the work of a plan with that many goroutines. Each takes the next items until
// nothing is left.
func runShared[X, Y lanepool.Element](plan *lanepool.Plan[X, Y], x []X, y []Y, workers int) error {
	items := plan.WorkItems()
	each := max(1, items/(workers*partsPerWorker))
	var next atomic.Int64
	failures := make([]error, workers)
	var group sync.WaitGroup
	for worker := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				end := int(next.Add(int64(each)))
				begin := end - each
				if begin >= items || failures[worker] != nil {
					return
				}
				failures[worker] = plan.RunRange(x, y, begin, min(end, items))
			}
		}()
	}
	group.Wait()
	for _, failure := range failures {
		if failure != nil {
			return failure
		}
	}
	return nil
}

func main() {
	plan, err := lanepool.New[float32](lanepool.Params{
		Op: lanepool.Max, Layout: lanepool.NHWC, Shape: []int{4, 112, 112, 64},
		Kernel: []int{3, 3}, Strides: []int{2, 2}, Pads: []int{1, 1, 1, 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	x := make([]float32, plan.XLen())
	for i := range x {
		x[i] = float32(i % 1009)
	}
	alone, shared := make([]float32, plan.YLen()), make([]float32, plan.YLen())
	start := time.Now()
	if err := plan.Run(x, alone); err != nil {
		log.Fatal(err)
	}
	log.Printf("one goroutine: %v", time.Since(start))
	workers := runtime.GOMAXPROCS(0)
	start = time.Now()
	if err := runShared(plan, x, shared, workers); err != nil {
		log.Fatal(err)
	}
	log.Printf("%d goroutines: %v", workers, time.Since(start))
	fmt.Println("the same bytes:", slices.Equal(alone, shared))
}
