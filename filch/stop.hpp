#pragma once
// What `thread_pool::stop` takes and gives: a deadline, and a report on what did not end by then.
#include <filch/sched/pool/stop.hpp>
