#pragma once
// Coroutines on the same workers: `filch::task`.
#include <filch/co/task.hpp>
