module lanepool

go 1.24
