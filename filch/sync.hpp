#pragma once
// What waits by suspending: locks, events and channels for coroutines, plain jobs and threads
// alike.
#include <filch/co/sync/async_barrier.hpp>
#include <filch/co/sync/async_condition.hpp>
#include <filch/co/sync/async_event.hpp>
#include <filch/co/sync/async_latch.hpp>
#include <filch/co/sync/async_mutex.hpp>
#include <filch/co/sync/async_semaphore.hpp>
#include <filch/co/sync/async_shared_mutex.hpp>
#include <filch/co/sync/broadcast.hpp>
#include <filch/co/sync/channel.hpp>
#include <filch/co/sync/oneshot.hpp>
#include <filch/co/sync/select.hpp>
