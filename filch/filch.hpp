#pragma once
// Everything: fork-join, pools, parallel loops. See fork.hpp and algo.hpp for less.
#include <filch/algo.hpp>
#include <filch/fork.hpp>
