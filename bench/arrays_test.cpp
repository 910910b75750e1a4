#include <bench/fft/filch.hpp>
#include <bench/mandelbrot/filch.hpp>
#include <bench/matmul/filch.hpp>
#include <bench/mergesort/filch.hpp>
#include <bench/quicksort/filch.hpp>
#include <gtest/gtest.h>

namespace {

using namespace bench;

constexpr unsigned pool_sizes[] = {1, 2, 5};

TEST(sorts, serial_and_filch_sort_any_count) {
  for (const std::size_t count : {0u, 1u, 2u, 24u, 25u, 5000u, 20011u}) {
    const sorting::parameters p{.count = count, .seed = 7};
    const auto expect_sorted = [&](auto&& sort, const char* who) {
      std::vector<sorting::value> values = sorting::input(p);
      sort(values);
      EXPECT_EQ(sorting::check(p, values), "") << who << " at " << count;
    };
    expect_sorted([](auto& v) { quicksort::serial(v); }, "serial quicksort");
    expect_sorted([](auto& v) { mergesort::serial(v); }, "serial mergesort");
    for (const unsigned workers : pool_sizes) {
      filch::thread_pool pool{{.workers = workers}};
      expect_sorted([&](auto& v) { pool.run([&] { quicksort::on_filch(v); }); }, "quicksort");
      expect_sorted([&](auto& v) { pool.run([&] { mergesort::on_filch(v); }); }, "mergesort");
    }
  }
}

TEST(sorts, equal_values_do_no_harm) {
  std::vector<sorting::value> same(10'000, 5), few(10'000);
  for (std::size_t i = 0; i < few.size(); ++i) few[i] = i * i % 3;
  for (auto* values : {&same, &few}) {
    std::vector<sorting::value> expected = *values, merged = *values;
    std::ranges::sort(expected);
    quicksort::serial(*values);
    mergesort::serial(merged);
    EXPECT_EQ(*values, expected);
    EXPECT_EQ(merged, expected);
  }
}

TEST(sorts, disorder_and_foreign_values_are_noticed) {
  const sorting::parameters p{.count = 100, .seed = 7};
  std::vector<sorting::value> values = sorting::input(p);
  EXPECT_NE(sorting::check(p, values), "");
  std::ranges::sort(values);
  EXPECT_EQ(sorting::check(p, values), "");
  values[50] = values[51];
  EXPECT_EQ(sorting::check(p, values),
            "the values are in order, but they are not those of the input");
}

TEST(matmul, serial_and_filch_multiply_any_size) {
  for (const std::size_t n : {1u, 31u, 33u, 100u, 129u}) {
    const matmul::parameters p{.n = n, .seed = 3};
    const std::vector<double> a = matmul::input(p, 0), b = matmul::input(p, 1);
    std::vector<double> expected(n * n);
    matmul::add_product_plainly(matmul::whole(a, n), matmul::whole(b, n),
                                matmul::whole(expected, n));
    const auto expect_product = [&](auto&& multiply) {
      std::vector<double> c(n * n);
      multiply(matmul::whole(a, n), matmul::whole(b, n), matmul::whole(c, n));
      EXPECT_EQ(c, expected) << n;
      EXPECT_EQ(matmul::check(p, matmul::whole(a, n), matmul::whole(b, n), matmul::whole(c, n)),
                "");
      c[n * n - 1] += 1;
      EXPECT_NE(matmul::check(p, matmul::whole(a, n), matmul::whole(b, n), matmul::whole(c, n)),
                "");
    };
    expect_product([](auto... abc) { matmul::serial(abc...); });
    for (const unsigned workers : pool_sizes) {
      filch::thread_pool pool{{.workers = workers}};
      expect_product([&](auto... abc) { pool.run([&] { matmul::on_filch(abc...); }); });
    }
  }
}

TEST(fft, serial_and_filch_agree_with_the_definition) {
  for (const unsigned log2_size : {0u, 1u, 5u, 13u}) {
    const fft::parameters p{.log2_size = log2_size, .seed = 5};
    const std::vector<fft::number> in = fft::input(p);
    const fft::plan plan{p.size()};
    std::vector<fft::number> expected, out;
    fft::serial(plan, in, expected);
    EXPECT_EQ(fft::check(plan, in, expected), "");
    for (const unsigned workers : pool_sizes) {
      filch::thread_pool pool{{.workers = workers}};
      out.clear();
      pool.run([&] { fft::on_filch(plan, in, out); });
      EXPECT_EQ(out, expected);
    }
  }
}

TEST(fft, a_wrong_element_is_noticed) {
  const fft::parameters p{.log2_size = 6, .seed = 5};
  const fft::plan plan{p.size()};
  const std::vector<fft::number> in = fft::input(p);
  std::vector<fft::number> out;
  EXPECT_NE(fft::check(plan, in, in), "") << "the input is not its own transform";
  fft::serial(plan, in, out);
  out[17] += 0.001;
  EXPECT_NE(fft::check(plan, in, out), "");
}

TEST(mandelbrot, filch_draws_the_serial_picture) {
  for (const auto& [width, height] :
       {std::pair{1u, 1u}, std::pair{70u, 51u}, std::pair{120u, 80u}}) {
    const mandelbrot::parameters p{.width = width, .height = height, .most_iterations = 200};
    mandelbrot::image expected{p};
    mandelbrot::serial(expected);
    EXPECT_EQ(mandelbrot::check(expected), "");
    for (const unsigned workers : pool_sizes) {
      filch::thread_pool pool{{.workers = workers}};
      mandelbrot::image picture{p};
      pool.run([&] { mandelbrot::on_filch(picture); });
      EXPECT_EQ(picture.times, expected.times);
    }
  }
}

TEST(mandelbrot, a_wrong_pixel_is_noticed) {
  mandelbrot::image picture{{.width = 60, .height = 40, .most_iterations = 200}};
  mandelbrot::serial(picture);
  picture.times[20 * 60 + 30] = 3;
  EXPECT_EQ(mandelbrot::check(picture), "pixel 30, 19 is wrong: it differs from its mirror image");
}

}  // namespace
