//! `/admin`.

pub mod menu_editor;
pub mod second_factor;
