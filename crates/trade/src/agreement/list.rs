//! The list of agreements, its file, and choices for selects.

use std::sync::Arc;

use sqlx::any::AnyRow;

use super::model::{AgreementFilters, AgreementOption, AgreementRow, AgreementState};
use super::store;
use base::db::{Db, Sql};
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::versions::Table;
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::first_steps::{FirstSteps, Step};
use frame::api::options::OptionsQuery;
use frame::api::{Ctx, Exporting, Listing, Query, Result, say};

/// The name of agreements in the audit trail.
pub const TARGET: Target = Target { module: Module::Agreement, kind: "agreement", id: None };

/// The step of an installation that registers the text that applicants consent to.
pub fn first_step(steps: &mut FirstSteps<'_>) {
    steps.add(Step {
        point: "admin/agreement/create",
        href: "/admin/agreement",
        title: say("授权书", "An agreement"),
        open: say("申请人同意的授权书全文", "The text that applicants consent to"),
        begun: say("授权书已失效：新增一个版本", "The agreement is not valid any more: add an edition"),
        has_begun: "EXISTS (SELECT 1 FROM agreement)",
        is_done: "EXISTS (SELECT 1 FROM agreement WHERE valid_to IS NULL)",
    });
}

/// The list of agreements.
pub struct Agreements;

impl Listing for Agreements {
    type Filters = AgreementFilters;
    type Row = AgreementRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &AgreementFilters, scope: Scope) {
        store::narrow(sql, filters);
        scope.apply(sql, ScopeColumns::default());
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<AgreementRow, sqlx::Error> {
        store::read(row, None)
    }

    async fn complete(_: &Db, rows: &mut [AgreementRow], now: i64) -> std::result::Result<(), sqlx::Error> {
        for row in rows {
            row.state = Some(AgreementState::at(row.valid_from, row.valid_to, now));
        }
        Ok(())
    }
}

impl Exporting for Agreements {
    fn sheet() -> Sheet<AgreementRow> {
        Sheet {
            target: TARGET,
            title: say("授权书", "Agreements"),
            columns: Columns::<AgreementRow>::of("agreement")
                .text("code")
                .text("edition")
                .text("name")
                .code::<AgreementState>("state")
                .time("validFrom")
                .time("validTo")
                .number("consents")
                .text("digest")
                .cell("textKept", |row, locale| Cell::mark(row.text_kept, locale))
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}

/// `GET /agreement/options`: for platform staff, newest first.
pub async fn options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Vec<AgreementOption>> {
    if !cx.viewer()?.scope().is_platforms() {
        return Ok(Vec::new());
    }
    let keyword = query.keyword.as_deref();
    let choices = cx.choices(&[Table::Agreement], keyword, (), store::choices(cx.db(), keyword)).await?;
    Ok(choices.iter().map(|choice| choice.at(cx.now)).collect())
}
