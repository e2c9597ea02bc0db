//! `/open`, and the links and the script by which browsers are counted.

mod guide;
mod link;
mod lists;
mod products;
mod rebuild;
mod uv;
