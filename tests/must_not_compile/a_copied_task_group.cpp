// expected: deleted
#include <filch/filch.hpp>

#ifdef ACCEPTED
filch::task_group& second(filch::task_group& first) { return first; }
#else
filch::task_group second(filch::task_group& first) { return first; }
#endif
