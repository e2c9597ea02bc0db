//! Converts names of cities in older rows to codes, in small transactions in the background. The progress is stored,
//! so that another node continues after an interruption. A text that names no city stays as it is, and administrators
//! get a message about it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, Row};
use tokio_util::sync::CancellationToken;

use base::clock::{self, MINUTE};
use base::db::Connection;
use frame::api::{App, say};
use frame::daily_task::DailyTask;
use frame::message::{self, Audience, Link, MessageKind, NewMessage};
use frame::places::{UNKNOWN, city, code_or_text, column, province_of, province_or_text, tidy};
use frame::terms::applicant::in_one_form;
use frame::terms::{PriceRule, RuleSet};
use trade::user;

/// Rows of one transaction: few, since other writers wait meanwhile; and the pause after it.
const BATCH: i64 = 500;
const PAUSE: Duration = Duration::from_millis(50);
/// How often a node checks whether there is work.
const LOOK: Duration = Duration::from_secs(600);
/// After this long without a step, a node counts as stopped, and another one continues.
const LEASE: i64 = 10 * MINUTE;
/// Most plans, products or channels that a message names.
const MOST_NAMED: usize = 20;
/// The row with the number of unknown texts in the last report.
const REPORTED: &str = "reported";

/// The content of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    City,
    /// A city, with a column `province` beside it.
    CityInProvince,
    Province,
    Cities,
    /// The answers of an applicant.
    Said,
    Rules,
    Prices,
}

impl Holds {
    /// The text of a column with codes instead of names.
    fn with_codes(self, text: &str) -> String {
        let read = match self {
            Holds::City | Holds::CityInProvince => Some(code_or_text(text)),
            Holds::Province => Some(province_or_text(text)),
            Holds::Cities => serde_json::from_str(text).ok().map(|cities| column(&tidy(cities))),
            Holds::Said => serde_json::from_str::<Map<String, Value>>(text).ok().map(|mut said| {
                in_one_form(&mut said);
                Value::Object(said).to_string()
            }),
            Holds::Rules => serde_json::from_str::<RuleSet>(text).ok().and_then(|rules| serde_json::to_string(&rules).ok()),
            Holds::Prices => serde_json::from_str::<Vec<PriceRule>>(text).ok().and_then(|prices| serde_json::to_string(&prices).ok()),
        };
        read.unwrap_or_else(|| text.to_owned())
    }

    /// Whether a text names an unknown city.
    fn is_unknown(self, text: &str) -> bool {
        match self {
            Holds::Cities => serde_json::from_str::<Vec<String>>(text).is_ok_and(|cities| cities.iter().any(|code| city(code).is_none())),
            Holds::Rules => serde_json::from_str::<RuleSet>(text).is_ok_and(|rules| rules.names_unknown_city()),
            Holds::Prices => {
                serde_json::from_str::<Vec<PriceRule>>(text).is_ok_and(|prices| prices.iter().any(|price| price.rules.names_unknown_city()))
            }
            Holds::City | Holds::CityInProvince | Holds::Province | Holds::Said => false,
        }
    }
}

const COLUMNS: &[(&str, &str, Holds)] = &[
    ("plan", "cities", Holds::Cities),
    ("plan", "rule_set", Holds::Rules),
    ("plan", "price_rules", Holds::Prices),
    ("product", "cities", Holds::Cities),
    ("product", "rule_set", Holds::Rules),
    ("channel", "filters", Holds::Rules),
    ("salesperson", "cities", Holds::Cities),
    ("sub_organisation", "cities", Holds::Cities),
    ("sub_organisation", "city", Holds::City),
    ("organisation", "province", Holds::Province),
    ("organisation", "city", Holds::CityInProvince),
    ("project", "city", Holds::City),
    ("applicant", "province", Holds::Province),
    ("applicant", "city", Holds::CityInProvince),
    ("applicant", "said", Holds::Said),
    ("clue", "city", Holds::City),
    ("push_record", "city", Holds::City),
    ("match_record", "city", Holds::City),
];

