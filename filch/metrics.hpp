#pragma once
// What a program's pools counted: `thread_pool::metrics()` and its text for Prometheus.
#include <filch/sched/metrics.hpp>
#include <filch/sched/pool.hpp>
#include <filch/sched/prometheus.hpp>
