#pragma once
// Coroutines on the same workers: `filch::task`, `spawn`, `block_on`, `co::scope`, `when_all`,
// `when_any`.
#include <filch/co/block_on.hpp>
#include <filch/co/blocking.hpp>
#include <filch/co/fork.hpp>
#include <filch/co/schedule_on.hpp>
#include <filch/co/scope.hpp>
#include <filch/co/spawn.hpp>
#include <filch/co/stop_token.hpp>
#include <filch/co/task.hpp>
#include <filch/co/when_all.hpp>
#include <filch/co/when_any.hpp>
#include <filch/co/yield.hpp>
