//go:build !lanepool_flags

package cside

// #cgo pkg-config: lanepool
import "C"
