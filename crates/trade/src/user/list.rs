//! The list of applicants, and its file.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::check::UserCheck;
use super::matched::{Matched, matched};
use super::model::{ListedUser, RevealedUser, UserFilters, UserStatus};
use super::person;
use super::store;
use crate::match_log::PassedOver;
use base::canonical;
use base::clock::{self, DAY};
use base::crypto::{self, Keys};
use base::db::page::{Page, Sort};
use base::db::sql::typed;
use base::db::{self, Db, Sql};
use base::locale::Locale;
use base::mask;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, Viewer};
use frame::api::export::{Cell, Exported, Sheet, column};
use frame::api::open_work::{OpenWork, Watch};
use frame::api::search::{FoundRecord, Numbered, Phones, Search, Title};
use frame::api::{
    Access, ApiError, Ctx, Exporting, ListFilters, ListQuery, Listing, Result, WholeNumber, YesNo, listing, number_search, say,
};
use frame::export::plain::{self, Person, PlainExporting, Revealable};
use frame::places;
use frame::terms::applicant;

/// The name of applicants in the audit trail.
pub const TARGET: Target = Target { module: Module::User, kind: "user", id: None };

/// The list of applicants.
pub struct Users;

impl Listing for Users {
    type Filters = UserFilters;
    type Row = ListedUser;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const NEWEST: Option<&'static str> = Some("u.created_at");

    fn conceal(filters: &mut UserFilters, keys: &Keys) -> Option<WholeNumber> {
        let keyword = typed(filters.keyword.as_deref())?;
        let id_no = || canonical::id_no(keyword).filter(|id_no| crypto::is_id_no(id_no));
        let (number, mask) = match canonical::phone(keyword) {
            Some(phone) => (phone.clone(), mask::phone(&phone)),
            None => id_no().map(|id_no| (id_no.clone(), mask::id_no(&id_no)))?,
        };
        let hash = keys.lookup_hash(&number);
        filters.keyword_hash = Some(hash.clone());
        filters.keyword = None;
        Some(WholeNumber { target: TARGET, hash, mask })
    }

    fn narrow(sql: &mut Sql, filters: &UserFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<ListedUser, sqlx::Error> {
        let main_reason: Option<PassedOver> = db::optional_code(row, "main_reason")?;
        let condition: Option<String> = row.try_get("main_condition")?;
        Ok(ListedUser {
            user: store::read(row)?,
            main_reason,
            main_condition: condition.filter(|_| main_reason == Some(PassedOver::Rules)),
        })
    }
}

/// The fewest applicants of a day, and the percentage points above the week before, from which an unmatched share is unusual.
const LEAST_APPLICANTS: i64 = 20;
const POINTS: i64 = 10;

/// Applicants of today that no plan took, if their share is far above that of the seven days before.
pub async fn unusual(cx: &Ctx, work: &mut OpenWork<'_>) -> Result<()> {
    const POINT: &str = "user/list/list";
    let scope = work.scope();
    if !scope.is_platforms() || !cx.viewer()?.has(POINT) {
        return Ok(());
    }
    let start = clock::start(clock::day(cx.now));
    let today = clock::day(start).to_string();
    let [before, now] = matched(cx.db().read(), scope, (start - 7 * DAY, start)).await?;
    if let Some((now, before)) = unusual_share(now, before) {
        let title =
            say(format!("今日未匹配率 {now}%（前 7 天 {before}%）"), format!("Unmatched today: {now}% ({before}% in the last 7 days)"));
        let filters =
            UserFilters { status: Some(UserStatus::Unmatched), test: Some(YesNo::No), created_from: Some(start), ..UserFilters::default() };
        let href = format!("/user/list?status=unmatched&test=no&createdFrom={today}");
        work.watch::<Users>(filters, Watch { point: POINT, title, href });
    }
    Ok(())
}

/// The percentages of applicants that no plan took, today and before, if today's is unusual.
fn unusual_share(now: Matched, before: Matched) -> Option<(i64, i64)> {
    let percent = |of: Matched| of.unmatched * 100 / (of.unmatched + of.sold);
    if [now, before].iter().any(|of| of.unmatched + of.sold < LEAST_APPLICANTS) {
        return None;
    }
    (percent(now) >= percent(before) + POINTS).then(|| (percent(now), percent(before)))
}

/// The column and the filters of what the last round found, which are for viewers who see matches.
const MAIN_REASON: &str = "mainReason";
const MAIN_CONDITION: &str = "mainCondition";

fn sees_main_reason(viewer: &Viewer) -> bool {
    viewer.has("user/match-list/list")
}

/// Refuses a filter by what rounds found to a viewer who sees no matches.
fn check_filters(viewer: &Viewer, filters: &UserFilters) -> Result<()> {
    if sees_main_reason(viewer) {
        return Ok(());
    }
    let given = [(MAIN_REASON, filters.main_reason.is_some()), (MAIN_CONDITION, filters.main_condition.is_some())];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(ApiError::Filters { names: vec![name.to_owned()], detail: name.to_owned() }),
        None => Ok(()),
    }
}

