//! The demo sets every lever: each column that staff set in a form has another value than none, and each of its codes occurs. What
//! the demo does not set stands in the lists below, with its reason; the lists may only get shorter.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use base::db::Engine;
use sqlx::{AssertSqlSafe, Row};

use crate::levers::{Source, codes_of, sources};
use testing::TestApp;
use testing::demo::filled;

/// Tables of what staff set up. Tables that staff edit have a column `updated_by`; each stands here or in [`RECORDS`].
const SETTINGS: &[&str] = &[
    "achievement_target",
    "agreement",
    "blacklist_entry",
    "cap_rule",
    "channel",
    "chat_group",
    "chat_reply",
    "chat_staff",
    "chat_wechat",
    "clue_pool",
    "compliance_rule",
    "dict_item",
    "dict_type",
    "general_setting",
    "org_api_config",
    "org_signing_key",
    "organisation",
    "payee_channel",
    "payee_organisation",
    "plan",
    "product",
    "salesperson",
    "sub_organisation",
];
/// Tables of what happens.
const RECORDS: &[(&[&str], &str)] = &[
    (&["administrator", "role"], "who signs in, and with what rights"),
    (&["applicant", "feedback", "lead_return", "money_record", "chat_customer"], "applicants, and what comes of them"),
    (&["account_adjustment", "invoice", "receipt", "recharge"], "the money of organisations"),
    (&["payment_exception", "payment_link", "payment_link_import", "payment_order", "payment_refund", "payment_statement"], "payments"),
    (&["partner_adjustment", "partner_payout", "partner_statement"], "what channels are paid"),
    (&["project"], "applications of partners"),
];
/// Columns of every table.
const BOOKKEEPING: &[&str] = &["id", "version", "created_at", "updated_at", "created_by", "updated_by", "deleted_at"];

/// Columns that the demo leaves empty or at their defaults.
const NOT_SET: &[(&str, &[&str], &str)] = &[
    ("chat_reply", &["use_count"], "counted by the program"),
    ("chat_staff", &["auto_accept"], "both members of the demo's staff take conversations"),
    ("chat_staff", &["last_assigned_at", "last_seen_at", "offline_at", "presence"], "set while the staff are at work"),
    (
        "chat_wechat",
        &[
            "access_token_enc",
            "received_at",
            "refusal",
            "refused_at",
            "token_claimed_until",
            "token_error",
            "token_expires_at",
            "verified_at",
        ],
        "what WeChat answered; the demo calls no server",
    ),
    ("organisation", &["low_balance_notified_at"], "set by the program when it warns"),
    ("payee_channel", &["cert_warned_for", "old_key_warned_for"], "set by the program when it warns"),
    ("plan", &["delivery_errors"], "counted by the program"),
    ("plan", &["paused_by_org"], "set when an organisation pauses its plan; those of the demo were paused by the platform"),
    ("salesperson", &["left_at"], "a salesperson who left hands over all clues; all salespeople of the demo have some"),
];

