#include <filch/base/sort_stably.hpp>
#include <filch/base/text_file.hpp>
#include <filch/trace/analysis_part.hpp>
#include <filch/trace/bytes.hpp>
#include <filch/trace/compress.hpp>
#include <filch/trace/file.hpp>
#include <filch/trace/file_format.hpp>
#include <filch/trace/graphs_part.hpp>

#include <algorithm>
#include <limits>
#include <system_error>

namespace filch::inline v0_2::trace {
namespace {

constexpr std::uint64_t most_32 = std::numeric_limits<std::uint32_t>::max();
// 146 years, so that a sum of two times does not overflow
constexpr std::uint64_t longest_ns = std::uint64_t{1} << 62;

/// Builds a recording part by part. Every part is checked by itself; references between parts at
/// the end.
class parser {
 public:
  explicit parser(std::string_view bytes) : file_{bytes, "the file"} {}

  event::recording parse() {
    if (file_.left() < file_magic.size() || file_.take_bytes(file_magic.size()) != file_magic)
      file_.fail("is no recording of filch's");
    const std::uint64_t version = file_.take();
    if (version != file_version)
      file_.fail("has version " + std::to_string(version) + ", and this filch reads " +
                 std::to_string(file_version));
    while (!has_ended_) take_part();
    base::sort_stably(made_.entries, {}, &event::entry::at_ns);
    return std::move(made_);
  }

 private:
  void take_part() {
    if (file_.left() == 0) file_.fail("is cut off: its last part is missing");
    const std::string name{file_.take_text()};
    const auto how = static_cast<packing>(
        file_.take_up_to(static_cast<std::uint64_t>(packing::deflate), "the packing of a part"));
    const std::uint64_t size = file_.take();
    const std::uint64_t sum = file_.take();
    const std::string_view stored = file_.take_text();
    if (how == packing::plain && stored.size() != size)
      file_.fail("has a part '" + name + "' of another size than it says");
    const std::string unpacked =
        how == packing::deflate ? decompressed(stored, size) : std::string{};
    const std::string_view contents = how == packing::deflate ? std::string_view{unpacked} : stored;
    if (checksum(contents) != sum) file_.fail("has a part '" + name + "' that is damaged");
    byte_reader part{contents, "the part '" + name + "'"};
    read_part(name, part);
  }

  void read_part(std::string_view name, byte_reader& part) {
    if (name == part::about) return read_about(part);
    if (name == part::names) return read_names(part);
    if (name == part::pools) return read_pools(part);
    if (name == part::workers) return read_workers(part);
    if (name == part::sites) return read_sites(part);
    if (name == part::worker) return read_worker(part);
    if (name == part::analysis) made_.analyzed = read_analysis(part);
    if (name == part::graphs) made_.graphs = read_graphs(part);
    if (name == part::facts) return read_facts(part);
    if (name == part::end) return read_end(part);
  }

  std::int64_t take_time(byte_reader& part) {
    const std::int64_t time = part.take_signed();
    if (time < 0 || time > static_cast<std::int64_t>(longest_ns))
      part.fail("holds a time that is none");
    return time;
  }

  void read_about(byte_reader& part) {
    made_.program = part.take_text();
    made_.process_id = part.take_signed();
    made_.length_ns = take_time(part);
    if (part.left() == 0) return;
    for (std::size_t left = part.take_count("the number of arguments"); left > 0; --left)
      made_.arguments.emplace_back(part.take_text());
  }

  // By name: a record of an unknown kind still has the state of its worker.
  void read_names(byte_reader& part) {
    for (std::size_t left = part.take_count("the number of kinds"); left > 0; --left) {
      const std::string_view name = part.take_text();
      const auto known = std::ranges::find(event::schema, name, &event::description::name);
      kinds_.push_back(known == event::schema.end() ? unknown_kind : known->what);
    }
    for (std::size_t left = part.take_count("the number of activities"); left > 0; --left) {
      const auto known = std::ranges::find(event::activity_names, part.take_text());
      if (known == event::activity_names.end())
        part.fail("names an activity that this filch does not know");
      activities_.push_back(static_cast<event::activity>(known - event::activity_names.begin()));
    }
  }

  void read_pools(byte_reader& part) {
    for (std::size_t left = part.take_count("the number of pools"); left > 0; --left) {
      made_.pools.push_back(
          {static_cast<std::uint32_t>(part.take_up_to(most_32, "a number of slots"))});
    }
  }

  void read_workers(byte_reader& part) {
    for (std::size_t left = part.take_count("the number of workers"); left > 0; --left) {
      event::recorded_worker& added = made_.workers.emplace_back();
      if (made_.pools.empty()) part.fail("comes before its pools");
      added.pool = static_cast<std::uint32_t>(
          part.take_up_to(made_.pools.size() - 1, "the pool of a worker"));
      added.index = static_cast<std::uint32_t>(part.take_up_to(most_32, "the index of a worker"));
      added.thread_id = part.take_signed();
      added.complete_from_ns = take_time(part);
      added.lost = part.take();
    }
  }

