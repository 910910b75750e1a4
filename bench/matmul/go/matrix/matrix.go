// Package matrix is what problem.hpp is to the C++ contenders: blocks of matrices, their product, the input and the checker.
package matrix

import (
	contender "filch/bench/harness/go"
)

const PlainSide = 32

// Block is a block of a matrix in row order. Blocks that are written at the same time share no element.
type Block struct {
	data                  []float64
	Rows, Columns, stride int
}

func Whole(values []float64, n int) Block { return Block{values, n, n, n} }

func (all Block) Row(i int) []float64 { return all.data[i*all.stride : i*all.stride+all.Columns] }

func (all Block) HalvesOfRows() (Block, Block) {
	half := all.Rows / 2
	return Block{all.data, half, all.Columns, all.stride},
		Block{all.data[half*all.stride:], all.Rows - half, all.Columns, all.stride}
}

func (all Block) HalvesOfColumns() (Block, Block) {
	half := all.Columns / 2
	return Block{all.data, all.Rows, half, all.stride}, Block{all.data[half:], all.Rows, all.Columns - half, all.stride}
}

// AddScaled adds factor times from to to.
func AddScaled(to []float64, factor float64, from []float64) {
	from = from[:len(to)]
	for j := range to {
		to[j] += factor * from[j]
	}
}

// AddProductPlainly adds a * b to c.
func AddProductPlainly(a, b, c Block) {
	for i := 0; i < a.Rows; i++ {
		to := c.Row(i)
		for k, factor := range a.Row(i) {
			AddScaled(to, factor, b.Row(k))
		}
	}
}

func Input(n int, which uint64) []float64 {
	values, random := make([]float64, n*n), contender.SplitMix64(2+which)
	for i := range values {
		values[i] = float64(random.Next()%9) - 4
	}
	return values
}

func TimesVector(a, x []float64) []float64 {
	product := make([]float64, len(x))
	for i := range product {
		for j, factor := range x {
			product[i] += a[i*len(x)+j] * factor
		}
	}
	return product
}

// MeasureProduct times what must add a * b to c, and asks a random vector whether it did.
func MeasureProduct(me *contender.Contender, addProduct func(a, b, c Block)) {
	n := int(me.Size)
	a, b := Input(n, 0), Input(n, 1)
	x, random := make([]float64, n), contender.SplitMix64(1^0x5eed)
	for i := range x {
		x[i] = float64(random.Next() % 65536)
	}
	expected := TimesVector(a, TimesVector(b, x))
	contender.Measure(me, func() []float64 { return make([]float64, n*n) },
		func(c []float64) bool { addProduct(Whole(a, n), Whole(b, n), Whole(c, n)); return true },
		func(c []float64, _ bool) bool {
			for i, value := range TimesVector(c, x) {
				if value != expected[i] {
					return false
				}
			}
			return true
		})
	me.Exit()
}
