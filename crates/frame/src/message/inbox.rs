//! A person's messages in the database: those for an audience of the person, and whether they are read. All
//! statements here go through [`visible`], so messages of others are never read.

use std::collections::BTreeMap;

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::model::{MessageKind, MessageRow, MessageState, Unread};
use crate::access::Viewer;
use crate::api::{self, Ctx};
use crate::setting;
use base::clock::DAY;
use base::db::{self, Connection, Sql};
use base::locale::Locale;
use base::routes;

/// Unread messages are counted up to this number.
pub const MOST_UNREAD: i64 = 100;
/// The most messages that one call marks.
const MOST_MARKED: i64 = 2000;

/// Which of a person's messages to read.
#[derive(Clone, Debug, Default)]
pub struct Asked<'a> {
    pub kind: Option<MessageKind>,
    /// Only read ones, or only unread ones.
    pub read: Option<bool>,
    pub from: Option<i64>,
    pub to: Option<i64>,
    /// Only those before this position: publication and id.
    pub before: Option<(i64, i64)>,
    pub ids: Option<&'a [i64]>,
}

const COLUMNS: &str = "m.id, m.publish_at, m.type, m.title_zh, m.title_en, m.sub_title_zh, m.sub_title_en, m.avatar, m.content_zh, \
     m.content_en, m.link_route, m.link_query, m.biz_type, m.biz_id, m.state, m.due_at, r.read_at";
const IDS: &str = "m.id, m.publish_at";

/// Since when messages and notices are shown; todos are shown until they are done.
async fn since(cx: &Ctx) -> api::Result<i64> {
    Ok(cx.now - cx.setting(&setting::MESSAGE_KEEP_DAYS).await? * DAY)
}

/// Appends a select of a viewer's messages, newest first within each audience, at most `limit` of each: one walk over
/// an index for each audience.
fn visible(sql: &mut Sql, columns: &'static str, viewer: &Viewer, asked: &Asked<'_>, since: i64, now: i64, limit: i64) {
    let window = match asked.kind {
        Some(MessageKind::Todo) => 0,
        _ => since,
    };
    let audiences = [
        ("SELECT * FROM (SELECT ", "'person'", ") AS own", Some(viewer.id)),
        (" UNION ALL SELECT * FROM (SELECT ", "'role'", ") AS roles", Some(viewer.role.id)),
        (" UNION ALL SELECT * FROM (SELECT ", "'organisation'", ") AS orgs", viewer.org_id),
        (" UNION ALL SELECT * FROM (SELECT ", "'all'", ") AS everybody", Some(0)),
    ];
    for (begin, scope, end, id) in audiences {
        let Some(id) = id else { continue };
        sql.push(begin).push(columns).push(" FROM message m LEFT JOIN message_receipt r ON r.message_id = m.id AND r.admin_id = ");
        sql.bind(viewer.id).push(" WHERE m.scope = ").push(scope).push(" AND m.scope_id = ").bind(id);
        sql.push(" AND m.publish_at <= ").bind(now);
        // Messages from before the account was made are not shown.
        sql.push(" AND m.publish_at >= (SELECT CASE WHEN a.created_at > ").bind(window).push(" THEN a.created_at ELSE ").bind(window);
        sql.push(" END FROM administrator a WHERE a.id = ").bind(viewer.id).push(")");
        sql.push(" AND (m.expires_at IS NULL OR m.expires_at > ").bind(now).push(")");
        match viewer.org_id {
            Some(org) => sql.push(" AND (m.org_id IS NULL OR m.org_id = ").bind(org).push(")"),
            None => sql.push(" AND m.org_id IS NULL"),
        };
        sql.push(" AND m.done_at IS NULL AND m.withdrawn_at IS NULL AND r.cleared_at IS NULL");
        // A todo that the viewer has handed on is not theirs any more, although it may address their role.
        sql.push(" AND (m.type <> 'todo' OR m.sender_id IS NULL OR m.sender_id <> ").bind(viewer.id).push(")");
        sql.and("m.type = ", asked.kind.map(<&str>::from)).and("m.publish_at >= ", asked.from).and("m.publish_at < ", asked.to);
        match asked.read {
            Some(true) => _ = sql.push(" AND r.read_at IS NOT NULL"),
            Some(false) => _ = sql.push(" AND r.read_at IS NULL"),
            None => {}
        }
        if let Some((at, id)) = asked.before {
            sql.push(" AND (m.publish_at, m.id) < (").bind(at).push(", ").bind(id).push(")");
        }
        if let Some(ids) = asked.ids {
            sql.push(" AND m.id IN (0");
            for id in ids {
                sql.push(", ").bind(*id);
            }
            sql.push(")");
        }
        sql.push(" ORDER BY m.publish_at DESC, m.id DESC LIMIT ").bind(limit).push(end);
    }
}

