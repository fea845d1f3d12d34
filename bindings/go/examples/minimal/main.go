// Average pooling, 3x3 with stride 2 and pads of 1, of one 5x5 channel.
package main

import (
	"fmt"
	"log"

	"lanepool"
)

func main() {
	x, y := make([]float32, 5*5), make([]float32, 3*3)
	for i := range x {
		x[i] = float32(i)
	}
	plan, err := lanepool.New[float32](lanepool.Params{
		Op: lanepool.Average, Shape: []int{1, 1, 5, 5},
		Kernel: []int{3, 3}, Strides: []int{2, 2}, Pads: []int{1, 1, 1, 1},
	})
	if err == nil {
		err = plan.Run(x, y)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(y)
}
