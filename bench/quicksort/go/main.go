package main

import (
	contender "filch/bench/harness/go"
	sorting "filch/bench/sorting/go"
)

func medianOfThree(a, b, c uint64) uint64 {
	if a > b {
		a, b = b, a
	}
	if c < a {
		return a
	}
	if c < b {
		return c
	}
	return b
}

// As in problem.hpp: Hoare's, around the median of three.
func partition(values []uint64) int {
	pivot := medianOfThree(values[0], values[len(values)/2], values[len(values)-1])
	for low, high := 0, len(values)-1; ; low, high = low+1, high-1 {
		for values[low] < pivot {
			low++
		}
		for pivot < values[high] {
			high--
		}
		if low >= high {
			if low == 0 {
				return 1
			}
			return low
		}
		values[low], values[high] = values[high], values[low]
	}
}

func quicksort(values []uint64) {
	if len(values) <= sorting.InsertionSize {
		sorting.InsertionSort(values)
		return
	}
	middle := partition(values)
	contender.Both(func() { quicksort(values[:middle]) }, func() { quicksort(values[middle:]) })
}

func main() {
	sorting.Measure(contender.New("quicksort", 10_000_000), quicksort)
}
