package main

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	contender "filch/bench/harness/go"
)

// As in threads.hpp: the clock's number is made of the thread's id.
func threadTime(id int) time.Duration {
	var used syscall.Timespec
	clock := uint32(^id<<3 | 6)
	_, _, failed := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&used)), 0)
	if failed != 0 {
		return 0 // the thread has just ended
	}
	return time.Duration(used.Nano())
}

// Of all threads but the calling one.
func otherThreads() (used time.Duration) {
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, task := range tasks {
		if id, _ := strconv.Atoi(task.Name()); id != syscall.Gettid() {
			used += threadTime(id)
		}
	}
	return used
}

func spin(length time.Duration) {
	for begin := time.Now(); time.Since(begin) < length; {
	}
}

func work() {
	var all sync.WaitGroup
	all.Add(1000)
	for i := 0; i < 1000; i++ {
		go func() {
			spin(100 * time.Microsecond)
			all.Done()
		}()
	}
	all.Wait()
}

// As measure_quiet in the C++ problem: processor time after the last job.
func measureQuiet(seconds int64) float64 {
	work()
	before := otherThreads()
	time.Sleep(time.Duration(seconds) * time.Second)
	return (otherThreads() - before).Seconds() * 1e3 / float64(seconds)
}

func main() {
	me := contender.New("idle", 10)
	me.Require(me.Size > 0 && me.Variant("quiet") == "quiet", "--size counts seconds, from 1 on, and --case must be quiet")
	runtime.LockOSThread() // so that both readings leave out the same thread
	for i := 0; i < me.Repeat(); i++ {
		me.Report([]contender.Value{{Name: "cpu_ms_per_second", Is: measureQuiet(me.Size)}}, true)
	}
	me.Exit()
}
