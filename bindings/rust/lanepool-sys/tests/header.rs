//! The bindings are what the header says: a C program, compiled here, prints sizes, offsets and
//! constants, and its compiler checks the type of every function.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::mem::{offset_of, size_of};
use std::path::PathBuf;
use std::process::Command;

use lanepool_sys::{lanepool_desc, lanepool_error, lanepool_params};

const CONSTANTS: &str = include_str!("../src/constants.rs");
const FUNCTIONS: &str = include_str!("../src/lib.rs");

/// (what C is asked for, what Rust has)
type Facts = Vec<(String, i128)>;

macro_rules! facts_of {
    ($facts:expr, $name:ident: $($field:ident)+) => {
        $facts.push((format!("sizeof({})", stringify!($name)), size_of::<$name>() as i128));
        $($facts.push((
            format!("offsetof({}, {})", stringify!($name), stringify!($field)),
            offset_of!($name, $field) as i128,
        ));)+
    };
}

fn layout() -> Facts {
    let mut facts = Facts::new();
    facts_of!(facts, lanepool_params: struct_size op layout rank x_type y_type index_type auto_pad
        ceil_mode valid_ceil oversize_kernel divisor empty_window nan_rule rounding index_mode
        storage_order flags target_mask divisor_value batch channels input kernel strides dilations
        pads_begin pads_end output_size x_strides y_strides index_strides x_scale y_scale
        x_zero_point y_zero_point x_scale_count y_scale_count clamp_low clamp_high lp_order
        reserved);
    facts_of!(facts, lanepool_desc: magic abi_version x_bytes y_bytes index_bytes workspace_bytes
        work_items table_bytes output pads_begin pads_end element_count has_empty_windows rank
        sealed);
    facts_of!(facts, lanepool_error: status field axis rule value limit real);
    facts
}

fn constants() -> Facts {
    let constant = |line: &str| {
        let (name, rest) = line.strip_prefix("pub const ")?.split_once(':')?;
        let value = rest.split_once("= ")?.1.trim_end_matches(';');
        Some((name.to_owned(), value.parse().expect("a number")))
    };
    CONSTANTS.lines().filter_map(constant).collect()
}

fn c_type(rust: &str) -> String {
    let rust = rust.trim();
    if let Some(target) = rust.strip_prefix("*const ") {
        return format!("const {} *", c_type(target));
    }
    if let Some(target) = rust.strip_prefix("*mut ") {
        return format!("{} *", c_type(target));
    }
    match rust {
        "i32" => "int32_t",
        "i64" => "int64_t",
        "u64" => "uint64_t",
        "usize" => "size_t",
        "f32" => "float",
        "c_char" => "char",
        "c_void" => "void",
        other => other,
    }
    .to_owned()
}

/// Name and C type of each function of the extern block.
fn functions() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for declaration in FUNCTIONS.split("pub fn ").skip(1) {
        let declaration = declaration.split(';').next().unwrap();
        let (name, rest) = declaration.split_once('(').unwrap();
        let (arguments, result) = rest.split_once(") -> ").unwrap();
        let types: Vec<_> =
            arguments.split(',').filter_map(|a| a.split_once(": ")).map(|a| c_type(a.1)).collect();
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        found.insert(name.to_owned(), format!("{} (*const check_{name})({types})", c_type(result)));
    }
    found
}

fn program(facts: &Facts) -> String {
    let mut text = String::from("#include <lanepool/lanepool.h>\n#include <stdio.h>\n");
    for (name, declaration) in functions() {
        writeln!(text, "{declaration} = {name};").unwrap();
    }
    text.push_str("int main(void) {\n");
    for (what, _) in facts {
        writeln!(text, "  printf(\"%lld\\n\", (long long)({what}));").unwrap();
    }
    text + "  return 0;\n}\n"
}

fn include() -> PathBuf {
    PathBuf::from(env!("LANEPOOL_INCLUDE"))
}

fn numbers_of_c(facts: &Facts) -> Vec<i128> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, object) = (folder.join("header.c"), folder.join("header"));
    std::fs::write(&source, program(facts)).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let compiled = Command::new(compiler)
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DLANEPOOL_STATIC"])
        .arg(format!("-I{}", include().display()))
        // Functions are only named: what they resolve to does not matter here.
        .args(["-no-pie", "-Wl,--unresolved-symbols=ignore-all"])
        .args([source.as_os_str(), "-o".as_ref(), object.as_os_str()])
        .status()
        .expect("a C compiler as $CC or cc");
    assert!(compiled.success(), "a type in the bindings is not that of the header");
    let printed = Command::new(object).output().unwrap().stdout;
    let lines = String::from_utf8(printed).unwrap();
    lines.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn sizes_offsets_constants_and_types_are_those_of_c() {
    let facts: Facts = layout().into_iter().chain(constants()).collect();
    assert!(facts.len() > 150, "the test looks at nothing");
    let of_c = numbers_of_c(&facts);
    assert_eq!(of_c.len(), facts.len());
    for ((what, of_rust), of_c) in facts.iter().zip(of_c) {
        assert_eq!(*of_rust, of_c, "{what}");
    }
}

/// Names of the header that look like `lanepool_...` functions or constants.
fn names_of_header() -> (Vec<String>, Vec<String>) {
    let header = std::fs::read_to_string(include().join("lanepool/lanepool.h")).unwrap();
    let mut code = String::new();
    for part in header.split("/*") {
        code.push_str(part.split_once("*/").map_or(part, |(_, after)| after));
    }
    let word = |text: &str| -> String {
        text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let is_value = |rest: &str| rest.trim_start_matches([' ', '=']).starts_with(char::is_numeric);
    let (mut functions, mut constants) = (vec![], vec![]);
    for (at, _) in code.match_indices("LANEPOOL_").chain(code.match_indices("lanepool_")) {
        let name = word(&code[at..]);
        let rest = &code[at + name.len()..];
        if name.starts_with("lanepool_") && rest.starts_with('(') {
            functions.push(name);
        } else if name.starts_with("LANEPOOL_") && is_value(rest) {
            constants.push(name);
        }
    }
    (functions, constants)
}

#[test]
fn nothing_of_the_header_is_missing() {
    let (mut in_header, constants_in_header) = names_of_header();
    in_header.sort();
    assert_eq!(functions().into_keys().collect::<Vec<_>>(), in_header);
    let bound: BTreeMap<_, _> = constants().into_iter().collect();
    assert!(constants_in_header.len() > 100);
    for name in &constants_in_header {
        assert!(bound.contains_key(name), "{name} is not bound");
    }
    assert_eq!(bound.len(), constants_in_header.len());
}

#[test]
fn the_library_is_the_one_of_the_header() {
    // SAFETY: these take nothing.
    unsafe {
        assert_eq!(lanepool_sys::lanepool_abi_version(), lanepool_sys::LANEPOOL_ABI_VERSION);
        assert_eq!(lanepool_sys::lanepool_params_size(), size_of::<lanepool_params>());
        assert_eq!(lanepool_sys::lanepool_desc_size(), size_of::<lanepool_desc>());
    }
}
