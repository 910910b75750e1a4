#pragma once
// Work on more than one machine, over MPI: `dist::world`, `dist::for_each_task`,
// `dist::divide_and_conquer`, `dist::map_reduce`, and `dist::run` for bags of your own. Needs the
// library `filch::dist`, so `<filch/filch.hpp>` leaves it out.
#include <filch/dist/archive.hpp>
#include <filch/dist/bag.hpp>
#include <filch/dist/by_key.hpp>
#include <filch/dist/communicator.hpp>
#include <filch/dist/divide_and_conquer.hpp>
#include <filch/dist/for_each_task.hpp>
#include <filch/dist/map_reduce.hpp>
#include <filch/dist/options.hpp>
#include <filch/dist/report.hpp>
#include <filch/dist/world.hpp>
