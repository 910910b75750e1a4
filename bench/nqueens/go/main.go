package main

import (
	contender "filch/bench/harness/go"
	"sync"
)

const largestN = 18

// As in problem.hpp: solutions for n = 0 to 18, OEIS A000170.
var published = [largestN + 1]uint64{
	1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624}

type board struct {
	rows    [largestN]int8
	columns int
}

func (placed board) with(row int) board {
	placed.rows[placed.columns] = int8(row)
	placed.columns++
	return placed
}

func (placed *board) isSafe() bool {
	last := placed.columns - 1
	row := placed.rows[last]
	for i, other := range placed.rows[:last] {
		distance := int8(last - i)
		if other == row || other == row-distance || other == row+distance {
			return false
		}
	}
	return true
}

// One goroutine for every safe row.
func count(n int, placed board) (sum uint64) {
	if placed.columns == n {
		return 1
	}
	var solutions [largestN]uint64
	var running sync.WaitGroup
	for row := 0; row < n; row++ {
		next := placed.with(row)
		if !next.isSafe() {
			continue
		}
		running.Add(1)
		go func(to *uint64) {
			*to = count(n, next)
			running.Done()
		}(&solutions[row])
	}
	running.Wait()
	for _, each := range solutions {
		sum += each
	}
	return sum
}

func main() {
	me := contender.New("nqueens", 11)
	me.Require(me.Size <= largestN, "--size is the side of the board: at most 18")
	me.Equals(published[me.Size], func() uint64 { return count(int(me.Size), board{}) })
	me.Exit()
}
