#pragma once
// How parallel a program is: `filch::analyze`, what it would take on more workers, and what if a
// part of it were quicker.
#include <filch/span/analyze.hpp>
#include <filch/span/predict.hpp>
