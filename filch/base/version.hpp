#pragma once
// CMake reads it here.

/// The version of these headers: three numbers, and all of them as text.
#define FILCH_VERSION_MAJOR 0
#define FILCH_VERSION_MINOR 2
#define FILCH_VERSION_PATCH 0
#define FILCH_VERSION "0.2.0"