/// `POST /user/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<UserFilters>) -> Result<Page<ListedUser>> {
    check_filters(cx.viewer()?, &query.filters)?;
    let mut page = listing::page::<Users>(cx.clone(), query).await?;
    if !sees_main_reason(cx.viewer()?) {
        for row in &mut page.list {
            (row.main_reason, row.main_condition) = (None, None);
        }
    }
    Ok(page)
}

/// `POST /user/page/export`.
pub async fn export(cx: Arc<Ctx>, mut query: ListQuery<UserFilters>) -> Result<Exported> {
    let viewer = cx.viewer()?;
    check_filters(viewer, &query.filters)?;
    if !sees_main_reason(viewer) {
        let all = || Users::sheet().columns.iter().map(|column| Value::from(column.key)).collect::<Value>();
        let columns = query.rest.entry("columns").or_insert_with(all);
        if let Some(names) = columns.as_array_mut() {
            names.retain(|name| name != MAIN_REASON);
        }
    }
    plain::export::<Users>(cx, query).await
}

/// Finds applicants by their numbers and by a whole phone, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> Result<()> {
    const KIND: &str = "user";
    const TITLE: Title = ("用户", "Applicants");
    const POINTS: &[&str] = &["user/list/list", "user/list/view"];
    let numbers = Numbered::<Users> {
        kind: KIND,
        title: TITLE,
        points: POINTS,
        prefixes: &["U"],
        table: "applicant",
        column: "no",
        capitals: true,
        filters: UserFilters::default(),
        found,
    };
    search.numbers(numbers).await?;
    let by_phone = |phone| UserFilters { keyword: Some(phone), ..UserFilters::default() };
    search.phones(Phones::<Users> { kind: KIND, title: TITLE, points: POINTS, filters: by_phone, found }).await
}

/// The latest applicant with a phone in the viewer's scope. As in the list, the search is counted and stands in the audit trail.
pub async fn latest_of_phone(cx: &Ctx, phone: String) -> Result<Option<i64>> {
    let mut filters = UserFilters { keyword: Some(phone), ..UserFilters::default() };
    let Some(number) = Users::conceal(&mut filters, &cx.app.keys) else { return Ok(None) };
    number_search::count(cx, &number).await?;
    let newest = Sort { column: UserFilters::SORTS[0].1, id: UserFilters::ID, descending: true };
    let rows = listing::first::<Users>(cx, filters, newest, 1).await?;
    Ok(rows.first().map(|row| row.user.id))
}

/// The applicant with a number. The search is counted and stands in the audit trail, as one by a phone.
pub async fn with_number(cx: &Ctx, no: &str) -> Result<Option<i64>> {
    count_number(cx, no).await?;
    Ok(sqlx::query_scalar("SELECT u.id FROM applicant u WHERE u.no = $1").bind(no).fetch_optional(cx.db().read()).await?)
}

/// Counts a search by the number of an applicant, or of a delivery to find its applicant.
pub async fn count_number(cx: &Ctx, no: &str) -> Result<()> {
    let number = WholeNumber { target: TARGET, hash: cx.app.keys.lookup_hash(no), mask: no.to_owned() };
    number_search::count(cx, &number).await
}

fn found(ListedUser { user, .. }: &ListedUser, locale: Locale) -> FoundRecord {
    let note: [&str; 4] = [&user.name_mask, &user.phone_mask, &user.channel_name, user.status.label(locale)];
    FoundRecord::new(&user.no, &note, format!("/user/list/{}", user.id))
}

/// A reason, with the applicant's field whose conditions it was.
fn reason_in_words(reason: PassedOver, condition: Option<&String>, locale: Locale) -> String {
    let name = reason.label(locale);
    match condition {
        Some(field) => format!("{name}{}{}", locale.pick("：", ": "), applicant::titles(std::slice::from_ref(field), locale)),
        None => name.to_owned(),
    }
}

