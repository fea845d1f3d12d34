//! Only benchmarks.
