//! The front end, as the build bundles it: the script that isolates evaluate, and the files that browsers fetch.

include!(concat!(env!("OUT_DIR"), "/assets.rs"));
