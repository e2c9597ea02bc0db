//! The cookies of a request. Their meaning is left to the reader.

use axum::http::{HeaderMap, header};

/// Each cookie's name and value, as the browser sent them.
pub fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}
