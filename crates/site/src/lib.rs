//! What is served besides calls, and kept: pages, from address to HTML, and backups.
//!
//! Not here: calls (`server`) and the engine that renders (`render`). The program alone uses it.

pub mod backup;
pub mod pages;
