#pragma once
// The version of these headers: `FILCH_VERSION`, and its parts `FILCH_VERSION_MAJOR`,
// `FILCH_VERSION_MINOR` and `FILCH_VERSION_PATCH`.
#include <filch/base/version.hpp>
