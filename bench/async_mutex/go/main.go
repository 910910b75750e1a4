package main

import (
	"runtime"
	"sync"

	contender "filch/bench/harness/go"
)

const tasks = 64

func takeTurns(lock *sync.Mutex, count *uint64, turns uint64, done *sync.WaitGroup) {
	for i := uint64(0); i < turns; i++ {
		lock.Lock()
		*count++
		lock.Unlock()
	}
	done.Done()
}

func holdInTurn(lock *sync.Mutex, count *uint64, turns uint64, done *sync.WaitGroup) {
	for i := uint64(0); i < turns; i++ {
		lock.Lock()
		runtime.Gosched()
		*count++
		lock.Unlock()
	}
	done.Done()
}

func countTogether(turns uint64, isHeld bool) (count uint64) {
	var lock sync.Mutex
	var all sync.WaitGroup
	all.Add(tasks)
	work := takeTurns
	if isHeld {
		work = holdInTurn
	}
	for i := 0; i < tasks; i++ {
		go work(&lock, &count, turns/tasks, &all)
	}
	all.Wait()
	return count
}

func main() {
	me := contender.New("async_mutex", 640_000)
	variant, turns := me.Variant("short"), uint64(me.Size)
	me.Require(turns%tasks == 0 && (variant == "short" || variant == "held"),
		"--case is short or held, and --size a multiple of 64")
	me.Equals(turns, func() uint64 { return countTogether(turns, variant == "held") })
	me.Exit()
}
