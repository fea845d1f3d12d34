package main

func Example() {
	main()
	// Output: [3 4.5 6 10.5 12 13.5 18 19.5 21]
}
