//go:build !lanepool_flags

package lanepool

// #cgo pkg-config: lanepool
import "C"
