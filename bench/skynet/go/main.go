package main

import contender "filch/bench/harness/go"

const children = 10

func skynet(sum chan<- uint64, first, leaves uint64) {
	if leaves == 1 {
		sum <- first
		return
	}
	below, share := make(chan uint64, children), leaves/children
	for k := uint64(0); k < children; k++ {
		go skynet(below, first+k*share, share)
	}
	all := uint64(0)
	for k := 0; k < children; k++ {
		all += <-below
	}
	sum <- all
}

func isFullTree(leaves uint64) bool {
	for leaves != 0 && leaves%children == 0 {
		leaves /= children
	}
	return leaves == 1
}

func main() {
	me := contender.New("skynet", 1_000_000)
	leaves := uint64(me.Size)
	me.Require(isFullTree(leaves), "--size counts the leaves of a full tree: it must be a power of ten")
	me.Equals(leaves*(leaves-1)/2, func() uint64 {
		sum := make(chan uint64, 1)
		skynet(sum, 0, leaves)
		return <-sum
	})
	me.Exit()
}
