package lanepool

// Float16 holds the bits of an IEEE binary16.
type Float16 uint16

// BFloat16 holds the upper half of the bits of a float32.
type BFloat16 uint16

// Element is a number that tensors can be made of.
type Element interface {
	float32 | float64 | uint8 | int8 | uint16 | int16 | int32 | Float16 | BFloat16
}

// Index is a number that says where a maximum was.
type Index interface{ int32 | int64 }

// The numbers of ONNX TensorProto.DataType.
const (
	typeFloat    int32 = 1
	typeUint8    int32 = 2
	typeInt8     int32 = 3
	typeUint16   int32 = 4
	typeInt16    int32 = 5
	typeInt32    int32 = 6
	typeInt64    int32 = 7
	typeFloat16  int32 = 10
	typeDouble   int32 = 11
	typeBFloat16 int32 = 16
)

func codeOf[T Element]() int32 {
	var zero T
	switch any(zero).(type) {
	case float32:
		return typeFloat
	case float64:
		return typeDouble
	case uint8:
		return typeUint8
	case int8:
		return typeInt8
	case uint16:
		return typeUint16
	case int16:
		return typeInt16
	case int32:
		return typeInt32
	case Float16:
		return typeFloat16
	}
	return typeBFloat16
}

func indexCodeOf[I Index]() int32 {
	var zero I
	if _, narrow := any(zero).(int32); narrow {
		return typeInt32
	}
	return typeInt64
}
