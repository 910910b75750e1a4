package main

import (
	contender "filch/bench/harness/go"
	"math"
	"math/cmplx"
)

// Below this many butterflies a loop is quicker than two goroutines.
const plainButterflies = 1024

// Joins the transforms of the even and the odd elements, which lie in the two halves of a result.
func butterflies(even, odd, roots []complex128, stride int) {
	if half := len(even) / 2; len(even) > plainButterflies {
		contender.Both(func() { butterflies(even[:half], odd[:half], roots, stride) },
			func() { butterflies(even[half:], odd[half:], roots[half*stride:], stride) })
		return
	}
	odd = odd[:len(even)]
	for k := range even {
		turned := roots[k*stride] * odd[k]
		odd[k] = even[k] - turned
		even[k] += turned
	}
}

// Transforms every stride-th element of in into out.
func transform(in []complex128, stride int, out, roots []complex128) {
	if len(out) == 1 {
		out[0] = in[0]
		return
	}
	even, odd := out[:len(out)/2], out[len(out)/2:]
	contender.Both(func() { transform(in, stride*2, even, roots) }, func() { transform(in[stride:], stride*2, odd, roots) })
	butterflies(even, odd, roots, stride)
}

// The n-th root of unity to the power -k.
func rootOfUnity(k, n int) complex128 { return cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n)) }

// As in problem.hpp: random points of the square of side 2 around the origin.
func input(n int) []complex128 {
	random, values := contender.SplitMix64(1), make([]complex128, n)
	uniform := func() float64 { return float64(random.Next()>>11)/(1<<52) - 1 }
	for i := range values {
		re := uniform()
		values[i] = complex(re, uniform())
	}
	return values
}

// One element of the transform.
func byDefinition(in []complex128, index int) (sum complex128) {
	for j, value := range in {
		sum += value * rootOfUnity(index*j%len(in), len(in))
	}
	return sum
}

// Some elements are worked out by the definition, and the inverse transform must bring back all of the input.
func isRight(in, out, roots []complex128) bool {
	n := len(in)
	tolerance := 1e-9 * math.Sqrt(float64(n))
	for _, index := range []int{0, 1, n / 3, n - 1} {
		if index < n && cmplx.Abs(out[index]-byDefinition(in, index)) > tolerance {
			return false
		}
	}
	mirrored, back := make([]complex128, n), make([]complex128, n)
	for i, value := range out {
		mirrored[i] = cmplx.Conj(value)
	}
	transform(mirrored, 1, back, roots)
	for i, value := range back {
		if cmplx.Abs(cmplx.Conj(value)/complex(float64(n), 0)-in[i]) > 1e-9 {
			return false
		}
	}
	return true
}

func main() {
	me := contender.New("fft", 20)
	me.Require(me.Size <= 30, "--size is the binary logarithm of the number of points: at most 30")
	n := 1 << me.Size
	in, roots := input(n), make([]complex128, n/2)
	for k := range roots {
		roots[k] = rootOfUnity(k, n)
	}
	contender.Measure(me, func() []complex128 { return make([]complex128, n) },
		func(out []complex128) bool { transform(in, 1, out, roots); return true },
		func(out []complex128, _ bool) bool { return isRight(in, out, roots) })
	me.Exit()
}
