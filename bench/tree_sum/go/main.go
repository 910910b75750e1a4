package main

import (
	contender "filch/bench/harness/go"
	"math"
	"sort"
	"strings"
	"time"
)

type node struct {
	value       uint64
	left, right *node
}

// Makes a tree as balanced as can be of the nodes, in the order of the walk, and returns its root.
func link(nodes []node) *node {
	if len(nodes) == 0 {
		return nil
	}
	leftEnd := 1 + len(nodes)/2
	nodes[0].left, nodes[0].right = link(nodes[1:leftEnd]), link(nodes[leftEnd:])
	return &nodes[0]
}

// Hangs leaf where a binary search tree has it.
func insert(root, leaf *node) {
	for at := root; ; {
		side := &at.right
		if leaf.value < at.value {
			side = &at.left
		}
		if *side == nil {
			*side = leaf
			return
		}
		at = *side
	}
}

func sum(root *node) uint64 {
	switch {
	case root.left == nil && root.right == nil:
		return root.value
	case root.left == nil:
		return root.value + sum(root.right)
	case root.right == nil:
		return root.value + sum(root.left)
	}
	left := make(chan uint64, 1)
	go func() { left <- sum(root.left) }()
	right := sum(root.right)
	return root.value + <-left + right
}

// Seconds of one sum, on average over so many, and what it gave.
func secondsOfOne(root *node, calls int64) (seconds float64, result uint64) {
	start := time.Now()
	for i := int64(0); i < calls; i++ {
		result = sum(root)
	}
	return time.Since(start).Seconds() / float64(calls), result
}

// As in problem.hpp: the median of three averages, or with spaced of a hundred sums after a millisecond of sleep each.
func measure(me *contender.Contender, root *node, spaced bool, expected uint64) {
	calls, clocks := 1+2_000_000/me.Size, 3
	if spaced {
		calls, clocks = 1, 100
	}
	for i := 0; i < me.Repeat(); i++ {
		times, correct := make([]float64, clocks), true
		for k := range times {
			if spaced {
				time.Sleep(time.Millisecond)
			}
			seconds, result := secondsOfOne(root, calls)
			times[k], correct = seconds, correct && result == expected
		}
		sort.Float64s(times)
		me.Report([]contender.Value{{Name: "seconds", Is: times[clocks/2]}}, correct)
	}
}

func main() {
	me := contender.New("tree_sum", 1000)
	shape, spacing, _ := strings.Cut(me.Variant("balanced"), "-")
	known := (shape == "balanced" || shape == "grown") && (spacing == "" || spacing == "spaced")
	me.Require(known, "--case must be balanced or grown, or one of them with -spaced appended")
	me.Require(me.Size > 0 && me.Size <= math.MaxInt32, "--size counts the nodes: at least 1, and it must fit 31 bits")
	nodes, random, expected := make([]node, me.Size), contender.SplitMix64(1), uint64(0)
	for i := range nodes {
		nodes[i].value = random.Next()
		expected += nodes[i].value
	}
	if shape == "grown" {
		for i := range nodes[1:] {
			insert(&nodes[0], &nodes[1+i])
		}
	} else {
		link(nodes)
	}
	measure(me, &nodes[0], spacing == "spaced", expected)
	me.Exit()
}
