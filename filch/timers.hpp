#pragma once
// Waits for a time: `sleep_for`, `sleep_until` and `interval`, for coroutines, plain jobs and
// threads, and `with_timeout`.
#include <filch/co/timers/interval.hpp>
#include <filch/co/timers/sleep.hpp>
#include <filch/co/timers/with_timeout.hpp>
