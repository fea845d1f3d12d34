package main

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

func photograph() *image.NRGBA {
	in := image.NewNRGBA(image.Rect(-3, 5, 38, 34)) // 41x29: the last windows hang over
	state := uint32(1)
	for i := range in.Pix {
		state = state*1664525 + 1013904223
		in.Pix[i] = byte(state >> 24)
	}
	return in
}

// mean of those of 2x2 pixels that there are, to the nearest, ties to even.
func mean(in *image.NRGBA, x, y int) color.NRGBA {
	var sum [4]int
	count := 0
	for j := y; j < min(y+2, in.Rect.Max.Y); j++ {
		for i := x; i < min(x+2, in.Rect.Max.X); i++ {
			pixel := in.NRGBAAt(i, j)
			for c, value := range [4]uint8{pixel.R, pixel.G, pixel.B, pixel.A} {
				sum[c] += int(value)
			}
			count++
		}
	}
	var result [4]uint8
	for c, s := range sum {
		quotient, rest := s/count, 2*(s%count)
		if rest > count || rest == count && quotient%2 == 1 {
			quotient++
		}
		result[c] = uint8(quotient)
	}
	return color.NRGBA{result[0], result[1], result[2], result[3]}
}

func check(t *testing.T, in, out *image.NRGBA) {
	t.Helper()
	if size := out.Bounds().Size(); size != in.Bounds().Size().Add(image.Pt(1, 1)).Div(2) {
		t.Fatal(size)
	}
	for y := range out.Bounds().Dy() {
		for x := range out.Bounds().Dx() {
			expected := mean(in, in.Rect.Min.X+2*x, in.Rect.Min.Y+2*y)
			if got := out.NRGBAAt(x, y); got != expected {
				t.Fatalf("(%d, %d) is %v, not %v", x, y, got, expected)
			}
		}
	}
}

func TestHalve(t *testing.T) {
	in := photograph()
	part := in.SubImage(image.Rect(2, 9, 25, 30)).(*image.NRGBA) // a view with longer rows
	for _, image := range []*image.NRGBA{in, part} {
		out, err := halve(image)
		if err != nil {
			t.Fatal(err)
		}
		check(t, image, out)
	}
}

func TestFiles(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "in.png"), filepath.Join(t.TempDir(), "out.png")
	file, err := os.Create(from)
	if err != nil {
		t.Fatal(err)
	}
	in := photograph()
	if err := png.Encode(file, in); err != nil {
		t.Fatal(err)
	}
	file.Close()
	if err := run(from, to); err != nil {
		t.Fatal(err)
	}
	result, err := os.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	out, err := png.Decode(result)
	if err != nil {
		t.Fatal(err)
	}
	in.Rect = image.Rect(0, 0, 41, 29)
	check(t, in, toNRGBA(out))
}
