#pragma once
#include <bench/duplicates/problem.hpp>
#include <filch/filch.hpp>

namespace bench::duplicates {

/// Loops become `parallel_for`; while a file is being read, its worker's place goes to another.
struct on_workers {
  template <class Body>
  void for_each_index(std::size_t count, const Body& body) const {
    filch::parallel_for(std::size_t{0}, count, body);
  }
  template <class Wait>
  auto wait_for(const Wait& wait) const {
    return filch::blocking(wait);
  }
};

inline answer on_filch(const parameters& p, observer& watcher = no_observer()) {
  return search<on_workers>{{}, watcher}(p);
}

}  // namespace bench::duplicates
