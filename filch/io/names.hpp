#pragma once
#include <filch/co/blocking.hpp>
#include <filch/co/task.hpp>
#include <filch/io/context.hpp>

#include <asio/ip/basic_endpoint.hpp>
#include <asio/ip/basic_resolver.hpp>

#include <system_error>

namespace filch::inline v0_2::io {

/// `Initiation` is that of a resolver's `async_resolve`. Asio does not publish its type, but it is
/// made of a pointer to a resolver.
template <class Initiation, class Protocol>
concept looks_up_names =
    requires(asio::ip::basic_resolver<Protocol, typename Initiation::executor_type>* by) {
  Initiation(by);
};

template <class Protocol, class Resolver>
auto look_up(Resolver& by, const asio::ip::basic_resolver_query<Protocol>& of,
             std::error_code& error) {
  const auto flags = static_cast<asio::ip::resolver_base::flags>(of.hints().ai_flags);
  switch (of.hints().ai_family) {
    case AF_INET:
      return by.resolve(Protocol::v4(), of.host_name(), of.service_name(), flags, error);
    case AF_INET6:
      return by.resolve(Protocol::v6(), of.host_name(), of.service_name(), flags, error);
    default: return by.resolve(of.host_name(), of.service_name(), flags, error);
  }
}
template <class Protocol, class Resolver>
auto look_up(Resolver& by, const asio::ip::basic_endpoint<Protocol>& of, std::error_code& error) {
  return by.resolve(of, error);
}

/// What `co_await resolver.async_resolve(..., io::awaiting{io})` does: `getaddrinfo` and
/// `getnameinfo` wait in the kernel, so they are called in `co::blocking`. Asio's own way is a
/// thread for each `io_context`, which does them one after the other.
///
/// It takes a permit of `co::blocking`, of which a pool has as many as spares. If other functions
/// hold all of them, it waits for one to end. So none of those may wait for a look-up.
/// Blocks: never.
/// Throws: `std::system_error`; `co::cancelled` if the task is asked to stop before it has a
///         permit. A look-up that has begun ends by itself, also if its resolver is told to cancel.
template <class Protocol, class Query>
task<asio::ip::basic_resolver_results<Protocol>> look_up(context& in, Query of) {
  asio::ip::basic_resolver<Protocol, asio::io_context::executor_type> by{in.executor()};
  std::error_code error;
  const auto looks = [&] { return look_up<Protocol>(by, of, error); };
  auto found = co_await co::blocking(looks);
  if (error) throw std::system_error(error);
  co_return found;
}

}  // namespace filch::io
