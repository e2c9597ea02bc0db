//! Payee organisations: the legal bodies of the platform that receive money and issue invoices. An organisation's own people see none.
//! Calls under `/org/payee`.

pub mod account;
mod form;
mod model;

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use self::account::PayeeAccount;
use self::form::{check, tidied};
use super::store;
use base::clock::DAY;
use base::crypto::Keys;
use base::db::{self, Connection, Sql};
use base::locale::Locale;
use frame::access::audit::{self, AuditEntry, Change, Module, Stamp, Target};
use frame::access::versions::Table;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::api::export::{Cell, Sheet, column};
use frame::api::first_steps::{FirstSteps, Step};
use frame::api::obstacle::{Obstacles, obstacle};
use frame::api::open_work::{OpenWork, Queue, QueueAction};
use frame::api::options::{self, SelectOption};
use frame::api::search::{Names, Search};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Exporting, Id, Listing, OptionsQuery, Query, Result, say};
use frame::decision::{self, Awaits, DecisionAction};
use frame::{proposal, reveal};

pub use self::model::{InvoiceKind, PayeeFilters, PayeeForm, PayeeRow, PayeeStatus, RevealedPayee};

/// What the audit trail calls payee organisations.
const TARGET: Target = Target { module: Module::Organisation, kind: "payee_organisation", id: None };

/// The list of payee organisations.
pub struct Payees;

impl Listing for Payees {
    type Filters = PayeeFilters;
    type Row = PayeeRow;
    const SELECT: &'static str = concat!(
        "SELECT p.id, p.name, p.tax_no, p.bank_name, p.bank_account_mask, p.address, p.phone, p.invoice_types, p.status, p.version, \
         p.created_at, p.updated_at, CASE WHEN p.proposed_enc IS NULL THEN 0 ELSE 1 END AS is_another_account, ",
        decision::open_columns!("org/payee/audit"),
        " FROM payee_organisation p",
        decision::open_join!("payee_organisation", "p.id"),
        " WHERE p.deleted_at IS NULL"
    );
    const COUNT: &'static str = "SELECT p.id FROM payee_organisation p WHERE p.deleted_at IS NULL";

    fn narrow(sql: &mut Sql, filters: &PayeeFilters, scope: Scope) {
        sql.and_contains(&["p.name", "p.tax_no"], filters.keyword.as_deref()).and("p.status = ", filters.status.map(<&str>::from));
        if filters.awaits == Some(Awaits::Decision) {
            sql.push(concat!(" AND ", decision::open_exists!("payee_organisation", "p.id", "change_payee_account")));
            decision::and_not_by(sql, "payee_organisation", "p.id", filters.own_of);
        }
        within(sql, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<PayeeRow, sqlx::Error> {
        read(row)
    }
}

/// Payees in the search of the whole back office: like the list, for viewers who see everything.
const NAMES: Names = Names {
    kind: "payee",
    title: ("收款主体", "Payees"),
    points: &["org/payee/list"],
    tables: &[Table::PayeeOrganisation],
    select: "SELECT p.id, p.name, p.tax_no AS code, '' AS also, '' AS note FROM payee_organisation p WHERE p.deleted_at IS NULL",
    columns: &["p.name", "p.tax_no"],
    scope: ScopeColumns { owner: None, org: None, sub_org: None, myself: None },
    address: |named| format!("/org/payee/{}", named.id),
};

/// Finds payees by their names and tax numbers.
pub async fn search(search: &mut Search<'_>) -> Result<()> {
    search.names(&NAMES).await
}

/// Payees whose account waits for a decision, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = PayeeFilters { awaits: Some(Awaits::Decision), ..PayeeFilters::default() };
    work.add::<Payees>(
        waiting,
        Queue {
            point: account::POINT,
            title: say("待审核的收款账户", "Bank accounts awaiting approval"),
            action: QueueAction::Review,
            href: "/org/payee?awaits=decision",
            since: decision::open_since!("payee_organisation", "p.id"),
            cents: None,
            within: DAY,
        },
    );
}

