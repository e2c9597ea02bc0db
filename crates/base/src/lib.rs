//! Everything without terms of the product: settings of the process, time, forms, codes, encryption, the database,
//! files, the outbox.
//!
//! Not here: accounts, permissions and calls (`frame`), and the meaning of an applicant, an organisation or an amount
//! of money (`trade`). Used by `frame` and all crates that use `frame`.

pub mod address;
pub mod cached;
pub mod canonical;
pub mod clock;
pub mod codes;
pub mod config;
pub mod crypto;
pub mod db;
pub mod fields;
pub mod form_limits;
pub mod initials;
pub mod key_check;
pub mod locale;
pub mod mask;
pub mod networks;
pub mod nonce;
pub mod outbox;
pub mod outside;
pub mod password_hashing;
pub mod qr;
pub mod rate_limits;
pub mod routes;
pub mod say;
pub mod sentence_page;
pub mod storage;
