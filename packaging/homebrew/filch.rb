class Filch < Formula
  desc "Work-stealing runtime for C++20"
  homepage "https://filch.example.invalid"
  url "https://filch.example.invalid/releases/filch-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cli11" => :build
  depends_on "cmake" => [:build, :test]
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on "fmt"
  depends_on "hwloc"
  depends_on "libpng"
  depends_on :linux
  depends_on "zlib"

  def install
    args = %w[-DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF -DFILCH_BUILD_TESTING=ON -DFILCH_BUILD_TOOLS=ON]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"CMakeLists.txt").write <<~CMAKE
      cmake_minimum_required(VERSION 3.25)
      project(example LANGUAGES CXX)
      find_package(filch REQUIRED)
      add_executable(example #{doc}/examples/first_steps.cpp)
      target_link_libraries(example PRIVATE filch::filch)
    CMAKE
    system "cmake", "-S", ".", "-B", "build"
    system "cmake", "--build", "build"
    system "./build/example"
    assert_match version.to_s, shell_output("#{bin}/filch --version")
  end
end
