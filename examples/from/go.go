// The seven programs in Go.
package main

import (
	"context"
	"errors"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// [spawn]
func wordsInAll(texts []string) int {
	counts := make(chan int)
	for _, text := range texts {
		go func(text string) { counts <- strings.Count(text, " ") + 1 }(text)
	}
	words := 0
	for range texts {
		words += <-counts
	}
	return words
}

// [spawn]

func fill(ctx context.Context, place *int, value int) error {
	if value < 0 {
		return errors.New("below zero")
	}
	*place = value
	return ctx.Err()
}

// [scope]
func fillAll(ctx context.Context, places, values []int) error {
	all, ctx := errgroup.WithContext(ctx)
	for i := range values {
		i := i
		all.Go(func() error { return fill(ctx, &places[i], values[i]) })
	}
	return all.Wait()
}

// [scope]

// [channel]
func stream() int {
	numbers := make(chan int, 8)
	go func() {
		defer close(numbers)
		for i := 0; i < 1000; i++ {
			numbers <- i
		}
	}()
	sum := 0
	for value := range numbers {
		sum += value
	}
	return sum
}

// [channel]

// [select]
func nextEvent(messages chan string, quit chan struct{}, limit time.Duration) string {
	select {
	case message, open := <-messages:
		if !open {
			return "closed"
		}
		return message
	case <-quit:
		return "quit"
	case <-time.After(limit):
		return "nothing in time"
	}
}

// [select]

// [mutex]
type account struct {
	lock    sync.Mutex
	balance int // guarded by lock
}

func (to *account) deposit(amount int) {
	to.lock.Lock()
	defer to.lock.Unlock()
	before := to.balance
	time.Sleep(100 * time.Microsecond)
	to.balance = before + amount
}

// [mutex]

// [blocking]
func readFile(path string) (string, error) {
	text, err := os.ReadFile(path)
	return string(text), err
}

// [blocking]

func sumOfPart(part, parts, steps int) float64 {
	sum := 0.0
	for i := part; i < steps; i += parts {
		x := (float64(i) + 0.5) / float64(steps)
		sum += 4 / (1 + x*x)
	}
	return sum
}

// [compute]
func pi(steps int) float64 {
	parts := runtime.GOMAXPROCS(0)
	sums := make(chan float64, parts)
	for part := 0; part < parts; part++ {
		go func(part int) { sums <- sumOfPart(part, parts, steps) }(part)
	}
	sum := 0.0
	for part := 0; part < parts; part++ {
		sum += <-sums
	}
	return sum / float64(steps)
}

// [compute]

func check(claim string, isRight bool) {
	if !isRight {
		panic("wrong: " + claim)
	}
}

func checkSelect() {
	messages, quit := make(chan string, 1), make(chan struct{})
	check("time limit", nextEvent(messages, quit, time.Millisecond) == "nothing in time")
	messages <- "hello"
	check("message", nextEvent(messages, quit, time.Hour) == "hello")
	close(messages)
	check("closed", nextEvent(messages, quit, time.Hour) == "closed")
	close(quit)
	check("quit", nextEvent(nil, quit, time.Hour) == "quit")
}

func checkMutex() {
	var mine account
	var all sync.WaitGroup
	for amount := 1; amount <= 10; amount++ {
		all.Add(1)
		go func(amount int) {
			defer all.Done()
			mine.deposit(amount)
		}(amount)
	}
	all.Wait()
	check("mutex", mine.balance == 55)
}

func main() {
	check("spawn", wordsInAll([]string{"a b", "c", "d e f"}) == 6)
	places := make([]int, 3)
	check("scope", fillAll(context.Background(), places, []int{1, 2, 3}) == nil && places[1] == 2)
	check("failure", fillAll(context.Background(), places, []int{4, -1, 6}) != nil)
	check("channel", stream() == 499500)
	checkSelect()
	checkMutex()
	text, err := readFile(os.Args[0])
	check("blocking", err == nil && text[1:4] == "ELF")
	check("compute", math.Abs(pi(100000)-math.Pi) < 1e-6)
}
