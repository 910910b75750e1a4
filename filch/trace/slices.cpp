#include <filch/trace/slices.hpp>

#include <algorithm>

namespace filch::inline v0_2::trace {
namespace {

/// Makes the slices of one worker from its entries, one by one.
class track {
 public:
  track(const event::recording& all, std::uint32_t worker)
      : all_{all}, now_{.worker = worker, .is_known = false} {
    const std::int64_t known_from = all.workers[worker].complete_from_ns;
    if (known_from != 0) close(known_from);
  }

  void add(const event::entry& each) {
    const event::record& what = each.what;
    std::uint32_t site = now_.site;
    if (event::names_site(what.what)) site = what.amount;
    if (what.doing == event::activity::searching || what.doing == event::activity::parked ||
        what.doing == event::activity::away)
      site = 0;
    const bool is_other_job = what.what == event::kind::job_changed;  // of the same site, perhaps
    if (has_begun_ && what.doing == now_.doing && site == now_.site && !is_other_job) return;
    close(each.at_ns);
    has_begun_ = now_.is_known = true;
    now_.doing = what.doing;
    now_.site = site;
  }
  std::vector<slice> finish() {
    close(all_.length_ns);
    return std::move(done_);
  }

 private:
  void close(std::int64_t at_ns) {
    // The time before its worker's records are complete is left out
    now_.end_ns = std::max(at_ns, now_.begin_ns);
    const bool is_seen = has_begun_ ? now_.doing != event::activity::away
                                    : all_.workers[now_.worker].complete_from_ns != 0;
    if (is_seen && now_.begin_ns < now_.end_ns) done_.push_back(now_);
    now_.begin_ns = now_.end_ns;
  }

  const event::recording& all_;
  slice now_;
  bool has_begun_ = false;
  std::vector<slice> done_;
};

}  // namespace

std::vector<slice> slices_of(const event::recording& all) {
  std::vector<track> tracks;
  for (std::uint32_t worker = 0; worker < all.workers.size(); ++worker)
    tracks.emplace_back(all, worker);
  for (const event::entry& each : all.entries) tracks[each.worker].add(each);
  std::vector<slice> slices;
  for (track& each : tracks) {
    const std::vector<slice> of_worker = each.finish();
    slices.insert(slices.end(), of_worker.begin(), of_worker.end());
  }
  return slices;
}

std::optional<std::uint32_t> other_end(const event::recording& all, const event::entry& of) {
  const auto found = std::ranges::find_if(all.workers, [&](const event::recorded_worker& each) {
    return each.pool == all.workers[of.worker].pool && each.index == of.what.other;
  });
  if (found == all.workers.end()) return {};
  return static_cast<std::uint32_t>(found - all.workers.begin());
}

}  // namespace filch::trace