/// The newest of a viewer's messages, at most `limit`.
pub async fn list(cx: &Ctx, viewer: &Viewer, asked: &Asked<'_>, limit: i64) -> api::Result<Vec<MessageRow>> {
    let rows = listing(viewer, asked, since(cx).await?, cx.now, limit).fetch_all(cx.db().read()).await?;
    Ok(rows.iter().map(|row| read(row, viewer, cx.locale, cx.now)).collect::<Result<_, _>>()?)
}

fn listing(viewer: &Viewer, asked: &Asked<'_>, since: i64, now: i64, limit: i64) -> Sql {
    let mut sql = Sql::new("SELECT * FROM (");
    visible(&mut sql, COLUMNS, viewer, asked, since, now, limit);
    sql.push(") AS v ORDER BY v.publish_at DESC, v.id DESC LIMIT ").bind(limit);
    sql
}

/// How many of each type are unread.
pub async fn unread(cx: &Ctx, viewer: &Viewer) -> api::Result<Unread> {
    let (since, on) = (since(cx).await?, cx.db().read());
    let mut counts = [0; 3];
    for (count, kind) in counts.iter_mut().zip(MessageKind::ALL) {
        *count = count_of(on, counting(viewer, kind, since, cx.now)).await?;
    }
    Ok(numbers(counts))
}

/// The same, with the changes of a transaction.
pub async fn unread_within(tx: &mut Connection, cx: &Ctx, viewer: &Viewer) -> api::Result<Unread> {
    let since = since(cx).await?;
    let mut counts = [0; 3];
    for (count, kind) in counts.iter_mut().zip(MessageKind::ALL) {
        *count = count_of(&mut *tx, counting(viewer, kind, since, cx.now)).await?;
    }
    Ok(numbers(counts))
}

async fn count_of<'e>(on: impl Executor<'e, Database = Any>, counting: Sql) -> Result<i64, sqlx::Error> {
    let row = counting.fetch_optional(on).await?;
    Ok(row.map_or(Ok(0), |row| row.try_get::<i64, _>("unread"))?.min(MOST_UNREAD))
}

fn numbers([message, notice, todo]: [i64; 3]) -> Unread {
    Unread { message, notice, todo }
}

fn counting(viewer: &Viewer, kind: MessageKind, since: i64, now: i64) -> Sql {
    let mut sql = Sql::new("SELECT COUNT(*) AS unread FROM (");
    visible(&mut sql, IDS, viewer, &Asked { kind: Some(kind), read: Some(false), ..Asked::default() }, since, now, MOST_UNREAD);
    sql.push(") AS v");
    sql
}

/// An action of a person on messages.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    Read,
    Cleared,
}

