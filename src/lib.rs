//! Leadlane: the back-office of a lead and lending business, one program. Its commands are in `main.rs`; here `make types` finds what
//! the crates declare for the browser.

#[cfg(test)]
mod types;
