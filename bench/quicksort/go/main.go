package main

import (
	contender "filch/bench/harness/go"
	"sort"
	"sync"
)

const insertionSize = 24

func insertionSort(values []uint64) {
	for i := 1; i < len(values); i++ {
		value, gap := values[i], i
		for ; gap > 0 && value < values[gap-1]; gap-- {
			values[gap] = values[gap-1]
		}
		values[gap] = value
	}
}

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
	if len(values) <= insertionSize {
		insertionSort(values)
		return
	}
	middle := partition(values)
	var other sync.WaitGroup
	other.Add(1)
	go func() {
		quicksort(values[middle:])
		other.Done()
	}()
	quicksort(values[:middle])
	other.Wait()
}

func main() {
	me := contender.New("quicksort", 10_000_000)
	input, random := make([]uint64, me.Size), contender.SplitMix64(1)
	for i := range input {
		input[i] = random.Next()
	}
	expected := append([]uint64(nil), input...)
	sort.Slice(expected, func(i, j int) bool { return expected[i] < expected[j] })
	contender.Measure(me, func() []uint64 { return append([]uint64(nil), input...) },
		func(values []uint64) bool { quicksort(values); return true },
		func(values []uint64, _ bool) bool {
			for i := range values {
				if values[i] != expected[i] {
					return false
				}
			}
			return true
		})
	me.Exit()
}
