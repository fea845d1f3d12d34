//go:build race

package lanepool

const raceEnabled = true
