package main

import (
	contender "filch/bench/harness/go"
	"filch/bench/matmul/go/matrix"
	"math"
)

// Takes a * b from c; the quarters of c are independent.
func subtractProduct(a, b, c matrix.Block) {
	switch {
	case c.Rows > matrix.PlainSide && c.Rows >= c.Columns:
		a1, a2 := a.HalvesOfRows()
		c1, c2 := c.HalvesOfRows()
		contender.Both(func() { subtractProduct(a1, b, c1) }, func() { subtractProduct(a2, b, c2) })
	case c.Columns > matrix.PlainSide:
		b1, b2 := b.HalvesOfColumns()
		c1, c2 := c.HalvesOfColumns()
		contender.Both(func() { subtractProduct(a, b1, c1) }, func() { subtractProduct(a, b2, c2) })
	default:
		for i := 0; i < c.Rows; i++ {
			to := c.Row(i)
			for k, factor := range a.Row(i) {
				matrix.AddScaled(to, -factor, b.Row(k))
			}
		}
	}
}

// Solves L x = b in place for every column of b: L is the triangle below the diagonal, with ones on it.
func solveLower(l, b matrix.Block) {
	if b.Columns > matrix.PlainSide {
		left, right := b.HalvesOfColumns()
		contender.Both(func() { solveLower(l, left) }, func() { solveLower(l, right) })
		return
	}
	for i := 0; i < b.Rows; i++ {
		row := b.Row(i)
		for k, factor := range l.Row(i)[:i] {
			matrix.AddScaled(row, -factor, b.Row(k))
		}
	}
}

// Divides row by pivot[k], and takes from what is behind k so much of the pivot as makes row[k] zero: its place holds the factor.
func eliminate(row, pivot []float64, k int) {
	row[k] /= pivot[k]
	matrix.AddScaled(row[k+1:], -row[k], pivot[k+1:])
}

// Solves x U = b in place for every row of b: U is the triangle from the diagonal up.
func solveUpper(u, b matrix.Block) {
	if b.Rows > matrix.PlainSide {
		upper, lower := b.HalvesOfRows()
		contender.Both(func() { solveUpper(u, upper) }, func() { solveUpper(u, lower) })
		return
	}
	for i := 0; i < b.Rows; i++ {
		row := b.Row(i)
		for k := range row {
			eliminate(row, u.Row(k), k)
		}
	}
}

func splitPlainly(a matrix.Block) {
	for k := 0; k < a.Rows; k++ {
		pivot := a.Row(k)
		for i := k + 1; i < a.Rows; i++ {
			eliminate(a.Row(i), pivot, k)
		}
	}
}

func split(a matrix.Block) {
	if a.Rows <= matrix.PlainSide {
		splitPlainly(a)
		return
	}
	upper, lower := a.HalvesOfRows()
	a00, a01 := upper.HalvesOfColumns()
	a10, a11 := lower.HalvesOfColumns()
	split(a00)
	contender.Both(func() { solveLower(a00, a01) }, func() { solveUpper(a00, a10) })
	subtractProduct(a10, a01, a11)
	split(a11)
}

// As in problem.hpp: so much on the diagonal that no row need be exchanged.
func input(n int) []float64 {
	values := matrix.Input(n, 0)
	for i := 0; i < n; i++ {
		values[i*n+i] = 8 * float64(n)
	}
	return values
}

// Whether the triangles in a multiply to what makes expected of a vector of ones.
func isRight(a, expected []float64) bool {
	n := len(expected)
	upper := make([]float64, n)
	for i := range upper {
		for _, value := range a[i*n+i : (i+1)*n] {
			upper[i] += value
		}
	}
	for i, wanted := range expected {
		product := upper[i]
		for j, factor := range a[i*n : i*n+i] {
			product += factor * upper[j]
		}
		if math.Abs(product-wanted) > 1e-9*math.Abs(wanted) {
			return false
		}
	}
	return true
}

func main() {
	me := contender.New("lu", 1024)
	n := int(me.Size)
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	expected := matrix.TimesVector(input(n), ones)
	contender.Measure(me, func() []float64 { return input(n) },
		func(a []float64) bool { split(matrix.Whole(a, n)); return true },
		func(a []float64, _ bool) bool { return isRight(a, expected) })
	me.Exit()
}
