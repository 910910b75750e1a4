#pragma once
// Coroutines on the same workers: `filch::task`, `spawn`, `block_on`.
#include <filch/co/block_on.hpp>
#include <filch/co/schedule_on.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/stop_token.hpp>
#include <filch/co/task.hpp>
#include <filch/co/yield.hpp>
