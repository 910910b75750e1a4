package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	contender "filch/bench/harness/go"
)

func hello(answer http.ResponseWriter, _ *http.Request) {
	io.WriteString(answer, "hello\n")
}

// ownCPUSeconds is the processor time of this process.
func ownCPUSeconds() float64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return float64(used.Utime.Sec+used.Stime.Sec) + float64(used.Utime.Usec+used.Stime.Usec)*1e-6
}

func saidByWrk(address, connections string, seconds int64) string {
	said, _ := exec.Command("wrk", "--threads", "1", "--connections", connections,
		"--duration", strconv.FormatInt(seconds, 10), "http://"+address+"/hello").CombinedOutput()
	return string(said)
}

// loadOf is how many requests were answered, all of them as they should be, in how many seconds; 0 if not.
func loadOf(said string) (requests, seconds float64) {
	before, behind, found := strings.Cut(said, " requests in ")
	if !found || strings.Contains(said, "Socket errors") || strings.Contains(said, "Non-2xx") {
		return 0, 0
	}
	fmt.Sscanf(before[strings.LastIndex(before, " ")+1:], "%g", &requests)
	fmt.Sscanf(behind, "%gs", &seconds)
	return requests, seconds
}

func main() {
	me := contender.New("http", 2)
	connections := me.Variant("16")
	number, err := strconv.ParseUint(connections, 10, 32)
	me.Require(err == nil && number > 0 && number <= 1000, "--case is a number of connections, and --size one of seconds")
	acceptor, err := net.Listen("tcp", "127.0.0.1:0")
	me.Require(err == nil, "no port to listen at")
	go http.Serve(acceptor, http.HandlerFunc(hello))
	for i := 0; i < me.Repeat(); i++ {
		before := ownCPUSeconds()
		said := saidByWrk(acceptor.Addr().String(), connections, me.Size)
		cpu := ownCPUSeconds() - before
		requests, seconds := loadOf(said)
		sample := []contender.Value{{Name: "seconds"}, {Name: "cpu_us_a_request"}}
		if requests > 0 {
			sample[0].Is, sample[1].Is = seconds/requests, cpu/requests*1e6
		} else {
			fmt.Fprintf(os.Stderr, "wrk was not served as it should be, or is not installed: %s\n", said)
		}
		me.Report(sample, requests > 0)
	}
	me.Exit()
}
