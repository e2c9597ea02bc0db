//! The front end's bundle: the script that isolates evaluate, and the files that browsers fetch.
//!
//! Not here: the sources and their build (`js/`), the isolates (`render`), the sending of the files (`site`). Used by
//! `site`, the program, and the tests of `render`.

include!(concat!(env!("OUT_DIR"), "/assets.rs"));
