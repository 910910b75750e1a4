#pragma once
// Counters of a program's pools: `thread_pool::metrics()`, and as text for Prometheus.
#include <filch/sched/metrics.hpp>
#include <filch/sched/pool.hpp>
#include <filch/sched/prometheus.hpp>
