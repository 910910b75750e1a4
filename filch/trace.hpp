#pragma once
// Record what a program's workers do: `filch::trace_session`, recordings and their files.
#include <filch/trace/file.hpp>
#include <filch/trace/session.hpp>
