#pragma once
// A pool that sleeps in a context, for the tests of this room.
#include <filch/io.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace filch::inline v0_2::io {

/// A fixture: INSTANTIATE_TEST_SUITE_P(workers, <name>, testing::Values(1u, 2u)).
class io_on : public testing::TestWithParam<unsigned> {
 protected:
  io_on() : pool_{std::make_unique<thread_pool>(pool_options{.workers = GetParam()})} {
    io.attach(*pool_);
  }
  ~io_on() override { pool_.reset(); }
  thread_pool& pool() { return *pool_; }
  /// Afterwards no worker runs posted functions. For a test whose callbacks use its own variables.
  void end_pool() { pool_.reset(); }

 private:
  std::unique_ptr<thread_pool> pool_;

 public:
  context io;
};

/// The same for the executor of that pool.
class executor_on : public io_on {
 protected:
  executor here() { return executor{io}; }
};

/// The same for I/O objects other than TCP sockets and timers.
class objects_on : public io_on {};

}  // namespace filch::io
