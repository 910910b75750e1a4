#include <filch/base/panic.hpp>
#include <filch/sim/schedulers/all.hpp>

namespace filch::inline v0_2::sim {

std::span<const discipline_text, discipline_count> disciplines() noexcept {
  static constexpr discipline_text texts[discipline_count] = {
      {discipline::static_split, "static_split", "Static split",
       "A plan made in advance gives each worker as many subtrees; nobody helps anybody."},
      {discipline::central_queue, "central_queue", "Central queue",
       "All ready tasks wait in one queue behind one lock, which every push and every take has to "
       "hold."},
      {discipline::work_sharing, "work_sharing", "Work sharing",
       "A worker that makes a task hands it at once to the one with the shortest queue, asked for "
       "or "
       "not."},
      {discipline::work_stealing, "work_stealing", "Work stealing",
       "Each worker uses the young end of its own deque; one that runs dry takes the oldest task "
       "of a random other."},
      {discipline::continuation_stealing, "continuation_stealing", "Continuation stealing",
       "Work stealing, where a fork runs the child at once and leaves the rest of the function to "
       "thieves."}};
  return texts;
}

std::unique_ptr<scheduler> make_scheduler(discipline which, const computation& what,
                                          std::uint32_t worker_count) {
  switch (which) {
    case discipline::static_split: return make_static_split(what, worker_count);
    case discipline::central_queue: return make_central_queue();
    case discipline::work_sharing: return make_work_sharing();
    case discipline::work_stealing: return make_work_stealing(worker_count, stolen_side::child);
    case discipline::continuation_stealing:
      return make_work_stealing(worker_count, stolen_side::continuation);
  }
  FILCH_ASSERT(false, "every discipline has its scheduler", static_cast<int>(which));
  return nullptr;
}

}  // namespace filch::sim
