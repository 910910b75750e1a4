// expected: an order names its edge
#include <filch/base/order.hpp>

enum class edge { publish };

#ifdef ACCEPTED
std::memory_order order = filch::base::release<edge::publish>;
#else
std::memory_order order = filch::base::release<1>;
#endif
