#pragma once
// The machine and the day as `bench/run.py` keeps them.
#include <nlohmann/json.hpp>

#include <sched.h>
#include <sys/utsname.h>

#include <cstddef>
#include <ctime>
#include <fstream>
#include <string>

namespace bench::machine_facts {

inline unsigned usable_cores() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  return ::sched_getaffinity(0, sizeof usable, &usable) == 0
             ? static_cast<unsigned>(CPU_COUNT(&usable))
             : 1;
}

/// What follows `name` in a file of lines like "name: value" or name="value".
inline std::string value_in(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const std::size_t from = line.find_first_not_of(" \t:=\"", name.size());
    if (from != std::string::npos)
      return line.substr(from, line.find_last_not_of(" \"") + 1 - from);
  }
  return "unknown";
}

/// The processor's name as machine.py writes it, so that a sweep and a run here know each other.
inline std::string processor() {
  std::string name = value_in("/proc/cpuinfo", "model name");
  for (const std::string mark : {"(R)", "(TM)"}) {
    for (std::size_t at; (at = name.find(mark)) != std::string::npos;) name.erase(at, mark.size());
  }
  return name;
}

inline nlohmann::json all(const nlohmann::json& made_with) {
  utsname names{};
  ::uname(&names);
  nlohmann::json facts = made_with;
  facts.update({{"processor", processor()},
                {"cores", usable_cores()},
                {"kernel", names.release},
                {"system", value_in("/etc/os-release", "PRETTY_NAME")}});
  return facts;
}

inline std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

}  // namespace bench::machine_facts
