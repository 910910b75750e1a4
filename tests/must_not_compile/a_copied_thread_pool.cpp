// expected: deleted
#include <filch/filch.hpp>

#ifdef ACCEPTED
filch::thread_pool& second(filch::thread_pool& first) { return first; }
#else
filch::thread_pool second(filch::thread_pool& first) { return first; }
#endif
