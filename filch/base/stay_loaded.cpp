#include <filch/base/stay_loaded.hpp>

#if defined(__linux__)
#include <dlfcn.h>
#include <link.h>

#include <cstddef>

// Before glibc 2.34 it is in libdl, which the host of a plugin has.
#pragma weak dlsym
#endif

namespace filch::inline v0_2::base {
namespace {

#if defined(__linux__)
struct own_object {
  ElfW(Addr) code;  ///< Of ours.
  const char* name = nullptr;
};

bool holds(const dl_phdr_info& object, ElfW(Addr) address) noexcept {
  for (std::size_t i = 0; i != object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && address - object.dlpi_addr - part.p_vaddr < part.p_memsz)
      return true;
  }
  return false;
}

int find_own(dl_phdr_info* object, std::size_t /*bytes*/, void* result) {
  own_object& mine = *static_cast<own_object*>(result);
  if (!holds(*object, mine.code)) return 0;
  mine.name = object->dlpi_name;
  return 1;
}

/// The loader has no name for the executable.
bool keep_own_object() noexcept {
  own_object mine{reinterpret_cast<ElfW(Addr)>(&find_own)};
  ::dl_iterate_phdr(&find_own, &mine);
  if (mine.name == nullptr || *mine.name == '\0' || &::dlsym == nullptr) return false;
  // By name: linkers warn about a static program that mentions `dlopen`, and it does not need it.
  const auto open = reinterpret_cast<void* (*)(const char*, int)>(::dlsym(RTLD_DEFAULT, "dlopen"));
  return open != nullptr && open(mine.name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
}
#else
bool keep_own_object() noexcept { return false; }
#endif

}  // namespace

void stay_loaded() noexcept {
  static const bool is_kept = keep_own_object();
  static_cast<void>(is_kept);
}

}  // namespace filch::base
