#include <filch/span/site_names.hpp>

#include <filch/trace/process_files.hpp>
#include <filch/trace/symbols.hpp>

#include <unistd.h>

#include <utility>

namespace filch::inline v0_2::span {

void name_sites(std::vector<analysis::site>& sites) {
  std::vector<event::call_site> named;
  for (analysis::site& each : sites) named.push_back(std::move(each.where));
  trace::name_sites(named, trace::executable_lines(::getpid()));
  for (std::size_t i = 0; i < sites.size(); ++i) {
    sites[i].where = std::move(named[i]);
    if (sites[i].where.address == 0) sites[i].where.name = "outside every fork";
  }
}

}  // namespace filch::span