/// Stores that a viewer has read or cleared messages. Earlier marks keep their time, and a message never becomes
/// unread again.
pub async fn mark(tx: &mut Connection, cx: &Ctx, viewer: &Viewer, asked: &Asked<'_>, mark: Mark) -> api::Result<()> {
    let mut sql = Sql::new(match mark {
        Mark::Read => "INSERT INTO message_receipt (message_id, admin_id, read_at) SELECT v.id, ",
        Mark::Cleared => "INSERT INTO message_receipt (message_id, admin_id, cleared_at) SELECT v.id, ",
    });
    sql.bind(viewer.id).push(", ").bind(cx.now).push(" FROM (");
    visible(&mut sql, IDS, viewer, asked, since(cx).await?, cx.now, MOST_MARKED);
    // The condition tells SQLite that the conflict clause belongs to the insert.
    sql.push(") AS v WHERE 1 = 1 ON CONFLICT (admin_id, message_id) DO UPDATE SET ");
    sql.push(match mark {
        Mark::Read => "read_at = COALESCE(message_receipt.read_at, excluded.read_at)",
        Mark::Cleared => "cleared_at = COALESCE(message_receipt.cleared_at, excluded.cleared_at)",
    });
    sql.execute(tx).await?;
    Ok(())
}

fn read(row: &AnyRow, viewer: &Viewer, locale: Locale, now: i64) -> Result<MessageRow, sqlx::Error> {
    let text = |chinese: &str, english: &str| -> Result<String, sqlx::Error> {
        let (chinese, english): (String, String) = (row.try_get(chinese)?, row.try_get(english)?);
        // The author of an announcement may leave the English out.
        Ok(locale.pick(chinese.clone(), if english.is_empty() { chinese } else { english }))
    };
    let state = row.try_get::<Option<&str>, _>("state")?.map(|_| db::code::<MessageState>(row, "state")).transpose()?;
    let due_at = row.try_get("due_at")?;
    Ok(MessageRow {
        id: row.try_get("id")?,
        kind: db::code(row, "type")?,
        title: text("title_zh", "title_en")?,
        sub_title: text("sub_title_zh", "sub_title_en")?,
        avatar: row.try_get("avatar")?,
        content: text("content_zh", "content_en")?,
        time: row.try_get("publish_at")?,
        status: i64::from(row.try_get::<Option<i64>, _>("read_at")?.is_some()),
        message_type: MessageState::at(state, due_at, now).map(MessageState::number),
        link: match record_of(row.try_get("biz_type")?, row.try_get("biz_id")?, viewer) {
            Some(page) => Some(page),
            None => address_or_list(row.try_get("link_route")?, &db::json(row, "link_query")?, viewer),
        },
        due_at,
    })
}

/// The pages of records that messages are about, by the kind of the record: the names of their routes. The `biz_id` of these
/// messages is the id in the address. Messages of other kinds lead where their link leads.
const PAGES: &[(&str, &str)] = &[
    ("account_adjustment", "financeAdjustment"),
    ("channel_cap", "channelDetail"),
    ("consent", "planPushDetail"),
    ("invoice", "financeInvoiceDetail"),
    ("licence", "orgDetail"),
    ("low_balance", "financeAccountDetail"),
    ("organisation", "orgDetail"),
    ("payee_channel", "payConfigChannel"),
    ("payee_organisation", "orgPayeeDetail"),
    ("payment_exception", "payConfigException"),
    ("payment_order", "payConfigOrder"),
    ("payment_refund", "payConfigRefund"),
    ("plan", "planDetail"),
    ("plan_change", "planDetail"),
    ("push_record", "planPushDetail"),
    ("receipt", "orgReceiptDetail"),
    ("receipt_void", "orgReceiptDetail"),
    ("recharge", "financeRechargeDetail"),
    ("role", "adminRoleDetail"),
];

/// The page of the record that a message is about, if it has one and the viewer may open it.
fn record_of(kind: &str, id: Option<i64>, viewer: &Viewer) -> Option<String> {
    let (_, route) = PAGES.iter().find(|(of, _)| *of == kind)?;
    // Messages about consents had the id 0 before they led to a page.
    let id = id.filter(|id| *id > 0)?;
    address(Some(route), &BTreeMap::from([("id".to_owned(), id.to_string())]), viewer)
}

