"""The library as a package of Conan 2, built from the tree in which this file lies. The program is not in it."""

import re
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir
from conan.tools.gnu import PkgConfigDeps

required_conan_version = ">=2.0"

# What the build reads if it makes neither the program nor tests.
FILES = ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "bench/CMakeLists.txt")
FOLDERS = ("cmake", "docs/guide", "docs/pictures", "examples", "filch")


class FilchConan(ConanFile):
    name = "filch"
    description = "A work-stealing runtime for C++20"
    license = "MIT"
    topics = ("parallelism", "work-stealing", "fork-join", "coroutines")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "testing": [True, False], "with_hwloc": [True, False], "with_zlib": [True, False]}
    default_options = {"shared": False, "fPIC": True, "testing": False, "with_hwloc": True, "with_zlib": True}
    implements = ["auto_shared_fpic"]

    @property
    def root(self):
        return Path(self.recipe_folder).parents[1]

    def set_version(self):
        text = (self.root / "filch/base/version.hpp").read_text(encoding="utf-8")
        self.version = re.search(r'FILCH_VERSION "(.*)"', text)[1]

    def export_sources(self):
        for each in map(Path, FILES):
            copy(self, each.name, self.root / each.parent, Path(self.export_sources_folder, each.parent))
        for each in FOLDERS:
            copy(self, "*", self.root / each, Path(self.export_sources_folder, each))

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        if self.options.with_hwloc:
            self.requires("hwloc/[>=2.9 <3]")
        if self.options.with_zlib:
            self.requires("zlib/[>=1.2.11 <2]")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")
        if self.options.with_hwloc or self.options.with_zlib:
            self.tool_requires("pkgconf/[>=2.0 <3]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update(BUILD_TESTING=False, FILCH_BUILD_TOOLS=False, FILCH_BUILD_TESTING=bool(self.options.testing),
                                         FILCH_USE_HWLOC=bool(self.options.with_hwloc), FILCH_USE_ZLIB=bool(self.options.with_zlib))
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))
        CMake(self).install()
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):  # Conan makes files of its own for CMake and pkg-config
            rmdir(self, Path(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "filch")
        names = {"filch": "filch", "testing": "filch_testing"} if self.options.testing else {"filch": "filch"}
        for name, library in names.items():
            component = self.cpp_info.components[name]
            component.set_property("cmake_target_name", f"filch::{name}")
            component.set_property("pkg_config_name", library.replace("_", "-"))
            component.libs = [library]
            component.system_libs = ["pthread"]
        component_of_machine = self.cpp_info.components["filch"]
        if self.options.with_hwloc:
            component_of_machine.requires.append("hwloc::hwloc")
        if self.options.with_zlib:
            component_of_machine.requires.append("zlib::zlib")
        if self.options.testing:
            self.cpp_info.components["testing"].defines = ["FILCH_TESTING"]
