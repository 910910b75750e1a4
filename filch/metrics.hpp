#pragma once
// Counters of a program's pools: `thread_pool::metrics()`, and as text for Prometheus.
#include <filch/sched/pool/metrics.hpp>
#include <filch/sched/pool/pool.hpp>
#include <filch/sched/pool/prometheus.hpp>
