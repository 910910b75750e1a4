// `filch scale`: hands over to `filch-scale`, which is a program of its own because it links the
// library that is compiled for simulations.
#include <tools/cli/commands.hpp>
#include <tools/cli/scale/scale_program.hpp>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace filch::cli {

namespace {

[[noreturn]] void become_scale_program(std::vector<std::string> arguments) {
  const std::filesystem::path program = find_scale_program();
  arguments.insert(arguments.begin(), program);
  std::vector<char*> pointers;
  for (std::string& each : arguments) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw std::system_error{errno, std::generic_category(), "cannot run " + program.string()};
}

}  // namespace

std::filesystem::path find_scale_program() {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::vector<std::filesystem::path> places = {here / "filch-scale",
                                                     here / "../libexec/filch/filch-scale"};
  for (const std::filesystem::path& each : places) {
    if (exists(each)) return each.lexically_normal();
  }
  throw std::runtime_error("the program filch-scale is neither beside filch nor in " +
                           places.back().lexically_normal().string() +
                           ": it is built with -DFILCH_BUILD_TESTING=ON");
}

void add_scale_command(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("scale", "Run workloads on a simulated machine with many cores");
  // All that stands behind it belongs to the other program
  command->set_help_flag();
  command->prefix_command();
  command->callback([command, &exit_code] {
    exit_code = went_wrong;
    become_scale_program(command->remaining());
  });
}

}  // namespace filch::cli
