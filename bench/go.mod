module filch/bench

go 1.19
