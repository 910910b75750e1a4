// As forgotten_awaits.cpp.
#include <asio.hpp>
#include <filch/io.hpp>

#ifdef ACCEPTED
#define FORGOTTEN(...) static_cast<void>(__VA_ARGS__)
#else
#define FORGOTTEN(...) __VA_ARGS__
#endif

[[maybe_unused]] void forget_input(asio::ip::tcp::socket& socket, filch::io::awaiting token,
                                   char (&bytes)[8]) {
  FORGOTTEN(socket.async_read_some(asio::buffer(bytes), token));
  FORGOTTEN(socket.async_wait(asio::socket_base::wait_read, token));
  FORGOTTEN(filch::io::write(socket, asio::buffer(bytes), token));
}
