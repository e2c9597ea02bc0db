//! Pages, from address to HTML, and backups.
//!
//! Not here: calls (`server`) and the engine that renders (`render`). Only the program uses it.

pub mod backup;
pub mod pages;
