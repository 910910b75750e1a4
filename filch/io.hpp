#pragma once
// Asio on the workers of a pool: `io::context`, `io::awaiting` for its operations, `io::write` for
// writes to sockets without a wait if there is room, `io::executor` for its handlers. Needs Asio,
// so `<filch/filch.hpp>` leaves it out.
#include <filch/io/awaiting.hpp>
#include <filch/io/context.hpp>
#include <filch/io/executor.hpp>
#include <filch/io/write.hpp>
