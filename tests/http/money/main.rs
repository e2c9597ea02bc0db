//! Money: of organisations, of channels, and what customers pay.

mod books;
mod finance;
mod partner;
mod pay;
