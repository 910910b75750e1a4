#include <filch/dist/protocol.hpp>

#include <algorithm>
#include <utility>

namespace filch::inline v0_2::dist {

protocol::protocol(const protocol_options& options, int rank, int size)
    : options_{options},
      rank_{rank},
      size_{size},
      tree_{tree_of(rank, size)},
      waves_{rank, size},
      ring_{rank, size},
      results_missing_{tree_.child_count()},
      heard_ns_(3) {
  for (const int each : dist::lifelines(rank, size, options.lifeline_base))
    lifelines_.push_back({each, false});
}

void protocol::begin(bool has_work, surroundings& here) {
  tries_left_ = size_ > 1 ? options_.random_tries : 0;
  on_local_work(has_work, here);
}

void protocol::on_local_work(bool has_work, surroundings& here) {
  has_work_ = has_work;
  if (is_over()) return;
  if (has_work) {
    tries_left_ = size_ > 1 ? options_.random_tries : 0;
    serve_lifelines(here);
  } else {
    seek_work(here);
  }
  look_for_the_end(here);
}

// ------------------------------------------------------------------------------------------------
// stealing

void protocol::seek_work(surroundings& here) {
  if (has_work_ || awaited_ >= 0 || phase_ != phase::running) return;
  if (tries_left_ > 0) {
    --tries_left_;
    awaited_ = random_victim(here.random(), rank_, size_);
    asked_at_ns_ = now_ns_;
    ++counts_.requests_sent;
    return send(awaited_, {.what = kind::request}, here);
  }
  for (lifeline& each : lifelines_) {
    if (std::exchange(each.is_asked, true)) continue;
    ++counts_.requests_sent;
    send(each.rank, {.what = kind::request, .is_lifeline = true}, here);
  }
}

/// True: sent. Never while a checkpoint is written.
bool protocol::give(int to, bool is_lifeline, surroundings& here) {
  if (!has_work_ || phase_ != phase::running) return false;
  std::optional<std::string> share = here.split();
  if (!share) return false;
  ++counts_.work_sent;
  send(to, {.what = kind::work, .is_lifeline = is_lifeline, .payload = std::move(*share)}, here);
  return true;
}

void protocol::serve_lifelines(surroundings& here) {
  while (!waiting_thieves_.empty() && give(waiting_thieves_.front(), true, here))
    waiting_thieves_.pop_front();
}

void protocol::on_request(int from, bool is_lifeline, surroundings& here) {
  if (is_lifeline && std::ranges::count(waiting_thieves_, from) != 0)
    return unexpected(from, {.what = kind::request, .is_lifeline = true}, here);
  // A thief that has waited longer gets its share first.
  serve_lifelines(here);
  if (waiting_thieves_.empty() && give(from, is_lifeline, here)) return;
  if (is_lifeline) return waiting_thieves_.push_back(from);
  send(from, {.what = kind::refusal}, here);
}

void protocol::on_refusal(int from, surroundings& here) {
  if (awaited_ != from) return unexpected(from, {.what = kind::refusal}, here);
  awaited_ = -1;
  ++counts_.refusals_received;
  seek_work(here);
}

void protocol::on_work(int from, const message& come, surroundings& here) {
  if (come.is_lifeline) {
    const auto at = std::ranges::find(lifelines_, from, &lifeline::rank);
    if (at == lifelines_.end() || !at->is_asked) return unexpected(from, come, here);
    at->is_asked = false;
  } else {
    if (awaited_ != from) return unexpected(from, come, here);
    awaited_ = -1;
  }
  ++counts_.work_received;
  has_work_ = true;
  tries_left_ = options_.random_tries;
  here.merge(come.payload);
  serve_lifelines(here);
}

// ------------------------------------------------------------------------------------------------
// the end

/// Without work, all have been asked, and only lifelines can still answer.
bool protocol::is_dormant() const noexcept {
  return !has_work_ && awaited_ < 0 && tries_left_ == 0 &&
         std::ranges::all_of(lifelines_, &lifeline::is_asked);
}

quietness protocol::how_quiet() const noexcept {
  const bool pauses = phase_ == phase::pausing;
  return {.is_quiet = is_dormant() || pauses,
          .is_busy = pauses && !is_dormant(),
          .sent = sent_,
          .received = received_};
}

void protocol::look_for_the_end(surroundings& here) {
  using outcome = counting_waves::outcome;
  if (phase_ != phase::running && phase_ != phase::pausing) return;
  if (options_.uses_ring) return ask_the_ring(here);
  while (waves_.is_out() || now_ns_ >= wave_not_before_ns_) {
    switch (waves_.step(how_quiet())) {
      case outcome::nothing: return;
      case outcome::again:
        counts_.waves = waves_.waves();
        if (waves_.is_stuck()) wave_not_before_ns_ = now_ns_ + options_.wave_pause_ns;
        if (!waves_.is_stuck()) stuck_since_ns_ = now_ns_;
        break;
      case outcome::answer: return send(tree_.parent, waves_.sums(), here);
      case outcome::ask_below: send_below({.what = kind::wave}, here); break;
      case outcome::all_quiet: return all_quiet(here);
    }
  }
}

void protocol::ask_the_ring(surroundings& here) {
  using outcome = token_ring::outcome;
  switch (ring_.step(how_quiet())) {
    case outcome::nothing: return;
    case outcome::pass_on: return send(ring_.next(), ring_.token(), here);
    case outcome::all_quiet: return finish(here);
  }
}

void protocol::all_quiet(surroundings& here) {
  counts_.waves = waves_.waves();
  waves_.sums().busy == 0 ? finish(here) : begin_saving(here);
}

void protocol::finish(surroundings& here) {
  phase_ = phase::finishing;
  send_below({.what = kind::finish}, here);
  send_result_if_complete(here);
}

void protocol::send_result_if_complete(surroundings& here) {
  if (results_missing_ != 0) return;
  if (tree_.parent >= 0)
    return send(tree_.parent, {.what = kind::result, .payload = here.result()}, here);
  on_total({.what = kind::total, .payload = here.result()}, here);
}

void protocol::on_result(const message& come, surroundings& here) {
  --results_missing_;
  here.add_result(come.payload);
  send_result_if_complete(here);
}

void protocol::on_total(const message& come, surroundings& here) {
  send_below(come, here);
  phase_ = phase::ended;
  here.set_total(come.payload);
}

// ------------------------------------------------------------------------------------------------
// checkpoints

void protocol::begin_checkpoint(surroundings& here) {
  if (phase_ != phase::running || rank_ != 0 || options_.uses_ring) return;
  phase_ = phase::pausing;
  send_below({.what = kind::pause}, here);
  look_for_the_end(here);
}

void protocol::begin_saving(surroundings& here) {
  phase_ = phase::saving;
  saves_missing_ = tree_.child_count() + 1;
  send_below({.what = kind::save}, here);
  here.begin_save();
}

void protocol::on_saved(surroundings& here) {
  if (phase_ == phase::saving) save_step(here);
}

void protocol::save_step(surroundings& here) {
  if (--saves_missing_ != 0) return;
  if (tree_.parent >= 0) return send(tree_.parent, {.what = kind::saved}, here);
  here.all_saved();
  if (!is_over()) resume(here);
}

void protocol::resume(surroundings& here) {
  phase_ = phase::running;
  send_below({.what = kind::resume}, here);
  on_local_work(has_work_, here);
}

void protocol::on_checkpoint_message(const message& come, surroundings& here) {
  if (come.what == kind::pause) {
    phase_ = phase::pausing;
    send_below(come, here);
  } else if (come.what == kind::save) {
    begin_saving(here);
  } else if (come.what == kind::saved) {
    save_step(here);
  } else {
    resume(here);
  }
}

// ------------------------------------------------------------------------------------------------
// messages

/// Whether a message of this kind may come from there now. Not those of stealing.
bool protocol::come_from_where_they_may(int from, const message& come) const noexcept {
  const bool is_parent = from == tree_.parent, stops = phase_ == phase::finishing;
  switch (come.what) {
    case kind::wave: return is_parent && !stops && phase_ != phase::saving;
    case kind::counts: return is_child(from) && !stops && phase_ != phase::saving;
    case kind::token: return options_.uses_ring && !stops && (from + size_ - 1) % size_ == rank_;
    case kind::finish: return is_parent && !stops && phase_ != phase::saving;
    case kind::result: return is_child(from) && stops && results_missing_ > 0;
    case kind::total: return is_parent && stops && results_missing_ == 0;
    case kind::pause: return is_parent && phase_ == phase::running;
    case kind::save: return is_parent && phase_ == phase::pausing;
    case kind::saved: return is_child(from) && phase_ == phase::saving && saves_missing_ > 0;
    case kind::resume: return is_parent && phase_ == phase::saving;
    default: return is_parent || is_child(from);
  }
}

void protocol::on_tree_message(int from, const message& come, surroundings& here) {
  bool is_expected = come_from_where_they_may(from, come);
  if (is_expected) heard_ns_[from == tree_.parent ? 0 : from - tree_.first_child + 1u] = now_ns_;
  if (is_expected && come.what == kind::wave) {
    is_expected = waves_.on_wave();
    if (is_expected) send_below(come, here);
  } else if (is_expected && come.what == kind::counts) {
    is_expected = waves_.on_counts(come);
  }
  if (!is_expected) return unexpected(from, come, here);
  switch (come.what) {
    case kind::finish: return finish(here);
    case kind::result: return on_result(come, here);
    case kind::total: return on_total(come, here);
    case kind::abort: return fail(come.payload, here);
    case kind::alive:
    case kind::wave:
    case kind::counts: return;
    default: return on_checkpoint_message(come, here);
  }
}

/// A rank that has written may hear of ranks that go on already.
bool protocol::may_come_now() const noexcept {
  return phase_ <= phase::pausing || (phase_ == phase::saving && saves_missing_ == 0);
}

void protocol::on_message(int from, const message& come, surroundings& here) {
  if (is_over()) return;
  if (from < 0 || from >= size_ || from == rank_) return unexpected(from, come, here);
  if (is_counted(come.what)) {
    if (!may_come_now()) return unexpected(from, come, here);
    ++received_;
    ring_.on_work_message();
  }
  switch (come.what) {
    case kind::request: on_request(from, come.is_lifeline, here); break;
    case kind::refusal: on_refusal(from, here); break;
    case kind::work: on_work(from, come, here); break;
    case kind::token:
      if (!come_from_where_they_may(from, come) || !ring_.on_token(come))
        return unexpected(from, come, here);
      break;
    default: on_tree_message(from, come, here);
  }
  look_for_the_end(here);
}

void protocol::unexpected(int from, const message& come, surroundings& here) {
  fail("rank " + std::to_string(rank_) + " cannot have got message " +
           std::to_string(static_cast<unsigned>(come.what)) + " from rank " + std::to_string(from) +
           " now: a message was lost or came twice",
       here);
}

void protocol::send(int to, message what, surroundings& here) {
  if (is_counted(what.what)) ++sent_;
  ++counts_.messages_sent;
  here.send(to, std::move(what));
}

void protocol::send_below(const message& what, surroundings& here) {
  for (int child = tree_.first_child; child < tree_.end_of_children; ++child)
    send(child, what, here);
}

// ------------------------------------------------------------------------------------------------
// failures

void protocol::fail(std::string reason, surroundings& here) {
  if (is_over()) return;
  phase_ = phase::failed;
  failure_ = std::move(reason);
  const message told{.what = kind::abort, .payload = failure_};
  if (tree_.parent >= 0) send(tree_.parent, told, here);
  send_below(told, here);
}

void protocol::on_tick(std::uint64_t now_ns, surroundings& here) {
  now_ns_ = now_ns;
  if (is_over()) return;
  if (options_.patience_ns != 0) watch_for_losses(here);
  look_for_the_end(here);
}

/// A message that is lost is missed in one of three ways. Its sender awaits the answer in vain. Or
/// waves count it as sent and not received, and learn nothing more. Or it was one of the tree; the
/// next one there, at the latest `alive`, has a number too many (`wire.hpp`), or none comes at all.
void protocol::watch_for_losses(surroundings& here) {
  const auto is_long_ago = [&](std::uint64_t since) {
    return now_ns_ - since > options_.patience_ns;
  };
  const auto is_missed = [&](int other, std::size_t at) {
    if (heard_ns_[at] == 0) heard_ns_[at] = now_ns_;
    if (!is_long_ago(heard_ns_[at])) return false;
    fail("rank " + std::to_string(rank_) + " has heard nothing of rank " + std::to_string(other),
         here);
    return true;
  };
  const bool awaits_children = phase_ != phase::finishing || results_missing_ != 0;
  if (tree_.parent >= 0 && is_missed(tree_.parent, 0)) return;
  for (int child = tree_.first_child; awaits_children && child < tree_.end_of_children; ++child)
    if (is_missed(child, child - tree_.first_child + 1u)) return;
  if (awaited_ >= 0 && is_long_ago(asked_at_ns_))
    return fail(
        "rank " + std::to_string(rank_) + " got no answer from rank " + std::to_string(awaited_),
        here);
  if (rank_ == 0 && waves_.is_stuck() && is_long_ago(stuck_since_ns_))
    return fail("of the messages that ranks count as sent, some have never come", here);
  if (now_ns_ - told_alive_at_ns_ < options_.patience_ns / 8) return;
  told_alive_at_ns_ = now_ns_;
  // What a rank sends last, up or down, is its last message there.
  if (tree_.parent >= 0 && awaits_children) send(tree_.parent, {.what = kind::alive}, here);
  send_below({.what = kind::alive}, here);
}

}  // namespace filch::dist
