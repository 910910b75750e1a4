#pragma once
// The version of filch. CMake reads it here.
#define FILCH_VERSION_MAJOR 0
#define FILCH_VERSION_MINOR 2
#define FILCH_VERSION_PATCH 0
#define FILCH_VERSION "0.2.0"
