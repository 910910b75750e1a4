// Package contender is what contender.hpp is to the C++ contenders: it reads the request, times the repeats, prints one JSON line for
// each.
package contender

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

type Contender struct {
	Size       int64
	problem    string
	workers    int
	repeat     int
	variant    string
	allCorrect bool
}

// New reads the command line and limits the threads that run goroutines.
func New(problem string, size int64) *Contender {
	me := &Contender{problem: problem, allCorrect: true}
	flag.IntVar(&me.workers, "workers", 1, "number of workers")
	flag.IntVar(&me.repeat, "repeat", 1, "number of timed repeats")
	flag.Int64Var(&me.Size, "size", size, "size of the problem")
	flag.StringVar(&me.variant, "case", "", "variant of the problem")
	flag.Parse()
	me.Require(me.workers > 0 && me.repeat > 0 && me.Size >= 0 && flag.NArg() == 0, "a number is out of range")
	runtime.GOMAXPROCS(me.workers)
	return me
}

// Variant is what --case says, or usual if it says nothing.
func (me *Contender) Variant(usual string) string {
	if me.variant == "" {
		return usual
	}
	return me.variant
}

// Require ends the program with a message unless it holds.
func (me *Contender) Require(holds bool, message string) {
	if !holds {
		fmt.Fprintf(os.Stderr, "bench_%s_go: %s\n", me.problem, message)
		os.Exit(2)
	}
}

func peakRssKib() (kib int64) {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(line, "VmHWM:") {
			fmt.Sscanf(line, "VmHWM: %d", &kib)
		}
	}
	return kib
}

// Value is one of a sample's, by its name.
type Value struct {
	Name string
	Is   float64
}

// Repeat is how many samples are wanted.
func (me *Contender) Repeat() int { return me.repeat }

// Report prints one sample: its values, and whether it is correct.
func (me *Contender) Report(values []Value, correct bool) {
	me.allCorrect = me.allCorrect && correct
	named := ""
	for _, value := range values {
		named += fmt.Sprintf("%q:%g,", value.Name, value.Is)
	}
	fmt.Printf("{\"problem\":%q,\"peer\":\"go\",\"workers\":%d,\"size\":%d,%s\"correct\":%t,\"peak_rss_kib\":%d}\n",
		me.problem, me.workers, me.Size, named, correct, peakRssKib())
}

// Measure times compute on what prepare makes, as often as asked; check tells whether the result is right.
func Measure[Input, Result any](me *Contender, prepare func() Input, compute func(Input) Result, check func(Input, Result) bool) {
	for i := 0; i < me.repeat; i++ {
		input := prepare()
		start := time.Now()
		result := compute(input)
		seconds := time.Since(start).Seconds()
		me.Report([]Value{{"seconds", seconds}}, check(input, result))
	}
}

// Equals measures a function of nothing whose result is known.
func (me *Contender) Equals(expected uint64, compute func() uint64) {
	none := func() struct{} { return struct{}{} }
	Measure(me, none, func(struct{}) uint64 { return compute() }, func(_ struct{}, result uint64) bool { return result == expected })
}

// Exit ends the program: status 0 when every result was right.
func (me *Contender) Exit() {
	if !me.allCorrect {
		os.Exit(1)
	}
}

// Both runs the second half in a goroutine and the first here, and returns when both are done.
func Both(first, second func()) {
	var other sync.WaitGroup
	other.Add(1)
	go func() {
		second()
		other.Done()
	}()
	first()
	other.Wait()
}

// SplitMix64 gives the numbers of filch::base::split_mix64: all contenders get the same input.
type SplitMix64 uint64

func (state *SplitMix64) Next() uint64 {
	*state += 0x9e3779b97f4a7c15
	z := uint64(*state)
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}
