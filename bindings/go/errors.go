package lanepool

// Status is the kind of a refusal, the number of the C interface: LANEPOOL_KERNEL and so on. It is
// an error itself, for errors.Is.
type Status int32

// The statuses that a program may want to tell apart.
const (
	statusNull        Status = 1
	StatusType        Status = 4
	StatusKernel      Status = 8
	StatusStride      Status = 9
	StatusPad         Status = 11
	StatusOverflow    Status = 14
	StatusEmptyOutput Status = 15
	StatusEmptyWindow Status = 16
	StatusView        Status = 17
	StatusScale       Status = 18
	StatusZeroPoint   Status = 19
	StatusUnsupported Status = 22
	StatusXSize       Status = 24
	StatusYSize       Status = 25
	StatusIndexSize   Status = 26
	StatusOverlap     Status = 29
	StatusRange       Status = 30
	StatusTable       Status = 31
	StatusIndex       Status = 32
)

// Error implements error.
func (s Status) Error() string { return "lanepool: " + s.String() }

// Error says why a job or a call was refused.
type Error struct {
	Status Status
	Field  string  // which field or argument
	Axis   int     // entry of that field, or channel; -1 without
	Value  int64   // the offending value
	Real   float64 // the same of a floating-point field
	Limit  int64   // what it was held against
	text   string
}

// Error is a sentence as "lanepool: kernel[1] is 0; it must be at least 1".
func (e *Error) Error() string {
	if e.text == "" {
		return e.Status.Error() + " of " + e.Field
	}
	return "lanepool: " + e.text
}

// Unwrap gives the Status, so that errors.Is(err, lanepool.StatusKernel) can be asked.
func (e *Error) Unwrap() error { return e.Status }
