package main

import (
	contender "filch/bench/harness/go"
	sorting "filch/bench/sorting/go"
	"sort"
)

// Below this a plain merge is quicker than two searches and a goroutine.
const plainMergeSize = 4096

func mergePlainly(left, right, out []uint64) {
	l, r := 0, 0
	for l < len(left) && r < len(right) {
		if right[r] < left[l] {
			out[l+r] = right[r]
			r++
		} else {
			out[l+r] = left[l]
			l++
		}
	}
	copy(out[l+r:], left[l:])
	copy(out[l+r:], right[r:])
}

// As in problem.hpp: what lies before a value of the longer run in both makes one half of out.
func merge(left, right, out []uint64) {
	if len(out) <= plainMergeSize {
		mergePlainly(left, right, out)
		return
	}
	l, r := len(left)/2, len(right)/2
	if len(left) >= len(right) {
		r = sort.Search(len(right), func(i int) bool { return right[i] >= left[l] })
	} else {
		l = sort.Search(len(left), func(i int) bool { return left[i] > right[r] })
	}
	contender.Both(func() { merge(left[:l], right[:r], out[:l+r]) }, func() { merge(left[l:], right[r:], out[l+r:]) })
}

// Sorts target; source must hold the same values and is used up.
func sortInto(target, source []uint64) {
	if len(target) <= sorting.InsertionSize {
		sorting.InsertionSort(target)
		return
	}
	middle := len(target) / 2
	contender.Both(func() { sortInto(source[:middle], target[:middle]) }, func() { sortInto(source[middle:], target[middle:]) })
	merge(source[:middle], source[middle:], target)
}

func main() {
	sorting.Measure(contender.New("mergesort", 10_000_000), func(values []uint64) {
		sortInto(values, append([]uint64(nil), values...))
	})
}
