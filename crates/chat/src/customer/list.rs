//! The list of customers: a page of it, all of it as a file.

use sqlx::any::AnyRow;

use super::model::{CustomerFilters, CustomerRow, CustomerStatus, phone_text};
use super::store;
use crate::codes::{CustomerSource, PhoneState};
use crate::words::Reveals;
use base::crypto::Keys;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::{Exporting, Listing, WholeNumber, hash_phone, say};

/// Customers in the audit trail.
pub const TARGET: Target = Target { module: Module::ChatCustomer, kind: "chat_customer", id: None };

/// The list of customers.
pub struct Customers;

impl Listing for Customers {
    type Filters = CustomerFilters;
    type Row = CustomerRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const IDS_FIRST: bool = true;

    fn conceal(filters: &mut CustomerFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &CustomerFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    /// Numbers in remarks are masked, because this function has no viewer.
    fn read(row: &AnyRow, _: Locale) -> Result<CustomerRow, sqlx::Error> {
        store::read(row, &Reveals::default())
    }
}

impl Exporting for Customers {
    fn sheet() -> Sheet<CustomerRow> {
        Sheet {
            target: TARGET,
            title: say("客户", "Customers"),
            columns: Columns::<CustomerRow>::of("customer")
                .text("nickname")
                .code::<CustomerSource>("source")
                .cell("phoneMask", |row, locale| Cell::text(phone_text(&row.phone_mask, row.phone_state, locale)))
                .code::<PhoneState>("phoneState")
                .time("phoneVerifiedAt")
                .cell("tags", |row, _| Cell::text(row.tags.join(", ")))
                .text("remark")
                .code::<CustomerStatus>("status")
                .cell("userNo", |row, locale| Cell::text(applicant(row, locale)))
                .number("conversations")
                .time("lastInboundAt")
                .time("consentedAt")
                .text("consentText")
                .cell("consentLocale", |row, _| Cell::text(row.consent_locale.as_deref().map(language)))
                .text("consentVersion")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}

/// The name of a language in that language, by its tag.
fn language(tag: &str) -> String {
    if tag == Locale::Chinese.tag() { "中文" } else { "English" }.to_owned()
}

/// The number of the application with the customer's phone. If the phone is not verified, it may be another person's
/// application, and the text says so.
fn applicant(row: &CustomerRow, locale: Locale) -> Option<String> {
    let no = row.user_no.as_ref()?;
    Some(match row.phone_state {
        Some(PhoneState::Verified) => no.clone(),
        _ => format!("{no}{}", locale.pick("（手机号未验证）", " (phone not verified)")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Customers>(&[]).await;
    }

    #[test]
    fn columns_have_headings() {
        columns_are_fields::<Customers>("customer");
    }
}
