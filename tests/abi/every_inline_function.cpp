// Every inline function of the public headers, compiled as if a program called it (CMakeLists.txt).
#include <filch/algo.hpp>
#include <filch/analyze.hpp>
#include <filch/co.hpp>
#include <filch/filch.hpp>
#include <filch/fork.hpp>
#include <filch/io.hpp>
#include <filch/metrics.hpp>
#include <filch/starvation.hpp>
#include <filch/stop.hpp>
#include <filch/sync.hpp>
#include <filch/timers.hpp>
#include <filch/trace.hpp>
#include <filch/version.hpp>
