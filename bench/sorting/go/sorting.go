// Package sorting is what problem.hpp is to the C++ contenders: the input, how to tell that it was sorted, and how to sort a few.
package sorting

import (
	contender "filch/bench/harness/go"
	"sort"
)

// InsertionSize is the length below which an insertion sort wins over any recursion.
const InsertionSize = 24

func InsertionSort(values []uint64) {
	for i := 1; i < len(values); i++ {
		value, gap := values[i], i
		for ; gap > 0 && value < values[gap-1]; gap-- {
			values[gap] = values[gap-1]
		}
		values[gap] = value
	}
}

// Measure times sorting of random numbers, the same in every repeat, and ends the program.
func Measure(me *contender.Contender, sortAll func([]uint64)) {
	input, random := make([]uint64, me.Size), contender.SplitMix64(1)
	for i := range input {
		input[i] = random.Next()
	}
	expected := append([]uint64(nil), input...)
	sort.Slice(expected, func(i, j int) bool { return expected[i] < expected[j] })
	contender.Measure(me, func() []uint64 { return append([]uint64(nil), input...) },
		func(values []uint64) bool { sortAll(values); return true },
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
