package main

import (
	contender "filch/bench/harness/go"
	"sort"
	"sync/atomic"
)

type item struct{ value, weight int64 }

// Where the search stands: what was decided for the items before next.
type load struct {
	next        int
	room, value int64
}

// As in problem.hpp: the densest first, and room for half of their weight.
func goods(count int64) (items []item, room int64) {
	random := contender.SplitMix64(1)
	for i := int64(0); i < count; i++ {
		weight := 1000 + int64(random.Next()%1000)
		items = append(items, item{weight + 100, weight})
		room += weight
	}
	sort.Slice(items, func(i, j int) bool { return items[i].value*items[j].weight > items[j].value*items[i].weight })
	return items, room / 2
}

func isHopeless(items []item, at load, best int64) bool {
	if at.room < 0 {
		return true
	}
	if at.next == len(items) {
		return at.value <= best
	}
	densest := items[at.next]
	return at.value+at.room*densest.value/densest.weight <= best
}

func raise(best *atomic.Int64, value int64) {
	for seen := best.Load(); seen < value && !best.CompareAndSwap(seen, value); seen = best.Load() {
	}
}

// Searches what begins like at: with the next item here, and without it in a goroutine.
func search(items []item, at load, best *atomic.Int64) {
	if isHopeless(items, at, best.Load()) {
		return
	}
	raise(best, at.value)
	if at.next == len(items) {
		return
	}
	taken := items[at.next]
	contender.Both(func() { search(items, load{at.next + 1, at.room - taken.weight, at.value + taken.value}, best) },
		func() { search(items, load{at.next + 1, at.room, at.value}, best) })
}

func byTable(items []item, room int64) int64 {
	best := make([]int64, room+1)
	for _, each := range items {
		for at := room; at >= each.weight; at-- {
			if with := best[at-each.weight] + each.value; with > best[at] {
				best[at] = with
			}
		}
	}
	return best[room]
}

func main() {
	me := contender.New("knapsack", 36)
	items, room := goods(me.Size)
	expected := byTable(items, room)
	contender.Measure(me, func() *atomic.Int64 { return new(atomic.Int64) },
		func(best *atomic.Int64) int64 {
			search(items, load{0, room, 0}, best)
			return best.Load()
		},
		func(_ *atomic.Int64, value int64) bool { return value == expected })
	me.Exit()
}
