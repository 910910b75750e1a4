#include <filch/base/text_property_fuzz.hpp>
#include <filch/dist/protocol.hpp>
#include <filch/dist/wire.hpp>

namespace filch::inline v0_2::dist {
namespace {

constexpr run_identity some_run{.epoch = 2, .signature = 5};

/// Surroundings that do what they are told.
class willing final : public surroundings {
 public:
  void send(int, message) override {}
  std::optional<std::string> split() override { return "some"; }
  void merge(std::string_view) override {}
  std::string result() override { return {}; }
  void add_result(std::string_view) override {}
  void set_total(std::string_view) override {}
  void begin_save() override {}
  void all_saved() override {}
  std::uint64_t random() override { return 1; }
};

/// Any bytes are dropped, refused with a reason, or are a message whose bytes come back the same.
/// No message harms a rank.
std::string violation_of_message(std::string_view bytes) {
  links receiver{some_run, 1, 3};
  const arrival come = receiver.decode(0, bytes);
  if (const auto* const problem = std::get_if<broken>(&come))
    return problem->reason.empty() ? "is refused without a reason" : "";
  const auto* const said = std::get_if<message>(&come);
  if (said == nullptr) return {};
  if (said->payload.size() > bytes.size()) return "has a payload longer than itself";
  links sender{some_run, 0, 3}, again{some_run, 1, 3};
  const arrival back = again.decode(0, sender.encode(1, *said));
  if (!std::holds_alternative<message>(back) || std::get<message>(back) != *said)
    return "does not come back the same";
  willing here;
  for (const bool has_work : {false, true}) {
    protocol machine{{}, 1, 3};
    machine.begin(has_work, here);
    machine.on_message(0, *said, here);
    machine.on_message(2, *said, here);
    machine.on_tick(5, here);
  }
  return {};
}

constexpr base::text_property properties[] = {{"rank_message", violation_of_message}};

}  // namespace
}  // namespace filch::dist

std::span<const filch::base::text_property> filch::base::text_properties() {
  return filch::dist::properties;
}
