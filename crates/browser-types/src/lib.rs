//! The derive `TS`, which marks the types that the browser gets.
//!
//! Not here: codes and limits for the browser (`base::codes`, `base::form_limits`). Used by all crates with such types,
//! under the name `ts_rs`, to which the code of the derive refers.
//!
//! With the feature `export` it is the derive of ts-rs, and the tests of each crate write its types as TypeScript
//! (`make types`). Without it the derive adds nothing: no code of ts-rs is compiled into a release.

#[cfg(feature = "export")]
pub use exporter::*;
#[cfg(not(feature = "export"))]
pub use no_types::TS;
