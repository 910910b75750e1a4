#pragma once
#include <filch/fork.hpp>

#include <gtest/gtest.h>

namespace filch::inline v0_2 {

/// Every claim holds alone, in company, and with more workers than cores.
class join_on : public ::testing::TestWithParam<unsigned> {
 protected:
  thread_pool pool{{.workers = GetParam()}};
};

}  // namespace filch