/// The step of an installation that gives it a payee.
pub fn first_step(steps: &mut FirstSteps<'_>) {
    steps.add(Step {
        point: "org/payee/create",
        href: "/org/payee",
        title: say("收款主体", "A payee"),
        open: say(
            "机构的款付给哪家公司：填写名称、税号和银行账号",
            "The company that organisations pay: its name, tax number and bank account",
        ),
        begun: say("收款主体已停用：启用一个", "The payee is disabled: enable one"),
        has_begun: "EXISTS (SELECT 1 FROM payee_organisation WHERE deleted_at IS NULL)",
        is_done: "EXISTS (SELECT 1 FROM payee_organisation WHERE deleted_at IS NULL AND status = 'enabled')",
    });
}

impl Exporting for Payees {
    fn sheet() -> Sheet<PayeeRow> {
        Sheet {
            target: TARGET,
            title: say("收款主体", "Payee organisations"),
            columns: vec![
                column("name", "主体名称", "Name", |row, _| Cell::text(row.name.clone())),
                column("taxNo", "税号", "Tax number", |row, _| Cell::text(row.tax_no.clone())),
                column("bankName", "开户行", "Bank", |row, _| Cell::text(row.bank_name.clone())),
                column("bankAccountMask", "银行账号", "Bank account", |row, _| Cell::text(row.bank_account_mask.clone())),
                column("address", "地址", "Address", |row, _| Cell::text(row.address.clone())),
                column("phone", "电话", "Phone", |row, _| Cell::text(row.phone.clone())),
                column("invoiceTypes", "发票类型", "Invoice types", |row, locale| {
                    let kinds: Vec<&str> = row.invoice_types.iter().map(|kind| kind.label(locale)).collect();
                    Cell::text(kinds.join(locale.pick("、", ", ")))
                }),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
            ],
        }
    }
}

/// Payees belong to no organisation and no account: they are seen by viewers who see everything.
fn within(sql: &mut Sql, scope: Scope) {
    scope.apply(sql, ScopeColumns::default());
}

/// The payees that a viewer may name: of an organisation's people, the one that it pays.
fn choosable(sql: &mut Sql, scope: Scope) {
    match scope {
        Scope::Org(id) => {
            sql.push(" AND p.id IN (SELECT o.payee_org_id FROM organisation o WHERE o.id = ").bind(id).push(")");
        }
        // Platform staff choose a payee in their own records.
        Scope::Own(_) => {}
        _ => within(sql, scope),
    }
}

