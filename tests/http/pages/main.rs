//! Pages over the whole router and a real engine.

#[path = "mod.rs"]
mod pages;
