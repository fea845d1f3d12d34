// Photograph halves an image: every pixel of the result is the mean of 2x2 pixels.
//
//	photograph IN.png|IN.jpg OUT.png
package main

import (
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // reads JPEG, too
	"image/png"
	"log"
	"os"

	"lanepool"
)

// halve pools the pixels where they are: an image.NRGBA is a tensor in NHWC with four channels,
// whose rows are Stride bytes apart.
func halve(in *image.NRGBA) (*image.NRGBA, error) {
	size := in.Bounds().Size()
	out := image.NewNRGBA(image.Rect(0, 0, (size.X+1)/2, (size.Y+1)/2))
	plan, err := lanepool.New[uint8](lanepool.Params{
		Op: lanepool.Average, Layout: lanepool.NHWC, Shape: []int{1, size.Y, size.X, 4},
		Kernel: []int{2, 2}, Strides: []int{2, 2}, CeilMode: lanepool.CeilOn,
		XStrides: []int{len(in.Pix), in.Stride, 4, 1},
		YStrides: []int{len(out.Pix), out.Stride, 4, 1},
	})
	if err != nil {
		return nil, err
	}
	first := in.PixOffset(in.Rect.Min.X, in.Rect.Min.Y)
	return out, plan.Run(in.Pix[first:], out.Pix)
}

// toNRGBA keeps the pixels of an image that has them in this order, and converts others.
func toNRGBA(in image.Image) *image.NRGBA {
	if same, ok := in.(*image.NRGBA); ok {
		return same
	}
	out := image.NewNRGBA(in.Bounds())
	draw.Draw(out, out.Bounds(), in, in.Bounds().Min, draw.Src)
	return out
}

func run(from, to string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	in, _, err := image.Decode(file)
	if err != nil {
		return err
	}
	half, err := halve(toNRGBA(in))
	if err != nil {
		return err
	}
	result, err := os.Create(to)
	if err != nil {
		return err
	}
	if err := png.Encode(result, half); err != nil {
		result.Close()
		return err
	}
	fmt.Printf("%s: %v, %s: %v\n", from, in.Bounds().Size(), to, half.Bounds().Size())
	return result.Close()
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: photograph IN OUT.png")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}
