//! The frame of the JSON API: the envelope and its codes, the declaration and guard of calls, the input of handlers,
//! the queries and exports of lists. No area's rows and none of their SQL.

pub mod calls;
pub mod chart;
pub mod check;
pub mod choices;
pub mod cookies;
pub mod ctx;
pub mod disposition;
pub mod error;
pub mod export;
pub mod figure;
pub mod first_steps;
pub mod form;
pub mod idempotency;
pub mod input;
pub mod list;
pub mod list_checks;
pub mod listing;
pub mod master_data;
pub mod number_search;
pub mod obstacle;
pub mod open_work;
pub mod openapi;
pub mod options;
pub mod owner;
pub mod preferences;
pub mod refusal;
pub mod search;
pub mod services;
pub mod signed;
pub mod site;
pub mod versioned;

pub use calls::{Access, AccessOf, Calls, FileRule, FileRules, Output};
pub use check::{Check, check_step};
pub use ctx::{App, Ctx};
pub use error::ApiError;
pub use form::FileForm;
pub use input::{Body, Id, IdQuery, Nothing, Query};
pub use list::{ListFilters, ListQuery, YesNo};
pub use listing::{Exporting, Listing};
pub use number_search::{WholeNumber, hash_phone};
pub use options::{OptionsQuery, SelectOption};
pub use signed::Signed;
pub use versioned::Versioned;

pub use base::say::{Say, say};

/// The result of a handler.
pub type Result<T> = std::result::Result<T, ApiError>;
