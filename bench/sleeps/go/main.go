package main

import (
	"sync"
	"time"

	contender "filch/bench/harness/go"
)

const length = 10 * time.Millisecond

func sleep(late *time.Duration, done *sync.WaitGroup) {
	due := time.Now().Add(length)
	time.Sleep(length)
	*late = time.Since(due)
	done.Done()
}

func sleepAll(late []time.Duration) {
	var all sync.WaitGroup
	all.Add(len(late))
	for i := range late {
		go sleep(&late[i], &all)
	}
	all.Wait()
}

func main() {
	me := contender.New("sleeps", 100_000)
	for i := 0; i < me.Repeat(); i++ {
		late := make([]time.Duration, me.Size)
		begin := time.Now()
		sleepAll(late)
		seconds := time.Since(begin).Seconds()
		latest, noneIsEarly := time.Duration(0), true
		for _, each := range late {
			noneIsEarly = noneIsEarly && each >= 0
			if each > latest {
				latest = each
			}
		}
		me.Report([]contender.Value{{Name: "seconds", Is: seconds}, {Name: "latest_us", Is: latest.Seconds() * 1e6}}, noneIsEarly)
	}
	me.Exit()
}
