#pragma once
// Fork-join on plain functions: `filch::join`, `filch::task_group`, `filch::worker_local`, pools,
// `filch::blocking`.
#include <filch/fork/join.hpp>
#include <filch/fork/task_group.hpp>
#include <filch/fork/worker_local.hpp>
#include <filch/sched/pool/pool.hpp>
