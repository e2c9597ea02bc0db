//! What `tests/render.rs` uses of the program: the render room, and the bundle that isolates evaluate.

#[path = "../../src/histogram.rs"]
pub mod histogram;
#[path = "../../src/render/mod.rs"]
pub mod render;
#[path = "../../src/render_stats.rs"]
pub mod render_stats;

pub mod pages {
    pub mod assets {
        /// The script that isolates evaluate.
        pub const SERVER_BUNDLE: &str = include_str!(concat!(env!("OUT_DIR"), "/web/server.js"));
        /// The source map of [`SERVER_BUNDLE`].
        pub const SERVER_BUNDLE_MAP: &str = include_str!(concat!(env!("OUT_DIR"), "/web/server.js.map"));
    }
}
