#include <filch/base/reservation.hpp>

#include <sys/mman.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace filch::inline v0_2::base {

reservation::reservation(std::size_t bytes) : data_{nullptr}, bytes_{bytes} {
#if defined(MAP_NORESERVE)
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#else
  constexpr int flags = MAP_PRIVATE | MAP_ANON;
#endif
  data_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (data_ == MAP_FAILED) {
    throw std::system_error(errno, std::generic_category(),
                            "filch: cannot reserve " + std::to_string(bytes) +
                                " bytes of address space for a fork stack");
  }
}

reservation::~reservation() { ::munmap(data_, bytes_); }

}  // namespace filch::base
