#pragma once
// CMake reads it here.
#include <filch/base/language.hpp>

/// The first number of the version of these headers.
#define FILCH_VERSION_MAJOR 0
/// The second number of the version of these headers.
#define FILCH_VERSION_MINOR 2
/// The third number of the version of these headers.
#define FILCH_VERSION_PATCH 0
/// The version of these headers as text: all three numbers.
#define FILCH_VERSION "0.2.0"
