//! Pages over the whole router and a real engine, as a browser without scripts gets them. See
//! `browser` for how a page is asked for and looked at. A test of an area that looks at a page is in
//! the file that has the area's name.

pub mod areas;
pub mod browser;
mod content;
mod encoding;
mod guard;
mod headers;
mod login;
mod machines;
mod oddities;
mod plain;
mod poison;
mod preferences;
mod query;
mod session;
mod text;
