#include <filch/trace/analysis_part.hpp>

#include <filch/event/analysis_fields.hpp>
#include <filch/trace/fields.hpp>

#include <algorithm>
#include <span>

namespace filch::inline v0_2::trace {
namespace {

// A site that forks takes half a kilobyte of memory and some bytes of a file. No program has as
// many.
constexpr std::size_t most_sites_analyzed = 1u << 16;

}  // namespace

void put_site(byte_writer& part, const event::call_site& site) {
  part.put(site.address);
  part.put_text(site.module);
  part.put(site.offset);
  part.put_text(site.name);
}

event::call_site take_site(byte_reader& part) {
  event::call_site taken;
  taken.address = part.take();
  taken.module = part.take_text();
  taken.offset = part.take();
  taken.name = part.take_text();
  return taken;
}

byte_writer analysis_part(const analysis::result& of) {
  byte_writer part;
  const std::span<const analysis::site> sites{of.sites.data(),
                                              std::min(of.sites.size(), most_sites_analyzed)};
  part.put(sites.size());
  for (const analysis::site& each : sites) put_site(part, each.where);
  put_fields(part, event::site_fields, sites);
  put_fields(part, event::analysis_fields, std::span{&of, 1});
  put_fields(part, event::cost_fields, std::span{&of.costs, 1});
  return part;
}

analysis::result read_analysis(byte_reader& part) {
  analysis::result made;
  for (auto left = part.take_up_to(most_sites_analyzed, "the number of sites"); left > 0; --left)
    made.sites.emplace_back().where = take_site(part);
  take_fields(part, event::site_fields, std::span{made.sites});
  take_fields(part, event::analysis_fields, std::span{&made, 1});
  take_fields(part, event::cost_fields, std::span{&made.costs, 1});
  if (!event::is_sound(made)) part.fail("holds a time that is none");
  return made;
}

}  // namespace filch::trace
