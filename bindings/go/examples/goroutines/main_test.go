package main

func Example() {
	main()
	// Output: the same bytes: true
}
