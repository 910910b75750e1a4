#pragma once
// What `pool_options::on_starvation` gets: where the threads of a pool wait.
#include <filch/sched/pool/starvation.hpp>
