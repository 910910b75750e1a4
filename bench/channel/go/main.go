package main

import (
	"strconv"
	"sync"

	contender "filch/bench/harness/go"
)

const (
	capacity = 1024
	senders  = 4
)

func send(to chan<- uint64, count uint64, done *sync.WaitGroup) {
	for i := uint64(0); i < count; i++ {
		to <- i
	}
	done.Done()
}

func receive(from <-chan uint64, sums chan<- uint64) {
	sum := uint64(0)
	for value := range from {
		sum += value
	}
	sums <- sum
}

func stream(values, receivers uint64) (sum uint64) {
	through, sums := make(chan uint64, capacity), make(chan uint64, receivers)
	for i := uint64(0); i < receivers; i++ {
		go receive(through, sums)
	}
	var sending sync.WaitGroup
	sending.Add(senders)
	for i := 0; i < senders; i++ {
		go send(through, values/senders, &sending)
	}
	sending.Wait()
	close(through)
	for i := uint64(0); i < receivers; i++ {
		sum += <-sums
	}
	return sum
}

func main() {
	me := contender.New("channel", 1_000_000)
	receivers, err := strconv.ParseUint(me.Variant("4"), 10, 32)
	values := uint64(me.Size)
	me.Require(err == nil && receivers > 0 && receivers <= 64 && values%senders == 0,
		"--case is a number of receivers up to 64, and --size a multiple of 4")
	each := values / senders
	me.Equals(senders*(each*(each-1)/2), func() uint64 { return stream(values, receivers) })
	me.Exit()
}
