"""Conan 2 recipe of the checkout that it lies in: conan create packaging/conan"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

CHECKOUT = os.path.join("..", "..")


class Lanepool(ConanFile):
    """The library, shared or static, with Highway compiled in and without other requirements."""

    name = "lanepool"
    description = "Exact and fast pooling on CPUs"
    license = "Apache-2.0"
    topics = ("pooling", "simd", "onnx", "tensor")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def set_version(self):
        header = load(
            self, os.path.join(self.recipe_folder, CHECKOUT, "include", "lanepool", "lanepool.h")
        )
        parts = (re.search(rf"VERSION_{part} (\d+)", header) for part in ("MAJOR", "MINOR", "PATCH"))
        self.version = ".".join(part[1] for part in parts)

    def export_sources(self):
        """With the sources of Highway that scripts/fetch_highway.sh has unpacked; without them
        CMake downloads the release that it knows by its hash."""
        patterns = ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*")
        for pattern in (*patterns, "build/deps/highway-*/hwy/*"):
            checkout = os.path.join(self.recipe_folder, CHECKOUT)
            copy(self, pattern, src=checkout, dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 17)

    def generate(self):
        toolchain = CMakeToolchain(self)
        variables = toolchain.cache_variables
        variables["LANEPOOL_INSTALL_SHARED"] = bool(self.options.shared)
        variables["LANEPOOL_INSTALL_STATIC"] = not self.options.shared
        variables["LANEPOOL_CPUINFO"] = False
        for part in ("TESTS", "BENCH", "TOOL", "EXAMPLES"):
            variables[f"LANEPOOL_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan's generators write these.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.libs = ["lanepool"]
        self.cpp_info.set_property("cmake_file_name", "lanepool")
        self.cpp_info.set_property("cmake_target_name", "lanepool::lanepool")
        self.cpp_info.set_property("pkg_config_name", "lanepool")
        if not self.options.shared:
            self.cpp_info.defines = ["LANEPOOL_STATIC"]
            self.cpp_info.set_property("cmake_target_aliases", ["lanepool::lanepool_static"])
