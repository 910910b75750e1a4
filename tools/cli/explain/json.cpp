#include <nlohmann/json.hpp>
#include <tools/cli/explain/json.hpp>

namespace filch::cli::explain {

namespace {

using json = nlohmann::ordered_json;
namespace chase_lev = sim::chase_lev;

/// Steps between two full pictures, by which a reader can check its own.
constexpr std::size_t keyframe_distance = 16;

json index_or_null(std::uint32_t index) { return index == ~0u ? json() : json(index); }

/// "unborn", "shared", "queue 2", "hand 2", "finished 2"
std::string place_name(sim::place where) {
  constexpr const char* kinds[] = {"unborn", "shared", "queue", "hand", "finished"};
  const std::string kind = kinds[static_cast<std::size_t>(where.what)];
  return where.what < sim::place::kind::queue ? kind : kind + ' ' + std::to_string(where.worker);
}

json tasks_json(const sim::computation& what) {
  json tasks = json::array();
  for (const sim::task& each : what.tasks()) {
    tasks.push_back({{"name", each.name},
                     {"ticks", each.ticks},
                     {"parent", index_or_null(each.parent)},
                     {"children", each.children},
                     {"next", index_or_null(each.next)}});
  }
  return tasks;
}

json step_json(const sim::step& each) {
  json changes = json::array();
  for (const auto& change : each.changes)
    changes.push_back({change.worker, name_of(change.before), name_of(change.after)});
  json made = {{"clock", each.clock},
               {"worker", each.worker},
               {"action", name_of(each.what)},
               {"task", index_or_null(each.task)},
               {"other", index_or_null(each.other)},
               {"sentence", each.sentence},
               {"move", nullptr},
               {"changes", changes}};
  if (each.move) {
    made["move"] = {each.move->task, place_name(each.move->from), each.move->from_index,
                    place_name(each.move->to), each.move->to_index};
  }
  return made;
}

json picture_json(const sim::picture& shown, std::size_t after) {
  json places = json::object(), activities = json::array();
  const auto add = [&](sim::place where) { places[place_name(where)] = shown.at(where); };
  add({sim::place::kind::unborn});
  add({sim::place::kind::shared});
  for (const auto kind :
       {sim::place::kind::queue, sim::place::kind::hand, sim::place::kind::finished}) {
    for (sim::worker_index w = 0; w < shown.worker_count(); ++w) add({kind, w});
  }
  for (sim::worker_index w = 0; w < shown.worker_count(); ++w)
    activities.push_back(name_of(shown.activity_of(w)));
  return {{"after", after}, {"places", places}, {"activities", activities}};
}

json run_json(const scene& shown, const run& of) {
  json steps = json::array(), keyframes = json::array();
  sim::picture now{shown.what.task_count(), worker_count};
  const auto& told = of.told.steps;
  for (std::size_t i = 0; i <= told.size(); ++i) {
    if (i % keyframe_distance == 0 || i == told.size()) keyframes.push_back(picture_json(now, i));
    if (i == told.size()) break;
    steps.push_back(step_json(told[i]));
    sim::forward(now, told[i]);
  }
  return {{"scheduler", of.scheduler->id},
          {"title", of.scheduler->title},
          {"about", of.scheduler->about},
          {"makespan", of.told.makespan},
          {"busy_ticks", of.told.busy_ticks},
          {"idle_share", of.told.idle_share()},
          {"steals", of.told.count(sim::action::steal_win)},
          {"steps", steps},
          {"keyframes", keyframes}};
}

json scene_json(const scene& each) {
  json runs = json::array();
  for (const run& one : each.runs) runs.push_back(run_json(each, one));
  return {{"id", each.id},
          {"title", each.title},
          {"about", each.about},
          {"work", each.what.work()},
          {"span", each.what.span()},
          {"tasks", tasks_json(each.what)},
          {"runs", runs}};
}

json thread_json(const chase_lev::progress& each) {
  json stores = json::array(), results = json::array();
  for (const auto& store : each.stores.waiting()) {
    stores.push_back(
        {{"where", chase_lev::name_of(store.where)},
         {"value", store.where < chase_lev::first_slot ? std::to_string(store.value)
                                                       : chase_lev::item_name(store.value)}});
  }
  for (const int result : each.results) results.push_back(chase_lev::item_name(result));
  return {{"call", each.call_index},
          {"line", each.line_index},
          {"b", each.local.b},
          {"t", each.local.t},
          {"stores", stores},
          {"results", results},
          {"read_early",
           each.local.has_read_early ? json(chase_lev::item_name(each.local.item)) : json()}};
}

json moment_json(const chase_lev::moment& now) {
  json slots = json::array(), threads = json::array();
  for (int i = 0; i < chase_lev::ring_size; ++i) {
    const int item = now.words[chase_lev::slot_at(i)];
    slots.push_back(item == chase_lev::nothing ? json() : json(chase_lev::item_name(item)));
  }
  for (const auto& each : now.threads) threads.push_back(thread_json(each));
  return {{"top", now.words[chase_lev::top]},
          {"bottom", now.words[chase_lev::bottom]},
          {"slots", slots},
          {"actors", threads}};
}

json exploration_json(const chase_lev::exploration& found) {
  return {
      {"moments", found.moment_count}, {"ends", found.end_count}, {"faults", found.fault_count}};
}

/// Per thread its calls, each with its lines.
json calls_json(const chase_lev::duel& of) {
  json all = json::array();
  for (const auto& calls : of.calls) {
    json mine = json::array();
    for (const chase_lev::call& each : calls) {
      json lines = json::array();
      for (const auto& line : listing_of(each.what, of.how)) lines.push_back(line.text);
      const std::string name = name_of(each.what);
      mine.push_back({{"name", each.item == chase_lev::nothing
                                   ? name + "()"
                                   : name + "(" + chase_lev::item_name(each.item) + ")"},
                      {"lines", lines}});
    }
    all.push_back(mine);
  }
  return all;
}

json duel_json(const chase_lev::scene& each) {
  json frames = json::array();
  for (const auto& frame : each.frames) {
    frames.push_back({{"actor", frame.what.who},
                      {"is_store", frame.what.store.has_value()},
                      {"is_early_load", frame.what.is_early_load},
                      {"call", frame.call_index},
                      {"line", frame.line_index},
                      {"sentence", frame.sentence},
                      {"after", moment_json(frame.after)}});
  }
  return {{"id", each.id},
          {"title", each.title},
          {"about", each.about},
          {"calls", calls_json(each.rules_and_calls)},
          {"beginning", moment_json(each.rules_and_calls.beginning())},
          {"frames", frames},
          {"fault", each.fault},
          {"everything", exploration_json(each.everything)},
          {"with_all_rules", exploration_json(each.with_all_rules)}};
}

}  // namespace

nlohmann::ordered_json as_json(const story& all) {
  json scenes = json::array(), duels = json::array();
  for (const scene& each : all.scenes) scenes.push_back(scene_json(each));
  for (const auto& each : all.duels) duels.push_back(duel_json(each));
  return {{"format", "filch.explain"}, {"version", format_version}, {"seed", all.seed},
          {"workers", worker_count},   {"scenes", scenes},          {"duels", duels}};
}

}  // namespace filch::cli::explain