/// The enumerations of columns.
const CODES: &[(&str, &[(&str, &str)])] = &[
    ("achievement_target", &[("metric", "AchievementMetric"), ("object_type", "AchievementObject")]),
    (
        "blacklist_entry",
        &[("kind", "BlacklistKind"), ("scope", "BlacklistScope"), ("source", "BlacklistSource"), ("status", "BlacklistStatus")],
    ),
    ("cap_rule", &[("window", "CapWindow")]),
    (
        "channel",
        &[
            ("dedup_scope", "DedupScope"),
            ("mode", "ChannelMode"),
            ("settle_mode", "SettleMode"),
            ("status", "ChannelStatus"),
            ("type", "ChannelType"),
        ],
    ),
    ("chat_group", &[("assign_mode", "AssignMode"), ("status", "UseStatus")]),
    ("chat_reply", &[("kind", "ReplyKind"), ("match_mode", "KeywordMatch"), ("status", "UseStatus")]),
    ("chat_staff", &[("presence", "ChatPresence"), ("status", "UseStatus")]),
    ("chat_wechat", &[("status", "UseStatus")]),
    ("clue_pool", &[("min_level", "SalesLevel"), ("status", "UseStatus")]),
    ("compliance_rule", &[("kind", "RuleKind"), ("severity", "Severity"), ("status", "RuleStatus")]),
    ("dict_item", &[("status", "DictStatus"), ("tag_color", "TagColor")]),
    ("org_api_config", &[("crypto", "OrgCrypto"), ("status", "DeliveryStatus")]),
    ("organisation", &[("bill_mode", "BillMode"), ("mode", "OrgMode"), ("status", "OrgStatus"), ("type", "OrgType")]),
    ("payee_channel", &[("provider", "PayProvider"), ("status", "PayeeChannelStatus")]),
    ("payee_organisation", &[("status", "PayeeStatus")]),
    (
        "plan",
        &[
            ("deliver_mode", "DeliverMode"),
            ("out_of_schedule", "OutOfSchedule"),
            ("pause_reason", "PauseReason"),
            ("sale_mode", "SaleMode"),
            ("status", "PlanStatus"),
        ],
    ),
    ("product", &[("apply_mode", "ApplyMode"), ("category", "ProductCategory"), ("status", "ProductStatus")]),
    ("salesperson", &[("level", "SalesLevel"), ("status", "SalesStatus")]),
    ("sub_organisation", &[("status", "UseStatus")]),
];
/// Columns of words that are no codes of an enumeration.
const WORDS: &[(&str, &[&str], &str)] = &[
    ("cap_rule", &["subject_type"], "names of tables"),
    ("chat_wechat", &["app_id", "template_field"], "names that WeChat gives"),
    ("compliance_rule", &["code"], "codes of staff"),
    ("dict_item", &["value"], "codes of staff"),
    ("dict_type", &["code"], "codes of staff"),
    ("general_setting", &["value"], "JSON"),
    ("salesperson", &["wechat"], "names of accounts"),
];
/// Codes that do not occur in the demo.
const NO_CODE: &[(&str, &str, &[&str], &str)] = &[
    ("chat_group", "assign_mode", &["manual"], "one group has one mode, and the demo has two groups"),
    ("chat_group", "status", &["disabled"], "both groups have conversations"),
    ("chat_reply", "status", &["disabled"], "each reply is one that visitors or staff can try"),
    ("chat_staff", "presence", &["busy", "online"], "set while the staff are at work"),
    ("chat_staff", "status", &["disabled"], "both members of the staff have conversations"),
    ("chat_wechat", "status", &["disabled"], "the demo has one account"),
    ("clue_pool", "min_level", &["junior", "lead", "senior"], "one level stands for all"),
    ("plan", "pause_reason", &["api_errors", "no_balance"], "the program pauses plans for them, at failures that the demo does not have"),
    ("salesperson", "status", &["left"], "a salesperson who left hands over all clues; all salespeople of the demo have some"),
];

/// A column, and its default value as a text.
struct Column {
    table: String,
    name: String,
    is_text: bool,
    default: String,
}

async fn columns(app: &TestApp) -> Vec<Column> {
    let rows = sqlx::query(
        "SELECT t.name AS table_name, c.name, c.type, COALESCE(c.dflt_value, '') AS value FROM sqlite_master t \
         JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.cid",
    )
    .fetch_all(app.app.db.read())
    .await
    .unwrap();
    let column = |row: &sqlx::any::AnyRow| Column {
        table: row.get("table_name"),
        name: row.get("name"),
        is_text: row.get::<&str, _>("type") == "TEXT",
        default: row.get::<&str, _>("value").trim_matches('\'').to_owned(),
    };
    rows.iter().map(column).collect()
}

/// The values of a column but for none, empty ones and empty lists, as texts.
async fn values(app: &TestApp, Column { table, name, .. }: &Column) -> HashSet<String> {
    let sql = format!(
        "SELECT DISTINCT CAST(\"{name}\" AS TEXT) AS value FROM {table} WHERE \"{name}\" IS NOT NULL \
         AND CAST(\"{name}\" AS TEXT) NOT IN ('', '[]', '{{}}')"
    );
    sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).fetch_all(app.app.db.read()).await.unwrap().into_iter().collect()
}

