package main

import (
	"runtime"
	"sync"

	contender "filch/bench/harness/go"
)

const tasksOfABatch = 10_000

func one(result *uint64, done *sync.WaitGroup) {
	*result = 1
	done.Done()
}

func inBatches(tasks uint64) (ran uint64) {
	results := make([]uint64, tasksOfABatch)
	for left := tasks; left != 0; left -= tasksOfABatch {
		var batch sync.WaitGroup
		batch.Add(tasksOfABatch)
		for i := range results {
			go one(&results[i], &batch)
		}
		batch.Wait()
		for i, result := range results {
			ran += result
			results[i] = 0
		}
	}
	return ran
}

func link(number, last uint64, ended chan<- uint64) {
	if number == last {
		ended <- number
	} else {
		go link(number+1, last, ended)
	}
}

func inAChain(tasks uint64) uint64 {
	ended := make(chan uint64)
	go link(1, tasks, ended)
	return <-ended
}

func yieldOften(times uint64, ended chan<- uint64) {
	for i := uint64(0); i < times; i++ {
		runtime.Gosched()
	}
	ended <- times
}

func inTurn(times uint64) uint64 {
	ended := make(chan uint64, 2)
	go yieldOften(times/2, ended)
	go yieldOften(times/2, ended)
	return <-ended + <-ended
}

func main() {
	me := contender.New("spawn", 1_000_000)
	run, isKnown := map[string]func(uint64) uint64{"batch": inBatches, "chain": inAChain, "yield": inTurn}[me.Variant("batch")]
	tasks := uint64(me.Size)
	me.Require(isKnown && tasks > 0 && tasks%tasksOfABatch == 0,
		"--case is batch, chain or yield, and --size a multiple of 10,000")
	me.Equals(tasks, func() uint64 { return run(tasks) })
	me.Exit()
}
