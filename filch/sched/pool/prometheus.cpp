// Metrics as text for Prometheus: families in the order of the tables that name them, with the
// samples of each together, as the format requires.
#include <filch/sched/pool/prometheus.hpp>

#include <filch/sched/pool/pool.hpp>
#include <filch/sched/pool/read_metrics.hpp>
#include <filch/sched/pool/registry.hpp>

#include <charconv>
#include <ostream>
#include <string>
#include <string_view>

namespace filch::inline v0_2 {
namespace {

class page {
 public:
  explicit page(std::span<const metrics_snapshot> pools) : pools_{pools} {}

  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = "filch_";
    name_ += name;
    ((text_ += "# HELP ") += name_) += ' ';
    ((((text_ += help) += "\n# TYPE ") += name_) += ' ') += type;
    text_ += '\n';
  }
  /// `value(worker)` of each worker of each pool.
  template <class Value>
  void per_worker(Value&& value, std::string_view more_labels = {}) {
    each_worker([&](const std::string& labels, const worker_metrics& worker) {
      sample("", labels, more_labels, value(worker));
    });
  }
  template <class Value>
  void per_pool(Value&& value) {
    for (const metrics_snapshot& pool : pools_)
      sample("", "pool=\"" + std::to_string(pool.pool) + '"', {}, value(pool));
  }
  void histograms(time_histogram worker_metrics::*which, std::string_view more_labels = {}) {
    each_worker([&](const std::string& labels, const worker_metrics& worker) {
      histogram(worker.*which, more_labels.empty() ? labels : (labels + ',').append(more_labels));
    });
  }
  const std::string& text() const noexcept { return text_; }

 private:
  template <class Do>
  void each_worker(Do&& act) {
    for (const metrics_snapshot& pool : pools_) {
      for (std::size_t i = 0; i < pool.workers.size(); ++i) {
        act("pool=\"" + std::to_string(pool.pool) + "\",worker=\"" + std::to_string(i) + '"',
            pool.workers[i]);
      }
    }
  }
  void histogram(const time_histogram& shown, const std::string& labels) {
    std::uint64_t up_to_here = 0;
    for (std::size_t k = 0; k + 1 < shown.counts.size(); ++k) {
      up_to_here += shown.counts[k];
      const std::string end = number(static_cast<double>(event::end_of_class(k)) * 1e-6);
      sample("_bucket", labels, "le=\"" + end + '"', up_to_here);
    }
    sample("_bucket", labels, "le=\"+Inf\"", shown.count());
    sample("_sum", labels, {}, shown.sum_seconds);
    sample("_count", labels, {}, shown.count());
  }
  template <class Number>
  void sample(std::string_view suffix, std::string_view labels, std::string_view more_labels,
              Number value) {
    (((text_ += name_) += suffix) += '{') += labels;
    if (!more_labels.empty()) (text_ += ',') += more_labels;
    ((text_ += "} ") += number(value)) += '\n';
  }
  // Not with the stream's own format, which may write commas between thousands.
  template <class Number>
  static std::string number(Number value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
  }

  std::span<const metrics_snapshot> pools_;
  std::string name_;
  std::string text_;
};

std::string state_label(const sched::time_field& of) {
  return std::string{"state=\""} + of.name + '"';
}

void write_counters(page& to) {
  for (const event::description& each : event::schema) {
    const auto field = sched::count_fields[static_cast<std::size_t>(each.what)];
    // In seconds, below
    if (each.what == event::kind::run_delayed || each.what == event::kind::slept_in_job) continue;
    to.family(std::string{each.name} + "_total", "counter", each.meaning);
    to.per_worker([field](const worker_metrics& worker) { return worker.*field; });
  }
  const auto seconds_of = [](std::uint64_t worker_metrics::*microseconds) {
    return [microseconds](const worker_metrics& worker) {
      return static_cast<double>(worker.*microseconds) * 1e-6;
    };
  };
  to.family("run_delay_seconds_total", "counter",
            "time ready to run while the kernel ran something else; known while somebody records");
  to.per_worker(seconds_of(&worker_metrics::run_delay_us));
  to.family("slept_in_jobs_seconds_total", "counter",
            "time asleep in the kernel in the middle of jobs, slot in hand; known while somebody "
            "records");
  to.per_worker(seconds_of(&worker_metrics::slept_in_jobs_us));
}

void write_starvations(page& to) {
  to.family("starvations_total", "counter",
            "times that all threads waited for a second while a job was queued");
  to.per_pool([](const metrics_snapshot& pool) { return pool.starvations; });
}

void write_times(page& to) {
  to.family("state_seconds_total", "counter",
            "time that workers spent in each state, the present one included");
  for (const sched::time_field& each : sched::time_fields) {
    to.per_worker([&each](const worker_metrics& worker) { return worker.*each.seconds; },
                  state_label(each));
  }
  to.family("interval_seconds", "histogram",
            "how long workers stayed in a state, each time that they left it");
  for (const sched::time_field& each : sched::time_fields)
    to.histograms(each.intervals, state_label(each));
  to.family("wake_latency_seconds", "histogram",
            "from the choice of a sleeping worker for a wake to that worker running");
  to.histograms(&worker_metrics::wake_latency);
}

void write_gauges(page& to) {
  to.family("slots", "gauge", "how many workers may run at once");
  to.per_pool([](const metrics_snapshot& pool) { return pool.slot_count; });
  to.family("ready_jobs", "gauge", "jobs in the ready queues of all slots");
  to.per_pool([](const metrics_snapshot& pool) { return pool.ready_jobs; });
  to.family("in_state", "gauge", "1 for the state in which a worker is, else 0");
  for (const sched::time_field& each : sched::time_fields) {
    to.per_worker(
        [&each](const worker_metrics& worker) { return unsigned{worker.doing == each.what}; },
        state_label(each));
  }
}

}  // namespace

void write_prometheus(std::ostream& to, std::span<const metrics_snapshot> pools) {
  page made{pools};
  write_counters(made);
  write_starvations(made);
  write_times(made);
  write_gauges(made);
  to.write(made.text().data(), static_cast<std::streamsize>(made.text().size()));
}

void write_prometheus(std::ostream& to, const thread_pool& pool) {
  const metrics_snapshot now = pool.metrics();
  write_prometheus(to, {&now, 1});
}

void write_prometheus(std::ostream& to) { write_prometheus(to, pool_registry::metrics()); }

}  // namespace filch