/// Whether a value could be a code of an enumeration.
fn is_code(value: &str) -> bool {
    value.starts_with(|first: char| first.is_ascii_lowercase())
        && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// What the columns of settings are found to be.
#[derive(Default)]
struct Found {
    /// Columns without any value but their default.
    not_set: BTreeSet<(String, String)>,
    /// Codes that do not occur, by column.
    no_code: BTreeMap<(String, String), BTreeSet<String>>,
    /// Columns of words that have no enumeration in [`CODES`].
    words: BTreeSet<(String, String)>,
}

async fn found(app: &TestApp, columns: &[Column], sources: &[Source]) -> Found {
    let mut found = Found::default();
    let is_setting = |column: &&Column| SETTINGS.contains(&column.table.as_str()) && !BOOKKEEPING.contains(&column.name.as_str());
    for column in columns.iter().filter(is_setting) {
        let values = values(app, column).await;
        let place = || (column.table.clone(), column.name.clone());
        // Where there is no default, zero is none.
        let is_none = |value: &String| *value == column.default || (column.default.is_empty() && value == "0");
        if values.iter().all(is_none) {
            found.not_set.insert(place());
        }
        let enumeration = CODES
            .iter()
            .find(|(table, _)| *table == column.table)
            .and_then(|(_, columns)| columns.iter().find(|(name, _)| *name == column.name).map(|(_, enumeration)| *enumeration));
        match enumeration {
            Some(enumeration) => {
                let codes = codes_of(sources, enumeration);
                assert!(!codes.is_empty(), "there is no enumeration {enumeration}");
                assert!(values.iter().all(|value| codes.contains(value)), "{}.{} is no {enumeration}", column.table, column.name);
                let missing: BTreeSet<String> = codes.into_iter().filter(|code| !values.contains(code)).collect();
                if !missing.is_empty() {
                    found.no_code.insert(place(), missing);
                }
            }
            None if column.is_text && !values.is_empty() && values.iter().all(|value| is_code(value)) => {
                found.words.insert(place());
            }
            None => {}
        }
    }
    found
}

#[tokio::test]
async fn sets_every_lever() {
    testing::run(Engine::Sqlite, each_column_of_a_form_is_set).await;
}

async fn each_column_of_a_form_is_set(app: TestApp) {
    filled(&app).await;
    let columns = columns(&app).await;
    let mut wrong = Vec::new();
    let edited: BTreeSet<&str> = columns.iter().filter(|column| column.name == "updated_by").map(|column| column.table.as_str()).collect();
    let listed: BTreeSet<&str> = SETTINGS.iter().chain(RECORDS.iter().flat_map(|(tables, _)| *tables)).copied().collect();
    wrong.extend(edited.difference(&listed).map(|table| format!("{table} is edited by staff: add it to SETTINGS or to RECORDS")));
    wrong.extend(listed.difference(&edited).map(|table| format!("{table} is not edited by staff, or gone: take it from the lists")));

    let Found { mut not_set, mut no_code, mut words } = found(&app, &columns, &sources()).await;
    let place = |table: &str, name: &str| (table.to_owned(), name.to_owned());
    for (table, names, reason) in NOT_SET {
        assert!(!reason.is_empty());
        for name in *names {
            if !not_set.remove(&place(table, name)) {
                wrong.push(format!("{table}.{name} is set now, or gone: take it from NOT_SET"));
            }
        }
    }
    for (table, name, codes, reason) in NO_CODE {
        assert!(!reason.is_empty());
        for code in *codes {
            if !no_code.get_mut(&place(table, name)).is_some_and(|missing| missing.remove(*code)) {
                wrong.push(format!("{table}.{name} has {code} now, or the code is gone: take it from NO_CODE"));
            }
        }
    }
    for (table, names, reason) in WORDS {
        assert!(!reason.is_empty());
        for name in *names {
            if !words.remove(&place(table, name)) {
                wrong.push(format!("{table}.{name} is no word now, or gone: take it from WORDS"));
            }
        }
    }
    wrong.extend(not_set.iter().map(|(table, name)| format!("{table}.{name} is set in a form, and the demo sets it nowhere")));
    for ((table, name), codes) in &no_code {
        wrong.extend(codes.iter().map(|code| format!("{table}.{name} is never {code} in the demo")));
    }
    wrong.extend(words.iter().map(|(table, name)| format!("{table}.{name} holds codes: name its enumeration in CODES")));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));

    for sql in ["SELECT COUNT(*) FROM product WHERE logo_file_id IS NULL", "SELECT COUNT(*) FROM file WHERE biz_id IS NULL"] {
        assert_eq!(app.count(sql).await, 0, "{sql}");
    }
    each_logo_is_shown(&app).await;
}

/// The operator gets the logo of each product, and each is another picture.
async fn each_logo_is_shown(app: &TestApp) {
    let operator = app.sign_in("operator").await;
    let page = operator.post("/product/page", serde_json::json!({"pageSize": 200})).await.ok();
    let mut pictures = HashSet::new();
    for product in page["list"].as_array().unwrap() {
        let file = operator.get(&format!("/common/file/{}", product["logoFileId"])).await;
        assert_eq!(file.headers["content-type"], "image/png", "{product}");
        assert!(file.body.starts_with(b"\x89PNG"), "{product}");
        pictures.insert(file.body);
    }
    assert_eq!(pictures.len(), page["list"].as_array().unwrap().len());
}
