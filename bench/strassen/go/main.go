package main

import (
	contender "filch/bench/harness/go"
	"filch/bench/matmul/go/matrix"
)

// Below this the sums cost more than the eighth product.
const plainSide = 64

// Row and column of a quarter, and of another with its sign: none if that is 0.
type term struct {
	row, column, otherRow, otherColumn int
	sign                               float64
}

// As in problem.hpp: the factors of the seven products.
var products = [7][2]term{
	{{0, 0, 1, 1, 1}, {0, 0, 1, 1, 1}},
	{{1, 0, 1, 1, 1}, {0, 0, 0, 0, 0}},
	{{0, 0, 0, 0, 0}, {0, 1, 1, 1, -1}},
	{{1, 1, 0, 0, 0}, {1, 0, 0, 0, -1}},
	{{0, 0, 0, 1, 1}, {1, 1, 0, 0, 0}},
	{{1, 0, 0, 0, -1}, {0, 0, 0, 1, 1}},
	{{0, 1, 1, 1, -1}, {1, 0, 1, 1, 1}},
}

// With which sign each product goes into the quarters (0,0), (0,1), (1,0) and (1,1) of the result.
var signs = [4][7]float64{{1, 0, 0, 1, -1, 0, 1}, {0, 0, 1, 0, 1, 0, 0}, {0, 1, 0, 1, 0, 0, 0}, {1, -1, 1, 0, 0, 1, 0}}

func quarter(whole matrix.Block, row, column int) matrix.Block {
	upper, lower := whole.HalvesOfRows()
	if row == 1 {
		upper = lower
	}
	left, right := upper.HalvesOfColumns()
	if column == 1 {
		left = right
	}
	return left
}

func square(n int) matrix.Block { return matrix.Whole(make([]float64, n*n), n) }

func add(to, from matrix.Block, sign float64) {
	for i := 0; i < to.Rows; i++ {
		matrix.AddScaled(to.Row(i), sign, from.Row(i))
	}
}

// The quarter itself, or the sum of two.
func evaluate(whole matrix.Block, t term) matrix.Block {
	first := quarter(whole, t.row, t.column)
	if t.sign == 0 {
		return first
	}
	sum := square(first.Rows)
	add(sum, first, 1)
	add(sum, quarter(whole, t.otherRow, t.otherColumn), t.sign)
	return sum
}

// Works out the products from first on, each into a matrix of its own.
func multiply(a, b matrix.Block, results []matrix.Block, first int) {
	if middle := len(results) / 2; middle > 0 {
		contender.Both(func() { multiply(a, b, results[:middle], first) }, func() { multiply(a, b, results[middle:], first+middle) })
		return
	}
	results[0] = square(a.Rows / 2)
	addFastProduct(evaluate(a, products[first][0]), evaluate(b, products[first][1]), results[0])
}

// Adds a * b to c.
func addFastProduct(a, b, c matrix.Block) {
	if a.Rows <= plainSide {
		matrix.AddProductPlainly(a, b, c)
		return
	}
	var results [len(products)]matrix.Block
	multiply(a, b, results[:], 0)
	sumUp := func(which int) {
		for k, sign := range signs[which] {
			if sign != 0 {
				add(quarter(c, which/2, which%2), results[k], sign)
			}
		}
	}
	contender.Both(func() { contender.Both(func() { sumUp(0) }, func() { sumUp(1) }) },
		func() { contender.Both(func() { sumUp(2) }, func() { sumUp(3) }) })
}

func isFitting(n int64) bool {
	for n > plainSide && n%2 == 0 {
		n /= 2
	}
	return n > 0 && n <= plainSide
}

func main() {
	me := contender.New("strassen", 1024)
	me.Require(isFitting(me.Size), "--size is the side: a power of two times at most 64")
	matrix.MeasureProduct(me, addFastProduct)
}
