package main

import (
	"crypto/sha1"
	"encoding/binary"
	contender "filch/bench/harness/go"
	"math"
	"sync"
)

type kind int

const (
	binomial kind = iota
	geometric
	hybrid
)

type shape int

const (
	linear shape = iota
	cyclic
	fixed
)

// As in problem.hpp.
type tree struct {
	kind            kind
	shape           shape
	rootBranching   float64
	depthLimit      int
	nonleafChance   float64
	nonleafChildren int
	seed            uint32
}

type tally struct {
	nodes, leaves uint64
	depth         int
}

func (a tally) plus(b tally) tally {
	if a.depth < b.depth {
		a.depth = b.depth
	}
	return tally{a.nodes + b.nodes, a.leaves + b.leaves, a.depth}
}

type sampleTree struct {
	parameters tree
	published  tally
}

// The sample trees by name, with their published counts.
var samples = map[string]sampleTree{
	"T1": {tree{kind: geometric, shape: fixed, rootBranching: 4, depthLimit: 10, seed: 19}, tally{4130071, 3305118, 10}},
	"T2": {tree{kind: geometric, shape: cyclic, rootBranching: 6, depthLimit: 16, seed: 502}, tally{4117769, 2342762, 81}},
	"T3": {tree{kind: binomial, rootBranching: 2000, nonleafChance: 0.124875, nonleafChildren: 8, seed: 42},
		tally{4112897, 3599034, 1572}},
	"T4": {tree{kind: hybrid, shape: linear, rootBranching: 6, depthLimit: 16, nonleafChance: 0.234375, nonleafChildren: 4, seed: 1},
		tally{4132453, 3108986, 134}},
	"T5": {tree{kind: geometric, shape: linear, rootBranching: 4, depthLimit: 20, seed: 34}, tally{4147582, 2181318, 20}},
}

type node struct {
	state [sha1.Size]byte
	depth int
}

func root(t *tree) node {
	var message [20]byte
	binary.BigEndian.PutUint32(message[16:], t.seed)
	return node{sha1.Sum(message[:]), 0}
}

func (parent *node) child(index int) node {
	var message [sha1.Size + 4]byte
	copy(message[:], parent.state[:])
	binary.BigEndian.PutUint32(message[sha1.Size:], uint32(index))
	return node{sha1.Sum(message[:]), parent.depth + 1}
}

func (n *node) chance() float64 {
	return float64(binary.BigEndian.Uint32(n.state[16:])&0x7fffffff) / (1 << 31)
}

func (t *tree) meanBranching(depth int) float64 {
	limit := float64(t.depthLimit)
	switch {
	case depth == 0 || t.shape == fixed && depth < t.depthLimit:
		return t.rootBranching
	case t.shape == fixed || t.shape == cyclic && depth > 5*t.depthLimit:
		return 0
	case t.shape == cyclic:
		return math.Pow(t.rootBranching, math.Sin(2*math.Pi*float64(depth)/limit))
	}
	return t.rootBranching * (1 - float64(depth)/limit)
}

func (t *tree) childCount(n *node) int {
	if t.kind == geometric || t.kind == hybrid && float64(n.depth) < 0.5*float64(t.depthLimit) {
		stopChance := 1 / (1 + t.meanBranching(n.depth))
		return int(math.Min(100, math.Floor(math.Log(1-n.chance())/math.Log(1-stopChance))))
	}
	if n.depth == 0 {
		return int(t.rootBranching)
	}
	if n.chance() < t.nonleafChance {
		return t.nonleafChildren
	}
	return 0
}

// A goroutine for every child but the last, which is counted here.
func (t *tree) count(n node) tally {
	children := t.childCount(&n)
	if children == 0 {
		return tally{1, 1, n.depth}
	}
	below := make([]tally, children)
	var running sync.WaitGroup
	running.Add(children - 1)
	for i := range below[1:] {
		go func(i int) {
			below[i] = t.count(n.child(i))
			running.Done()
		}(i)
	}
	below[children-1] = t.count(n.child(children - 1))
	running.Wait()
	sum := tally{1, 0, n.depth}
	for _, each := range below {
		sum = sum.plus(each)
	}
	return sum
}

func main() {
	me := contender.New("uts", 0)
	sample, known := samples[me.Variant("T1")]
	me.Require(known, "--case is T1, T2, T3, T4 or T5")
	contender.Measure(me, func() *tree { return &sample.parameters }, func(t *tree) tally { return t.count(root(t)) },
		func(_ *tree, counted tally) bool { return counted == sample.published })
	me.Exit()
}
