#pragma once
// How parallel a program is: `filch::analyze`, its time on more workers
// (`filch::analysis::predict`), and its time if a part of it were faster
// (`filch::analysis::what_if`).
#include <filch/span/analyze.hpp>
#include <filch/span/predict.hpp>
