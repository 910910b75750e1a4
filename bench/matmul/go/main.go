package main

import (
	contender "filch/bench/harness/go"
	"filch/bench/matmul/go/matrix"
)

// As in problem.hpp: halves the longest side.
func addProduct(a, b, c matrix.Block) {
	m, k, n := a.Rows, a.Columns, b.Columns
	switch {
	case m <= matrix.PlainSide && k <= matrix.PlainSide && n <= matrix.PlainSide:
		matrix.AddProductPlainly(a, b, c)
	case m >= k && m >= n:
		a1, a2 := a.HalvesOfRows()
		c1, c2 := c.HalvesOfRows()
		contender.Both(func() { addProduct(a1, b, c1) }, func() { addProduct(a2, b, c2) })
	case n >= k:
		b1, b2 := b.HalvesOfColumns()
		c1, c2 := c.HalvesOfColumns()
		contender.Both(func() { addProduct(a, b1, c1) }, func() { addProduct(a, b2, c2) })
	default:
		a1, a2 := a.HalvesOfColumns()
		b1, b2 := b.HalvesOfRows()
		addProduct(a1, b1, c)
		addProduct(a2, b2, c)
	}
}

func main() {
	matrix.MeasureProduct(contender.New("matmul", 1024), addProduct)
}
