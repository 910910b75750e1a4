#pragma once
// Seeing what a program's workers do: `filch::trace_session`, recordings and their files, metrics for Prometheus.
#include <filch/sched/prometheus.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/session.hpp>
