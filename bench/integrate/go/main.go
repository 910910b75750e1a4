package main

import (
	contender "filch/bench/harness/go"
	"math"
)

const epsilon = 1e-9

func integrand(x float64) float64 { return (x*x + 1) * x }

func integrate(x1, y1, x2, y2, area float64) float64 {
	half := (x2 - x1) / 2
	x0 := x1 + half
	y0 := integrand(x0)
	left, right := (y1+y0)/2*half, (y0+y2)/2*half
	if math.Abs(left+right-area) < epsilon {
		return left + right
	}
	other := make(chan float64, 1)
	go func() { other <- integrate(x1, y1, x0, y0, left) }()
	here := integrate(x0, y0, x2, y2, right)
	return <-other + here
}

func main() {
	me := contender.New("integrate", 100)
	upper := float64(me.Size)
	exact := math.Pow(upper, 4)/4 + upper*upper/2
	contender.Measure(me, func() float64 { return upper },
		func(upper float64) float64 { return integrate(0, integrand(0), upper, integrand(upper), 0) },
		func(_, result float64) bool { return math.Abs(result-exact) <= 1e-9*math.Max(exact, 1) })
	me.Exit()
}
