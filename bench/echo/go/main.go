package main

import (
	"bytes"
	"io"
	"net"
	"strconv"

	contender "filch/bench/harness/go"
)

const messageBytes = 64

func sendBack(socket net.Conn) {
	defer socket.Close()
	data := make([]byte, messageBytes)
	for {
		if _, err := io.ReadFull(socket, data); err != nil {
			return
		}
		if _, err := socket.Write(data); err != nil {
			return
		}
	}
}

func ask(server string, count uint64, whole chan<- uint64) {
	good := uint64(0)
	defer func() { whole <- good }()
	socket, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer socket.Close()
	sent, received := make([]byte, messageBytes), make([]byte, messageBytes)
	for i := uint64(0); i < count; i++ {
		for k := range sent {
			sent[k] = byte(i)
		}
		if _, err := socket.Write(sent); err != nil {
			return
		}
		if _, err := io.ReadFull(socket, received); err != nil {
			return
		}
		if bytes.Equal(sent, received) {
			good++
		}
	}
}

func echo(messages, connections uint64) (sum uint64) {
	acceptor, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0
	}
	defer acceptor.Close()
	whole := make(chan uint64, connections)
	for i := uint64(0); i < connections; i++ {
		go ask(acceptor.Addr().String(), messages/connections, whole)
	}
	for i := uint64(0); i < connections; i++ {
		socket, err := acceptor.Accept()
		if err != nil {
			return 0
		}
		go sendBack(socket)
	}
	for i := uint64(0); i < connections; i++ {
		sum += <-whole
	}
	return sum
}

func main() {
	me := contender.New("echo", 64_000)
	connections, err := strconv.ParseUint(me.Variant("16"), 10, 32)
	messages := uint64(me.Size)
	me.Require(err == nil && connections > 0 && messages%connections == 0,
		"--case is a number of connections, and --size a multiple of it")
	me.Equals(messages, func() uint64 { return echo(messages, connections) })
	me.Exit()
}
