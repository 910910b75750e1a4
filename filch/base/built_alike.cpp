#include <filch/base/built_alike.hpp>

extern "C" {
const char FILCH_SAME_CONTAINERS = 0, FILCH_SAME_STRINGS = 0, FILCH_SAME_SANITIZER = 0,
           FILCH_SAME_SCHEDULER = 0;
}
