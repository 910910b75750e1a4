#pragma once
// Tables in a file whose columns are fields (`event::field`). Each column has its name, its coding
// and its length.
#include <filch/event/analysis_fields.hpp>
#include <filch/trace/bytes.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace filch::inline v0_2::trace {

// Of most numbers the last bytes of the fraction are 0, and a varint is short where its first are.
inline void put_value(byte_writer& to, double value) {
  to.put(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
}
inline void put_value(byte_writer& to, std::uint64_t value) { to.put(value); }
inline void put_value(byte_writer& to, const duration_histogram& value) {
  for (const std::uint64_t each : value.counts) to.put(each);
}

inline void take_value(byte_reader& from, double& value) {
  value = std::bit_cast<double>(__builtin_bswap64(from.take()));
}
inline void take_value(byte_reader& from, std::uint64_t& value) { value = from.take(); }
inline void take_value(byte_reader& from, duration_histogram& value) {
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

}  // namespace filch::trace
