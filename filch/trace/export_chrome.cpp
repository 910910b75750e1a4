// The Trace Event Format. Source: "Trace Event Format", Google, 2016.
#include <filch/trace/export.hpp>

#include <filch/trace/slices.hpp>

#include <array>
#include <cstdio>
#include <string_view>

namespace filch::inline v0_2::trace {
namespace {

/// Text in quotes. Names of files need not be UTF-8, and JSON must be: what is not ASCII is written
/// as a question mark.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char each : text) {
    const bool is_plain = each >= ' ' && each < '\x7f';
    if (each == '"' || each == '\\') out.push_back('\\');
    out.push_back(is_plain ? each : '?');
  }
  return out + "\"";
}

std::string microseconds(std::int64_t ns) {
  std::array<char, 32> text;
  const int length =
      std::snprintf(text.data(), text.size(), "%lld.%03lld", static_cast<long long>(ns / 1000),
                    static_cast<long long>(ns % 1000));
  return {text.data(), static_cast<std::size_t>(length)};
}

/// The events as they come, one a line.
class chrome_writer {
 public:
  explicit chrome_writer(const event::recording& all) : all_{all} {}

  std::string write() {
    begin("process_name", "M", 0, 0) += ",\"args\":{\"name\":" + quoted(all_.program) + "}}";
    for (std::uint32_t i = 0; i < all_.workers.size(); ++i) {
      begin("thread_name", "M", i, 0) +=
          ",\"args\":{\"name\":" + quoted(text_of(all_.workers[i])) + "}}";
    }
    for (const slice& each : slices_of(all_)) put(each);
    for (const event::entry& each : all_.entries) put(each);
    return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" + events_ + "\n]}\n";
  }

 private:
  /// An event without its end.
  std::string& begin(std::string_view name, const char* phase, std::uint32_t worker,
                     std::int64_t at_ns) {
    if (!events_.empty()) events_ += ",\n";
    events_ += "{\"name\":" + quoted(name) + ",\"ph\":\"" + phase +
               "\",\"pid\":" + std::to_string(all_.process_id) +
               ",\"tid\":" + std::to_string(worker + 1) + ",\"ts\":" + microseconds(at_ns);
    return events_;
  }

  void put(const slice& each) {
    begin(each.is_known ? name_of(each.doing) : "not recorded", "X", each.worker, each.begin_ns) +=
        ",\"cat\":\"state\",\"dur\":" + microseconds(each.end_ns - each.begin_ns);
    if (each.site != 0)
      events_ += ",\"args\":{\"site\":" + quoted(text_of(all_.sites[each.site])) + "}";
    events_ += "}";
  }

  void put(const event::entry& each) {
    if (is_told_by_slices(each.what.what)) return;
    begin(event::schema[static_cast<std::size_t>(each.what.what)].name, "i", each.worker,
          each.at_ns) += ",\"cat\":\"event\",\"s\":\"t\",\"args\":{" + arguments(each.what) + "}}";
    if (each.what.what == event::kind::steal_won) put_arrow(each);
  }

  std::string arguments(const event::record& what) const {
    std::string text = "\"amount\":" + std::to_string(what.amount);
    if (what.what == event::kind::job_run)
      text = "\"site\":" + quoted(text_of(all_.sites[what.amount]));
    if (event::is_worker(what.other)) text += ",\"other\":" + std::to_string(what.other);
    if (what.other == event::record::outside) text += ",\"other\":\"outside\"";
    return text;
  }

  void put_arrow(const event::entry& steal) {
    const auto victim = other_end(all_, steal);
    if (!victim) return;
    const std::string id = ",\"cat\":\"steal\",\"id\":" + std::to_string(++arrows_);
    begin("steal", "s", *victim, steal.at_ns) += id + "}";
    begin("steal", "f", steal.worker, steal.at_ns) += id + ",\"bp\":\"e\"}";
  }

  const event::recording& all_;
  std::string events_;
  std::uint64_t arrows_ = 0;
};

}  // namespace

std::string to_chrome(const event::recording& all) { return chrome_writer{all}.write(); }

}  // namespace filch::trace