fn read(row: &AnyRow) -> std::result::Result<PayeeRow, sqlx::Error> {
    let decision = decision::read(row)?;
    let mut proposed: Option<PayeeAccount> = proposal::proposed(decision.as_ref(), DecisionAction::ChangePayeeAccount)?;
    if let Some(account) = &mut proposed {
        account.is_another_account = db::flag(row, "is_another_account")?;
    }
    Ok(PayeeRow {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        tax_no: row.try_get("tax_no")?,
        bank_name: row.try_get("bank_name")?,
        bank_account_mask: row.try_get("bank_account_mask")?,
        address: row.try_get("address")?,
        phone: row.try_get("phone")?,
        invoice_types: db::json(row, "invoice_types")?,
        status: db::code(row, "status")?,
        proposed,
        decision,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> std::result::Result<Option<PayeeRow>, sqlx::Error> {
    let mut sql = Sql::new(Payees::SELECT);
    sql.and("p.id = ", Some(id));
    within(&mut sql, scope);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// `GET /org/payee/options`: those that can be chosen, by name.
pub async fn choices(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    let keyword = query.keyword.as_deref();
    let mut sql = Sql::new("SELECT p.id, p.name FROM payee_organisation p WHERE p.deleted_at IS NULL AND p.status = 'enabled'");
    sql.and_contains(&["p.name", "p.tax_no"], keyword);
    choosable(&mut sql, cx.viewer()?.scope());
    sql.push(" ORDER BY p.name, p.id LIMIT ").bind(options::MOST);
    let read = async { sql.fetch_all(cx.db().read()).await?.iter().map(store::choice).collect::<std::result::Result<Vec<_>, _>>() };
    cx.choices(&[Table::PayeeOrganisation, Table::Organisation], keyword, (), read).await
}

/// `GET /org/payee/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PayeeRow> {
    find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /org/payee/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /org/payee/reveal/{id}`: the whole accounts, the one in use and the one that awaits approval together. That they were seen is
/// written down first.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<RevealedPayee> {
    let mut tx = cx.db().begin().await?;
    let row = find(&mut *tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    account::check_reveal(cx.viewer()?, &row)?;
    let bank_account = account::current(&mut tx, &cx.app.keys, id).await?;
    let proposed = match row.proposed {
        Some(_) => account::proposed(&mut tx, &cx.app.keys, id).await?,
        None => None,
    };
    let seen = Change { field: "bankAccount".to_owned(), before: None, after: None };
    reveal::written(&cx, tx, TARGET.of(id), &[seen]).await?;
    Ok(RevealedPayee { bank_account, proposed })
}

impl Versioned for PayeeRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PayeeRow>, sqlx::Error> {
        find(tx, scope, id).await
    }

    fn diff(before: Option<&PayeeRow>, after: Option<&PayeeRow>) -> Vec<Change> {
        let mut changes = audit::changes(before, after);
        changes.retain(|change| !["decision", "proposed"].contains(&change.field.as_str()));
        let proposed = |row: Option<&PayeeRow>| row.and_then(|row| row.proposed.clone());
        let (was, is) = (proposed(before), proposed(after));
        changes.extend(proposal::changes((before, was.as_ref()), (after, is.as_ref())));
        // Another account has its own entry where the masks are alike.
        changes.retain(|change| change.field != "asked.isAnotherAccount");
        changes
    }
}

/// `POST /org/payee`: its account awaits approval.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<PayeeForm>) -> Result<PayeeRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new payee has none".to_owned()));
    }
    cx.overseer()?;
    let form = tidied(body);
    check(&form, false)?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let id = insert(&mut tx, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
                let row = find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
                account::propose(cx, &mut tx, &row, form).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /org/payee`: another bank or account awaits approval; all else is written at once.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<PayeeForm>) -> Result<PayeeRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let form = tidied(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PayeeRow>(cx, &mut tx, id, version).await?;
                check(form, !before.bank_account_mask.is_empty() || before.proposed.is_some())?;
                let written = write(&mut tx, id, version, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
                let more = match written {
                    true => account::propose(cx, &mut tx, &before, form).await?,
                    false => Vec::new(),
                };
                versioned::changed_with_within(cx, &mut tx, before, written, more).await
            }
            .boxed()
        })
        .await
}

/// `DELETE /org/payee/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::hold_as_platform_staff::<PayeeRow>(cx, &mut tx, id).await?;
                if let Some(referrer) = obstacle(&mut tx, REFERENCES, id).await? {
                    return Err(ApiError::State(referrer));
                }
                account::forget(&mut tx, id, cx.now).await?;
                match stamped::remove(&mut tx, TARGET.kind, id, cx.stamp()?).await? {
                    true => versioned::deleted_within(cx, &mut tx, before).await,
                    false => Err(ApiError::Missing),
                }
            }
            .boxed()
        })
        .await
}

/// What keeps a payee from being deleted. An area that stores a payee's id adds its line.
const REFERENCES: Obstacles = &[
    ("SELECT id FROM receipt WHERE payee_org_id = $1 AND deleted_at IS NULL", "有收款单使用该收款主体", "Receipts use this payee"),
    ("SELECT id FROM organisation WHERE payee_org_id = $1 AND deleted_at IS NULL", "有机构使用该收款主体", "Organisations use this payee"),
    ("SELECT id FROM recharge WHERE payee_org_id = $1", "有充值使用该收款主体", "Recharges use this payee"),
    (
        "SELECT id FROM payee_channel WHERE payee_org_id = $1 AND deleted_at IS NULL",
        "有收款通道使用该收款主体",
        "Payee channels use this payee",
    ),
    (
        "SELECT id FROM org_payee_spend WHERE payee_org_id = $1 AND (to_cents IS NULL OR to_cents <> from_cents)",
        "有机构在该收款主体消费过",
        "Organisations have spent with this payee",
    ),
];

/// Whether an organisation may pay this one: an enabled payee, or the one that it pays already.
pub(crate) async fn check_choice(tx: &mut Connection, wanted: Option<i64>, before: Option<i64>) -> Result<()> {
    let Some(id) = wanted.filter(|_| wanted != before) else { return Ok(()) };
    match find(tx, Scope::All, id).await? {
        Some(row) if row.status == PayeeStatus::Enabled => Ok(()),
        _ => Err(ApiError::field("payeeOrgId", say("请选择启用中的收款主体", "Choose an enabled payee"))),
    }
}

