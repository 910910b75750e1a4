#pragma once
// Locks, events and channels for coroutines, which they suspend, and for plain jobs and threads.
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
