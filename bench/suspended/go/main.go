package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	contender "filch/bench/harness/go"
)

func residentBytes() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	kib := 0.0
	for _, line := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(line, "VmRSS:") {
			fmt.Sscanf(line, "VmRSS: %g", &kib)
		}
	}
	return kib * 1024
}

func gather(tasks int64) (bytes float64, left int64) {
	end := make(chan struct{})
	var came, gone int64
	var waiting sync.WaitGroup
	waiting.Add(int(tasks))
	before := residentBytes()
	for i := int64(0); i < tasks; i++ {
		go func() {
			atomic.AddInt64(&came, 1)
			<-end
			atomic.AddInt64(&gone, 1)
			waiting.Done()
		}()
	}
	for atomic.LoadInt64(&came) != tasks {
		runtime.Gosched()
	}
	bytes = residentBytes() - before
	close(end)
	waiting.Wait()
	return bytes, gone
}

func main() {
	me := contender.New("suspended", 1_000_000)
	begin := time.Now()
	bytes, left := gather(me.Size)
	seconds := time.Since(begin).Seconds()
	me.Report([]contender.Value{{Name: "seconds", Is: seconds}, {Name: "bytes_a_task", Is: bytes / float64(me.Size)}}, left == me.Size)
	me.Exit()
}