/// Refuses a payee that is not enabled, or that the viewer may not name.
pub async fn check_choice_of(tx: &mut Connection, scope: Scope, id: i64) -> Result<()> {
    let mut sql = Sql::new("SELECT p.id FROM payee_organisation p WHERE p.deleted_at IS NULL AND p.status = 'enabled'");
    sql.and("p.id = ", Some(id));
    choosable(&mut sql, scope);
    match sql.fetch_optional(tx).await? {
        Some(_) => Ok(()),
        None => Err(ApiError::field("payeeOrgId", say("请选择启用中的收款主体", "Choose an enabled payee"))),
    }
}

/// Whether a payee is enabled.
pub async fn is_enabled(tx: &mut Connection, id: i64) -> Result<bool> {
    Ok(find(tx, Scope::All, id).await?.is_some_and(|row| row.status == PayeeStatus::Enabled))
}

/// The kinds of invoices that a payee issues; none where there is no such payee.
pub(crate) async fn invoice_kinds(tx: &mut Connection, id: i64) -> Result<Option<Vec<InvoiceKind>>> {
    Ok(find(tx, Scope::All, id).await?.map(|row| row.invoice_types))
}

/// What payers read of a payee.
pub struct PayeeDetails {
    pub name: String,
    /// Both empty before the first account is approved.
    pub bank_name: String,
    pub bank_account: String,
}

/// What payers read of a payee, its account unmasked.
pub async fn details(tx: &mut Connection, keys: &Keys, id: i64) -> Result<PayeeDetails> {
    let row = sqlx::query("SELECT name, bank_name, bank_account_enc FROM payee_organisation WHERE id = $1").bind(id).fetch_one(tx).await?;
    let bank_account = account::opened(keys, id, row.try_get("bank_account_enc")?)?;
    Ok(PayeeDetails { name: row.try_get("name")?, bank_name: row.try_get("bank_name")?, bank_account })
}

/// Whether a payee has an account that a second person has approved.
pub async fn has_account(tx: &mut Connection, id: i64) -> std::result::Result<bool, sqlx::Error> {
    sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM payee_organisation WHERE id = $1 AND bank_account_enc <> ''")
        .bind(id)
        .fetch_one(tx)
        .await
        .map(|found| found > 0)
}

/// Adds a payee without an account and returns its id.
pub async fn insert(tx: &mut Connection, form: &PayeeForm, stamp: Stamp) -> std::result::Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO payee_organisation (name, tax_no, bank_name, bank_account_enc, bank_account_mask, address, phone, invoice_types, status, \
           created_at, updated_at, created_by, updated_by) VALUES ($1, $2, '', '', '', $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id",
    )
    .bind(&form.name)
    .bind(&form.tax_no)
    .bind(&form.address)
    .bind(&form.phone)
    .bind(serde_json::to_string(&form.invoice_types).expect("codes serialise"))
    .bind(<&str>::from(form.status))
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

async fn write(tx: &mut Connection, id: i64, version: i64, form: &PayeeForm, stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE payee_organisation SET name = ");
    sql.bind(form.name.clone()).push(", tax_no = ").bind(form.tax_no.clone()).push(", address = ").bind(form.address.clone());
    sql.push(", phone = ").bind(form.phone.clone()).push(", status = ").bind(<&str>::from(form.status));
    sql.push(", invoice_types = ").bind(serde_json::to_string(&form.invoice_types).expect("codes serialise"));
    stamped::over(sql, id, version, stamp, tx).await
}

/// `**** **** 1234`: the last four digits of an account.
fn mask(account: &str) -> String {
    if account.is_empty() {
        return String::new();
    }
    let shown = account.len().saturating_sub(4);
    format!("**** **** {}", account.get(shown..).unwrap_or_default())
}

fn taken(error: sqlx::Error, form: &PayeeForm) -> ApiError {
    match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("收款主体“{}”已存在", form.name), format!("Payee “{}” already exists", form.name))),
        false => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frame::api::list_checks::every_sort_walks_an_index;

    #[tokio::test]
    async fn every_order_of_the_list_is_an_indexs() {
        every_sort_walks_an_index::<Payees>(&[]).await;
    }

    #[test]
    fn of_an_account_the_last_four_digits_are_seen() {
        assert_eq!(mask("6222021234567890"), "**** **** 7890");
    }
}