/// The address of a route, if the viewer may open it.
fn address(route: Option<&str>, query: &BTreeMap<String, String>, viewer: &Viewer) -> Option<String> {
    let route = routes::by_name(route?).filter(|route| route.public || viewer.role.routes.contains(&route.name))?;
    route.address(&query.iter().collect::<Vec<_>>())
}

/// The address of a route; for viewers who may not open the page of a record, that of the list to which the page belongs.
fn address_or_list(route: Option<&str>, query: &BTreeMap<String, String>, viewer: &Viewer) -> Option<String> {
    let list = || address(routes::by_name(route?)?.parent.as_deref(), &BTreeMap::new(), viewer);
    address(route, query, viewer).or_else(list)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::access::role::Role;
    use crate::access::versions::Versions;
    use base::db::plans::Plans;

    fn viewer() -> Viewer {
        Viewer {
            id: 7,
            session_id: 1,
            username: "u".into(),
            name: "U".into(),
            avatar: None,
            org_id: Some(3),
            org_name: None,
            sub_org_id: None,
            must_change_password: false,
            must_enrol: false,
            role: Arc::new(Role {
                id: 5,
                routes: ["channelList", "payConfigRefund", "planDetail"].map(str::to_owned).into(),
                ..Role::default()
            }),
            token_issued_at: 0,
            versions: Versions::default(),
        }
    }

    #[tokio::test]
    async fn each_audience_is_one_walk_over_an_index() {
        let plans = Plans::open().await;
        let asked = Asked { kind: Some(MessageKind::Notice), before: Some((9, 9)), ..Asked::default() };
        for sql in [
            listing(&viewer(), &asked, 1, 10, 20),
            listing(&viewer(), &Asked::default(), 1, 10, 20),
            counting(&viewer(), MessageKind::Todo, 1, 10),
        ] {
            let text = sql.text().to_owned();
            let plan = plans.of(sql).await;
            assert_eq!(
                plan.matches("SEARCH m USING INDEX message_audience (scope=? AND scope_id=? AND publish_at>").count(),
                4,
                "{plan}\n{text}"
            );
            assert!(["SCAN m ", "SCAN r ", "SCAN a "].iter().all(|scan| !plan.contains(scan)), "{plan}");
            // Only the few rows of each audience are merged; finding them needs no sorting.
            assert!(!plan.contains("LEFT-JOIN; USE TEMP B-TREE"), "{plan}");
        }
    }

    #[test]
    fn a_link_leads_where_the_reader_may_go() {
        let query = BTreeMap::from([("keyword".to_owned(), "北 &".to_owned())]);
        assert_eq!(address(Some("channelList"), &query, &viewer()).as_deref(), Some("/channel/list?keyword=%E5%8C%97+%26"));
        assert_eq!(address(Some("home"), &BTreeMap::new(), &viewer()).as_deref(), Some("/home"));
        assert_eq!(address(Some("adminList"), &query, &viewer()), None, "not in the viewer's menu");
        assert_eq!(address(Some("gone"), &query, &viewer()), None);
        assert_eq!(address(None, &query, &viewer()), None);
    }

    #[test]
    fn a_message_leads_to_the_record_that_it_is_about() {
        for (kind, route) in PAGES {
            let page = routes::by_name(route).unwrap_or_else(|| panic!("{kind}: no route {route}"));
            assert_eq!(page.parameter_names().collect::<Vec<_>>(), ["id"], "{route}");
        }
        assert_eq!(record_of("plan_change", Some(7), &viewer()).as_deref(), Some("/plan/list/7"));
        assert_eq!(record_of("payment_refund", Some(7), &viewer()).as_deref(), Some("/payConfig/order-list/refunds/7"));
        assert_eq!(record_of("receipt", Some(7), &viewer()), None, "not in the viewer's menu");
        assert_eq!(record_of("plan", None, &viewer()), None);
        assert_eq!(record_of("places", Some(7), &viewer()), None, "no kind of record with a page");
    }
}