/// Works until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(LOOK, stop.clone(), async || {
        if let Err(error) = read(&app, &stop).await {
            tracing::error!(%error, "names of cities were not made codes");
        }
    })
    .await;
}

/// Converts the names, if no other node does or has done it today. Returns how many texts.
pub async fn read(app: &App, stop: &CancellationToken) -> Result<u64, sqlx::Error> {
    let Some(mut task) = DailyTask::start(app, "read_places", LEASE).await? else { return Ok(0) };
    let mut count = 0;
    let done = go_through(app, &mut task, stop, &mut count).await;
    if matches!(done, Ok(true)) {
        report_unknown(app).await?;
    }
    task.leave(app, *done.as_ref().unwrap_or(&false)).await?;
    done.map(|_| count)
}

/// Returns whether it came to the end.
async fn go_through(app: &App, task: &mut DailyTask, stop: &CancellationToken, count: &mut u64) -> Result<bool, sqlx::Error> {
    for place in COLUMNS {
        loop {
            if stop.is_cancelled() || !task.go_on(app).await? {
                return Ok(false);
            }
            let some = app.db.transact(|mut tx| async move { read_some(&mut tx, *place).await }.boxed()).await?;
            let Some(some) = some else { break };
            *count += some;
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(true)
}

/// Reads some texts of a column; none when there are no more.
async fn read_some(tx: &mut Connection, (table, column, holds): (&str, &str, Holds)) -> Result<Option<u64>, sqlx::Error> {
    let name = format!("{table}.{column}");
    let done: Option<i64> = sqlx::query_scalar("SELECT upto FROM place_read WHERE name = $1").bind(&name).fetch_optional(&mut *tx).await?;
    let select = format!("SELECT id, COALESCE({column}, '') AS text FROM {table} WHERE id > $1 ORDER BY id LIMIT $2");
    let rows = sqlx::query(AssertSqlSafe(select)).bind(done.unwrap_or(0)).bind(BATCH).fetch_all(&mut *tx).await?;
    let Some(last) = rows.last() else { return Ok(None) };
    let last: i64 = last.try_get("id")?;
    let mut count = 0;
    for row in rows {
        let (id, text): (i64, String) = (row.try_get("id")?, row.try_get("text")?);
        let read = holds.with_codes(&text);
        if read == text {
            continue;
        }
        // A text that was changed meanwhile has codes already.
        let province = province_of(&read);
        let update = match holds == Holds::CityInProvince && !province.is_empty() {
            true => format!("UPDATE {table} SET {column} = $1, province = '{province}' WHERE id = $2 AND {column} = $3"),
            false => format!("UPDATE {table} SET {column} = $1 WHERE id = $2 AND {column} = $3"),
        };
        count += sqlx::query(AssertSqlSafe(update)).bind(read).bind(id).bind(text).execute(&mut *tx).await?.rows_affected();
    }
    keep(tx, &name, last).await?;
    Ok(Some(count))
}

async fn keep(tx: &mut Connection, name: &str, upto: i64) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO place_read (name, upto) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET upto = excluded.upto")
        .bind(name)
        .bind(upto)
        .execute(tx)
        .await
        .map(drop)
}

/// Sends messages about texts that name no city: the number of applicants, and the plans, products and channels.
/// Again only after a change.
async fn report_unknown(app: &App) -> Result<(), sqlx::Error> {
    let on = app.db.read();
    let count = format!("SELECT COUNT(*) FROM applicant u WHERE {}", user::NO_CITY);
    let applicants: i64 = sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(on).await?;
    let mut others = Vec::new();
    for (table, no, point, route, title) in [
        ("plan", "no", "plan/list/update", "planList", ("投放计划", "Plans")),
        ("product", "code", "product/list/update", "productList", ("产品", "Products")),
        ("channel", "code", "channel/list/update", "channelList", ("渠道", "Channels")),
    ] {
        let named = named(app, table, no).await?;
        if !named.is_empty() {
            others.push((point, route, title, named));
        }
    }
    let left = applicants + others.iter().map(|(.., named)| named.len() as i64).sum::<i64>();
    let others = &others;
    app.db
        .transact(|mut tx| {
            async move {
                let reported: Option<i64> =
                    sqlx::query_scalar("SELECT upto FROM place_read WHERE name = $1").bind(REPORTED).fetch_optional(&mut **tx).await?;
                if reported.unwrap_or(0) == left {
                    return Ok(());
                }
                keep(&mut tx, REPORTED, left).await?;
                let now = app.clock.now();
                if applicants > 0 {
                    let message = NewMessage {
                        title: say("有申请人的城市无法识别", "Cities of applicants were not recognised"),
                        content: say(
                            format!("{applicants} 位申请人的城市不在城市表中，保留原文；按城市投放的计划不会购买。"),
                            format!("The cities of {applicants} applicants are not in the table of cities and stay as they are. Plans for cities do not buy them."),
                        ),
                        link: Some(Link { route: "userList", query: vec![("city", UNKNOWN.to_owned())] }),
                        ..blank(now)
                    };
                    message::to_overseers(&mut tx, "user/list/list", message, now).await?;
                }
                for (point, route, (chinese, english), named) in others {
                    let (list, more) = (&named[..named.len().min(MOST_NAMED)], named.len() > MOST_NAMED);
                    let message = NewMessage {
                        title: say(format!("{chinese}中有无法识别的城市"), format!("{english} with cities that were not recognised")),
                        content: say(
                            format!("请重新选择城市：{}{}", list.join("、"), if more { "……" } else { "" }),
                            format!("Choose the cities again: {}{}", list.join(", "), if more { "…" } else { "" }),
                        ),
                        link: Some(Link { route, query: vec![("keyword", named[0].clone())] }),
                        ..blank(now)
                    };
                    message::to_overseers(&mut tx, point, message, now).await?;
                }
                Ok(())
            }
            .boxed()
        })
        .await
}

fn blank(now: i64) -> NewMessage {
    let none = || say("", "");
    NewMessage { kind: MessageKind::Message, audience: Audience::All, ..NewMessage::to_person(0, "places", none(), none(), now) }
}

/// The numbers of the rows of a table whose lists and rules name an unknown city.
async fn named(app: &App, table: &str, no: &str) -> Result<Vec<String>, sqlx::Error> {
    let columns = COLUMNS.iter().filter(|(of, ..)| *of == table).collect::<Vec<_>>();
    let list = columns.iter().map(|(_, column, _)| format!("COALESCE({column}, '') AS {column}")).collect::<Vec<_>>().join(", ");
    let select = format!("SELECT {no} AS no, {list} FROM {table} WHERE deleted_at IS NULL ORDER BY id");
    let mut named = Vec::new();
    for row in sqlx::query(AssertSqlSafe(select)).fetch_all(app.db.read()).await? {
        for (_, column, holds) in &columns {
            if holds.is_unknown(row.try_get(*column)?) {
                named.push(row.try_get("no")?);
                break;
            }
        }
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_every_kind_of_column_become_codes() {
        for (holds, text, read) in [
            (Holds::City, "上海", "310100"),
            (Holds::City, "某地", "某地"),
            (Holds::City, "", ""),
            (Holds::Province, "广东", "440000"),
            (Holds::Cities, r#"["上海","某地"]"#, r#"["310100","某地"]"#),
            (Holds::Cities, "no list", "no list"),
            (Holds::Said, r#"{"age":30,"city":"杭州市"}"#, r#"{"age":30,"city":"330100"}"#),
            (
                Holds::Rules,
                r#"{"all":[{"field":"city","op":"in","value":["上海"]}]}"#,
                r#"{"all":[{"field":"city","op":"in","value":["310100"]}]}"#,
            ),
            (Holds::Rules, "", ""),
            (Holds::Prices, "[]", "[]"),
        ] {
            assert_eq!(holds.with_codes(text), read);
        }
        assert!(Holds::Cities.is_unknown(r#"["310100","某地"]"#) && !Holds::Cities.is_unknown("[]"));
        assert!(Holds::Rules.is_unknown(r#"{"any":[{"all":[{"field":"city","op":"eq","value":"某地"}]}]}"#));
    }
}
