#pragma once
// Deterministic schedules for tests: `filch::testing::explore`, `replay`. A test program links
// `filch::testing` instead of `filch::filch`.
#include <filch/testing/explore.hpp>
#include <filch/testing/noise.hpp>
#include <filch/testing/points.hpp>