impl Exporting for Users {
    fn sheet() -> Sheet<ListedUser> {
        Sheet {
            target: TARGET,
            title: say("用户列表", "Users"),
            columns: vec![
                column("no", "用户编号", "User number", |row, _| Cell::text(row.user.no.clone())),
                column("nameMask", "姓名", "Name", |row, _| Cell::text(row.user.name_mask.clone())),
                column("phoneMask", "手机号", "Phone", |row, _| Cell::text(row.user.phone_mask.clone())),
                column("idNoMask", "身份证号", "ID number", |row, _| Cell::text(row.user.id_no_mask.clone())),
                column("age", "年龄", "Age", |row, _| row.user.age.map_or(Cell::Empty, Cell::Number)),
                column("province", "省份", "Province", |row, locale| Cell::text(places::label(&row.user.province, locale).into_owned())),
                column("city", "城市", "City", |row, locale| Cell::text(places::label(&row.user.city, locale).into_owned())),
                column("amountCents", "申请金额（元）", "Amount (CNY)", |row, _| {
                    row.user.amount_cents.map_or(Cell::Empty, Cell::Money)
                }),
                column("star", "星级", "Stars", |row, _| row.user.star.map_or(Cell::Empty, Cell::Number)),
                column("channelName", "渠道", "Channel", |row, _| Cell::text(row.user.channel_name.clone())),
                column("productName", "产品", "Product", |row, _| Cell::text(row.user.product_name.clone())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.user.status.label(locale).to_owned())),
                column("sex", "性别", "Sex", |row, locale| Cell::text(row.user.sex.as_deref().and_then(|sex| sex_label(sex, locale)))),
                column("system", "系统", "System", |row, locale| Cell::text(row.user.system.label(locale).to_owned())),
                column("reason", "未通过的检查", "Failed check", |row, locale| {
                    Cell::text(row.user.reason.as_deref().and_then(|check| check_label(check, locale)))
                }),
                column("mainReason", "未匹配原因", "Not matched because", |row, locale| {
                    Cell::text(row.main_reason.map(|reason| reason_in_words(reason, row.main_condition.as_ref(), locale)))
                }),
                column("invalidReason", "无效原因", "Invalid because", |row, locale| {
                    Cell::text(row.user.invalid_reason.map(|reason| reason.label(locale).to_owned()))
                }),
                column("consentWithdrawnAt", "授权撤回时间", "Consent withdrawn at", |row, _| {
                    Cell::time(row.user.consent_withdrawn_at)
                }),
                column("rounds", "分发轮次", "Rounds", |row, _| Cell::Number(row.user.rounds)),
                column("test", "测试", "Test", |row, locale| Cell::mark(row.user.test, locale)),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.user.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.user.updated_at)),
            ],
        }
    }
}

impl PlainExporting for Users {
    const EXPORT: Access = Access::Point("user/list/export");
    const REVEALS: Target = TARGET;

    async fn revealable(db: &Db, scope: Scope, rows: &[i64]) -> std::result::Result<Vec<Revealable>, sqlx::Error> {
        let ids = person::revealable(db.read(), scope, rows).await?;
        Ok(ids.into_iter().map(|id| Revealable { row: id, record: id }).collect())
    }

    async fn people(db: &Db, keys: &Keys, scope: Scope, rows: &[i64]) -> anyhow::Result<HashMap<i64, Person>> {
        let people = person::reveal_all(db.read(), keys, person::revealable(db.read(), scope, rows).await?).await?;
        let person = |RevealedUser { name, phone, id_no, .. }| Person { name, phone, id_no };
        Ok(people.into_iter().map(|(id, user)| (id, person(user))).collect())
    }

    fn id(row: &ListedUser) -> i64 {
        row.user.id
    }

    fn unmask(ListedUser { user, .. }: &mut ListedUser, person: Person) {
        (user.name_mask, user.phone_mask, user.id_no_mask) = (person.name, person.phone, person.id_no);
    }
}

/// The label of the sex that an applicant has stated.
fn sex_label(sex: &str, locale: Locale) -> Option<String> {
    let label = match sex {
        "male" => locale.pick("男", "Male"),
        "female" => locale.pick("女", "Female"),
        "unknown" => locale.pick("未知", "Unknown"),
        _ => return None,
    };
    Some(label.to_owned())
}

/// The label of the check that an applicant has failed.
fn check_label(check: &str, locale: Locale) -> Option<String> {
    match check {
        // No check: earlier versions gave up an applicant whose matching rounds did not finish.
        "given_up" => Some(locale.pick("分发异常终止", "Distribution given up").to_owned()),
        check => check.parse::<UserCheck>().ok().map(|check| check.label(locale).to_owned()),
    }
}
