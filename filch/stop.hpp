#pragma once
// What `thread_pool::stop` takes and gives: an end in time, and a report on what would not end.
#include <filch/sched/stop.hpp>
