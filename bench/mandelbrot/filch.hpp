#pragma once
#include <bench/mandelbrot/problem.hpp>
#include <filch/filch.hpp>

namespace bench::mandelbrot {

inline void on_filch(image& picture) {
  filch::parallel_for(std::size_t{0}, picture.shape.height,
                      [&](std::size_t y) { draw_row(picture, y); });
}

}  // namespace bench::mandelbrot
