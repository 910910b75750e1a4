package main

import (
	contender "filch/bench/harness/go"
	"math"
)

const (
	plainRows = 16
	flow      = 0.2
	steps     = 20
)

// A plate with its rim, which is kept at zero.
type plate struct {
	side   int
	values []float64
}

func (p plate) row(i int) []float64 { return p.values[i*p.side : (i+1)*p.side] }

// One step of the rows [first, last).
func step(from, to plate, first, last int) {
	if last-first > plainRows {
		middle := first + (last-first)/2
		contender.Both(func() { step(from, to, first, middle) }, func() { step(from, to, middle, last) })
		return
	}
	for i := first; i < last; i++ {
		here, next := from.row(i), to.row(i)
		above, below := from.row(i - 1)[:len(here)], from.row(i + 1)[:len(here)]
		next = next[:len(here)]
		for j := 1; j < len(here)-1; j++ {
			next[j] = here[j] + flow*(above[j]+below[j]+here[j-1]+here[j+1]-4*here[j])
		}
	}
}

// Returns the plate after all steps, which is one of both.
func spread(now, other plate) plate {
	for i := 0; i < steps; i++ {
		step(now, other, 1, now.side-1)
		now, other = other, now
	}
	return now
}

func wave(i, side int) float64 { return math.Sin(math.Pi * float64(i) / float64(side-1)) }

// Half a wave along each side, of that height.
func waves(side int, height float64) plate {
	p := plate{side, make([]float64, side*side)}
	for i := 1; i < side-1; i++ {
		for j := 1; j < side-1; j++ {
			p.row(i)[j] = height * wave(i, side) * wave(j, side)
		}
	}
	return p
}

func main() {
	me := contender.New("heat", 2048)
	me.Require(me.Size > 0, "--size counts the points along a side: it must be at least 1")
	side := int(me.Size) + 2
	half := math.Sin(math.Pi / 2 / float64(side-1))
	input, expected := waves(side, 1), waves(side, math.Pow(1-8*flow*half*half, steps))
	contender.Measure(me,
		func() [2]plate {
			return [2]plate{{side, append([]float64(nil), input.values...)}, {side, append([]float64(nil), input.values...)}}
		},
		func(plates [2]plate) plate { return spread(plates[0], plates[1]) },
		func(_ [2]plate, result plate) bool {
			for k, value := range result.values {
				if math.Abs(value-expected.values[k]) > 1e-10 {
					return false
				}
			}
			return true
		})
	me.Exit()
}
