// `filch view`: a page in the browser, without a file.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tools/cli/commands.hpp>
#include <tools/cli/explain/json.hpp>
#include <tools/cli/http/server.hpp>
#include <tools/cli/page.hpp>
#include <tools/cli/recordings/examine.hpp>
#include <tools/cli/view/page_offer.hpp>
#include <tools/viewer/pages.hpp>

#include <memory>

namespace filch::cli {

namespace {

struct view_request {
  recording_choice choice;
  bool explains = false;
};

std::string page_for(const view_request& request) {
  if (!request.explains) return page_of(examine(request.choice));
  return with_data(viewer::explain_page(), as_json(explain::tell(1)).dump());
}

int view(const view_request& request) {
  http_server server{"127.0.0.1:0"};
  const page_offer offer{page_for(request), random_token(), server.port()};
  fmt::print("{}\n", offer.address());
  fmt::print(stderr, "For browsers on this machine, until you press ctrl-C.\n");
  std::fflush(stdout);
  server.serve([&](const auto& asked) { return answer_to(asked, offer); });
  return all_well;
}

}  // namespace

void add_view_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("view", "Show the page of a recorded run in the browser");
  auto request = std::make_shared<view_request>();
  CLI::Option* file = add_recording_options(*command, request->choice);
  command->add_flag("--explain", request->explains, "Show how work stealing works instead")
      ->excludes(file);
  command->callback([request, file, &exit_code] {
    if (file->empty() && !request->explains) throw CLI::RequiredError("FILE");
    exit_code = view(*request);
  });
}

}  // namespace filch::cli
