package main

import contender "filch/bench/harness/go"

func fib(n int64) uint64 {
	if n < 2 {
		return uint64(n)
	}
	left := make(chan uint64, 1)
	go func() { left <- fib(n - 1) }()
	right := fib(n - 2)
	return <-left + right
}

func byAdding(n int64) uint64 {
	current, next := uint64(0), uint64(1)
	for ; n > 0; n-- {
		current, next = next, current+next
	}
	return current
}

func main() {
	me := contender.New("fib", 30)
	me.Equals(byAdding(me.Size), func() uint64 { return fib(me.Size) })
	me.Exit()
}
