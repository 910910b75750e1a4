#include <filch/trace/analysis_part.hpp>

#include <filch/event/analysis_fields.hpp>

#include <algorithm>
#include <bit>
#include <span>

namespace filch::inline v0_2::trace {
namespace {

// A site that forks takes half a kilobyte of memory and some bytes of a file. No program has as
// many.
constexpr std::size_t most_sites_analyzed = 1u << 16;

// Of most numbers the last bytes of the fraction are 0, and a varint is short where its first are.
void put_value(byte_writer& to, double value) {
  to.put(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
}
void put_value(byte_writer& to, std::uint64_t value) { to.put(value); }
void put_value(byte_writer& to, const duration_histogram& value) {
  for (const std::uint64_t each : value.counts) to.put(each);
}

void take_value(byte_reader& from, double& value) {
  value = std::bit_cast<double>(__builtin_bswap64(from.take()));
}
void take_value(byte_reader& from, std::uint64_t& value) { value = from.take(); }
void take_value(byte_reader& from, duration_histogram& value) {
  for (std::uint64_t& each : value.counts) each = from.take();
}

/// How the values of a field are written, for a reader that does not know the field.
enum class field_coding : std::uint8_t { count, real, histogram };
constexpr field_coding field_coding_of(const std::uint64_t&) noexcept {
  return field_coding::count;
}
constexpr field_coding field_coding_of(const double&) noexcept { return field_coding::real; }
constexpr field_coding field_coding_of(const duration_histogram&) noexcept {
  return field_coding::histogram;
}

template <class Fields, class Of>
void put_fields(byte_writer& part, const Fields& fields, std::span<const Of> all) {
  part.put(fields.size());
  const auto put_field = [&](std::string_view name, auto member) {
    byte_writer values;
    for (const Of& each : all) put_value(values, each.*member);
    part.put_text(name);
    part.put(static_cast<std::uint64_t>(field_coding_of(Of{}.*member)));
    part.put_text(values.bytes());
  };
  for (const auto& field : fields)
    std::visit([&](auto member) { put_field(field.name, member); }, field.value);
}

// A field that the file does not have keeps its value. A field that this program does not know, or
// not in this coding, is skipped.
template <class Fields, class Of>
void take_fields(byte_reader& part, const Fields& fields, std::span<Of> all) {
  const auto take_values = [&](auto member, std::uint64_t how, byte_reader& values) {
    if (how != static_cast<std::uint64_t>(field_coding_of(Of{}.*member))) return;
    for (Of& each : all) take_value(values, each.*member);
  };
  for (std::size_t left = part.take_count("the number of fields"); left > 0; --left) {
    const std::string name{part.take_text()};
    const std::uint64_t how = part.take();
    byte_reader values{part.take_text(), "the field '" + name + "'"};
    const auto known = std::ranges::find(fields, name, [](const auto& each) { return each.name; });
    if (known == fields.end()) continue;
    std::visit([&](auto member) { take_values(member, how, values); }, known->value);
  }
}

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
