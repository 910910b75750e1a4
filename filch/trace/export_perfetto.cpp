// Perfetto's trace format: protocol buffers, written by hand. The numbers are those of its fields
// in perfetto_trace.proto.
#include <filch/trace/export.hpp>

#include <filch/trace/bytes.hpp>
#include <filch/trace/slices.hpp>

namespace filch::inline v0_2::trace {
namespace {

/// A message of protocol buffers, field by field.
class message {
 public:
  message& number(std::uint32_t field, std::uint64_t value) {
    bytes_.put(field << 3 | 0);
    bytes_.put(value);
    return *this;
  }
  message& fixed(std::uint32_t field, std::uint64_t value) {
    bytes_.put(field << 3 | 1);
    std::string eight;
    for (int i = 0; i < 8; ++i) eight.push_back(static_cast<char>(value >> 8 * i));
    bytes_.put_bytes(eight);
    return *this;
  }
  message& text(std::uint32_t field, std::string_view value) {
    bytes_.put(field << 3 | 2);
    bytes_.put_text(value);
    return *this;
  }
  message& nested(std::uint32_t field, const message& value) {
    return text(field, value.bytes_.bytes());
  }
  const std::string& bytes() const { return bytes_.bytes(); }

 private:
  byte_writer bytes_;
};

namespace trace_fields {
constexpr std::uint32_t packet = 1;
}
namespace packet_fields {
constexpr std::uint32_t timestamp = 8, sequence_id = 10, track_event = 11, track_descriptor = 60;
}
namespace event_fields {
constexpr std::uint32_t annotation = 4, type = 9, track_uuid = 11, category = 22, name = 23,
                        flow = 47, last_flow = 48;
}
namespace annotation_fields {
constexpr std::uint32_t number = 3, text = 6, name = 10;
}
namespace track_fields {
constexpr std::uint32_t uuid = 1, process = 3, thread = 4;
}
enum class event_type : std::uint64_t { slice_begin = 1, slice_end = 2, instant = 3 };

constexpr std::uint64_t process_track = 1;
constexpr std::uint64_t track_of(std::uint32_t worker) { return worker + std::uint64_t{2}; }

class perfetto_writer {
 public:
  explicit perfetto_writer(const event::recording& all) : all_{all} {}

  std::string write() {
    describe();
    for (const slice& each : slices_of(all_)) put(each);
    for (const event::entry& each : all_.entries) put(each);
    return trace_.bytes();
  }

 private:
  void describe() {
    const auto pid = static_cast<std::uint64_t>(all_.process_id);
    const message process = message{}.number(1, pid).text(6, all_.program);
    put_track(
        message{}.number(track_fields::uuid, process_track).nested(track_fields::process, process));
    for (std::uint32_t i = 0; i < all_.workers.size(); ++i) {
      // Two workers may have had one thread, and a track is known by its thread: so the worker
      // stands in its place.
      const message thread =
          message{}.number(1, pid).number(2, pid + 1 + i).text(5, text_of(all_.workers[i]));
      put_track(
          message{}.number(track_fields::uuid, track_of(i)).nested(track_fields::thread, thread));
    }
  }

  void put_track(const message& descriptor) {
    trace_.nested(trace_fields::packet, message{}
                                            .number(packet_fields::sequence_id, 1)
                                            .nested(packet_fields::track_descriptor, descriptor));
  }

  void put_event(std::int64_t at_ns, const message& event) {
    trace_.nested(trace_fields::packet,
                  message{}
                      .number(packet_fields::timestamp, static_cast<std::uint64_t>(at_ns))
                      .number(packet_fields::sequence_id, 1)
                      .nested(packet_fields::track_event, event));
  }

  static message event_of(event_type type, std::uint32_t worker) {
    return message{}
        .number(event_fields::type, static_cast<std::uint64_t>(type))
        .number(event_fields::track_uuid, track_of(worker));
  }

  void put(const slice& each) {
    message begin = event_of(event_type::slice_begin, each.worker);
    begin.text(event_fields::category, "state")
        .text(event_fields::name, each.is_known ? name_of(each.doing) : "not recorded");
    if (each.site != 0) annotate(begin, "site", text_of(all_.sites[each.site]));
    put_event(each.begin_ns, begin);
    put_event(each.end_ns, event_of(event_type::slice_end, each.worker));
  }

  void put(const event::entry& each) {
    const event::record& what = each.what;
    if (is_told_by_slices(what.what)) return;
    message instant = event_of(event_type::instant, each.worker);
    instant.text(event_fields::category, "event")
        .text(event_fields::name, event::schema[static_cast<std::size_t>(what.what)].name);
    if (what.what == event::kind::job_run) {
      annotate(instant, "site", text_of(all_.sites[what.amount]));
    } else {
      annotate(instant, "amount", what.amount);
    }
    if (event::is_worker(what.other)) annotate(instant, "other", what.other);
    if (what.other == event::record::outside) annotate(instant, "other", std::string{"outside"});
    if (what.what == event::kind::steal_won) put_arrow(each, instant);
    put_event(each.at_ns, instant);
  }

  // An arrow goes from an instant at the victim to the steal itself.
  void put_arrow(const event::entry& steal, message& instant) {
    const auto victim = other_end(all_, steal);
    if (!victim) return;
    message robbed = event_of(event_type::instant, *victim);
    robbed.text(event_fields::category, "steal")
        .text(event_fields::name, "robbed")
        .fixed(event_fields::flow, ++arrows_);
    put_event(steal.at_ns, robbed);
    instant.fixed(event_fields::last_flow, arrows_);
  }

  static void annotate(message& event, std::string_view name, std::string_view value) {
    event.nested(
        event_fields::annotation,
        message{}.text(annotation_fields::name, name).text(annotation_fields::text, value));
  }
  static void annotate(message& event, std::string_view name, std::uint64_t value) {
    event.nested(
        event_fields::annotation,
        message{}.text(annotation_fields::name, name).number(annotation_fields::number, value));
  }

  const event::recording& all_;
  message trace_;
  std::uint64_t arrows_ = 0;
};

}  // namespace

std::string to_perfetto(const event::recording& all) { return perfetto_writer{all}.write(); }

}  // namespace filch::trace
