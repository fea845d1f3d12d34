//! Finds the library, or builds it. In this order:
//!
//! 1. `LANEPOOL_LIB_DIR`: a directory with `liblanepool.so`; its header is in
//!    `LANEPOOL_INCLUDE_DIR`, or in this repository.
//! 2. Feature `pkg-config`, or `LANEPOOL_PKG_CONFIG=1`: the library that pkg-config names.
//! 3. Otherwise CMake builds the static library from this repository.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What the library is made of, below the root of the repository.
const SOURCES: [&str; 4] = ["CMakeLists.txt", "cmake", "include", "src"];

fn main() {
    for name in ["LANEPOOL_LIB_DIR", "LANEPOOL_INCLUDE_DIR", "LANEPOOL_PKG_CONFIG"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let include = if let Some(directory) = env::var_os("LANEPOOL_LIB_DIR") {
        link_to(Path::new(&directory))
    } else if wants_pkg_config() {
        link_by_pkg_config()
    } else {
        build()
    };
    println!("cargo:include={}", include.display());
    println!("cargo:rustc-env=LANEPOOL_INCLUDE={}", include.display());
}

fn wants_pkg_config() -> bool {
    let by_variable = env::var("LANEPOOL_PKG_CONFIG").is_ok_and(|value| value != "0");
    by_variable || env::var_os("CARGO_FEATURE_PKG_CONFIG").is_some()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn link_to(directory: &Path) -> PathBuf {
    println!("cargo:rustc-link-search=native={}", directory.display());
    println!("cargo:rustc-link-lib=dylib=lanepool");
    env::var_os("LANEPOOL_INCLUDE_DIR").map_or_else(|| root().join("include"), PathBuf::from)
}

fn link_by_pkg_config() -> PathBuf {
    let library = pkg_config::Config::new()
        .atleast_version(VERSION)
        .print_system_cflags(true) // else a header in /usr/include has no directory
        .probe("lanepool")
        .unwrap_or_else(|error| panic!("pkg-config does not find lanepool >= {VERSION}: {error}"));
    let has_header = |path: &PathBuf| path.join("lanepool/lanepool.h").exists();
    library.include_paths.into_iter().find(has_header).expect("lanepool.pc names its header")
}

/// A static library without dependencies: Highway is compiled in, cache sizes are not asked for
/// (they change no result), and there is no C++ run-time library to link.
fn build() -> PathBuf {
    let root = root();
    assert!(
        root.join("src/api.cc").exists(),
        "{} has no sources of lanepool: install the library and enable the feature `pkg-config`",
        root.display()
    );
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
    }
    let mut config = cmake::Config::new(&root);
    if Command::new("ninja").arg("--version").output().is_ok_and(|done| done.status.success()) {
        config.generator("Ninja");
    }
    for part in ["TESTS", "BENCH", "TOOL", "EXAMPLES"] {
        config.define(format!("LANEPOOL_BUILD_{part}"), "OFF");
    }
    let prefix = config
        .profile("Release") // also in a debug build: nobody debugs the kernels through Rust
        .define("LANEPOOL_CPUINFO", "OFF")
        .define("CMAKE_DISABLE_FIND_PACKAGE_hwy", "ON")
        .define("CMAKE_INSTALL_LIBDIR", "lib")
        .build();
    println!("cargo:rustc-link-search=native={}", prefix.join("lib").display());
    println!("cargo:rustc-link-lib=static=lanepool");
    prefix.join("include")
}
