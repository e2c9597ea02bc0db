//! `/crm`.

mod identity;
mod new_leads;