  void read_sites(byte_reader& part) {
    for (std::size_t left = part.take_count("the number of sites"); left > 0; --left)
      made_.sites.push_back(take_site(part));
  }

  void read_worker(byte_reader& part) {
    if (made_.workers.empty()) part.fail("comes before the workers");
    const auto worker = static_cast<std::uint32_t>(
        part.take_up_to(made_.workers.size() - 1, "the number of a worker"));
    const std::size_t count = part.take_count("the number of events");
    const std::size_t first = made_.entries.size();
    std::uint64_t seen = 0;
    for (std::size_t left = part.take_count("the number of columns"); left > 0; --left) {
      const std::string name{part.take_text()};
      const auto how = static_cast<coding>(
          part.take_up_to(static_cast<std::uint64_t>(coding::steps), "the coding of a column"));
      byte_reader values{part.take_text(), "the column '" + name + "'"};
      const auto known = std::ranges::find(file_columns, name, &column::name);
      if (known == file_columns.end()) continue;
      if (values.left() < count) values.fail("has fewer values than there are events");
      made_.entries.resize(first + count);
      read_column(
          *known, how, values,
          {made_.entries.begin() + static_cast<std::ptrdiff_t>(first), made_.entries.end()});
      seen |= std::uint64_t{1} << (known - file_columns.begin());
    }
    if (seen != (std::uint64_t{1} << file_columns.size()) - 1) part.fail("lacks a column");
    for (std::size_t i = first; i < made_.entries.size(); ++i) {
      made_.entries[i].worker = worker;
      if (made_.entries[i].what.what != unknown_kind) continue;
      made_.entries[i].what.what = event::kind::state_changed;
      made_.entries[i].what.amount = 0;  // its amount counts no jobs
    }
  }

  void read_column(const column& which, coding how, byte_reader& values,
                   std::span<event::entry> into) {
    std::uint64_t before = 0;
    for (event::entry& each : into) {
      const std::uint64_t value = values.take() + (how == coding::steps ? before : 0);
      if (&which == &file_columns[0] && value < before) values.fail("goes back in time");
      set(which, each, value, values);
      before = value;
    }
  }

  static std::uint16_t optional_index(std::uint64_t value, byte_reader& values) {
    if (value > event::record::nobody) values.fail("holds an index that is none");
    return value == 0 ? event::record::nobody : static_cast<std::uint16_t>(value - 1);
  }

  void set(const column& which, event::entry& into, std::uint64_t value, byte_reader& values) {
    const auto at_most = [&](std::uint64_t most) {
      if (value > most)
        values.fail("holds " + std::to_string(value) + ", and at most " + std::to_string(most) +
                    " makes sense");
      return value;
    };
    const auto below = [&](std::size_t count) {
      if (count == 0) values.fail("comes before the names of its values");
      return at_most(count - 1);
    };
    switch (&which - file_columns.data()) {
      case 0:
        into.at_ns =
            static_cast<std::int64_t>(at_most(static_cast<std::uint64_t>(made_.length_ns)));
        break;
      case 1: into.what.what = kinds_[below(kinds_.size())]; break;
      case 2: into.what.doing = activities_[below(activities_.size())]; break;
      case 3:
        into.what.ready = static_cast<event::ready_work>(
            at_most(static_cast<std::uint64_t>(event::ready_work::some)));
        break;
      case 4: into.what.slot = optional_index(value, values); break;
      case 5: into.what.other = optional_index(value, values); break;
      default: into.what.amount = static_cast<std::uint32_t>(at_most(event::record::most)); break;
    }
  }

  void read_facts(byte_reader& part) {
    while (part.left() != 0) {
      const std::string_view name = part.take_text();
      const std::uint64_t value = part.take();
      const auto known = std::ranges::find(facts, name, &fact::name);
      if (known != facts.end()) made_.*known->value = value;
    }
  }

  void read_end(byte_reader& part) {
    if (part.take() != made_.entries.size())
      part.fail("tells of more or fewer events than there are");
    if (made_.sites.empty()) made_.sites.resize(1);
    for (const event::entry& each : made_.entries) {
      if (event::names_site(each.what.what) && each.what.amount >= made_.sites.size())
        part.fail("finds a job of a site that is not there");
    }
    has_ended_ = true;
  }

  static constexpr auto unknown_kind = static_cast<event::kind>(event::kind_count);

  byte_reader file_;
  bool has_ended_ = false;
  event::recording made_;
  std::vector<event::kind> kinds_;
  std::vector<event::activity> activities_;
};

}  // namespace

event::recording from_bytes(std::string_view bytes) { return parser{bytes}.parse(); }

event::recording read_file(const std::string& path) {
  const base::file_text file = base::read_text(path);
  if (file.error) throw std::system_error(file.error, "filch: cannot read the recording " + path);
  try {
    return from_bytes(file.text);
  } catch (const bad_file& problem) {
    throw bad_file("filch: " + path + ": " + problem.what());
  }
}

}  // namespace filch::trace
