//! The demo's conversations: customers of the last weeks with their messages, closed with ratings, and some that are
//! open, queued and snoozed now.

use sqlx::Row;

use super::random::Random;
use base::clock::{DAY, HOUR, MINUTE};
use base::crypto::{self, place};
use base::db::Connection;
use base::locale::Locale;
use chat::codes::{ChatDirection, ChatMessageKind, ConversationStatus};
use chat::conversation::store::{self, NewMessage};
use chat::customer::store as customers;
use chat::words::Words;
use frame::api::{ApiError, App};

/// Customers whose conversations have ended.
const CLOSED: i64 = 60;
/// Days over which they came.
const DAYS: i64 = 45;

pub(super) const NAMES: &[&str] =
    &["陈先生", "李女士", "王先生", "张女士", "刘先生", "赵女士", "黄先生", "周女士", "吴先生", "徐女士", "孙先生", "胡女士"];
const TAGS: &[&str] = &["公积金", "有房", "有车", "企业主", "回访", "重复咨询"];

/// The messages of customers and staff in turn.
pub(super) const TALKS: &[&[&str]] = &[
    &[
        "你好，想了解一下贷款",
        "您好，请问您需要多少金额，用途是什么？",
        "十万左右，装修用",
        "好的，请问您有公积金或社保吗？",
        "有公积金，交了三年",
        "可以申请，我帮您登记，稍后顾问会联系您。",
        "谢谢",
    ],
    &[
        "我的申请到哪一步了",
        "您好，请提供一下申请时的手机号后四位。",
        "尾号 5566",
        "已查到，机构正在审核，一般 1 个工作日内有结果。",
        "好的，等通知",
    ],
    &[
        "利率是多少",
        "不同机构的年化利率在 7.2% 至 24% 之间，以审批结果为准。",
        "可以提前还款吗",
        "大部分机构支持，具体看合同约定。",
        "明白了",
    ],
    &["为什么没有人联系我", "抱歉让您久等了，请问您是什么时候提交的申请？", "昨天下午", "我已催办，顾问今天会与您联系。"],
    &["想注销我的信息", "您好，可以为您处理，请先确认没有进行中的申请。", "没有了", "已为您登记注销申请。", "好的谢谢"],
];

/// Adds them.
pub async fn insert(app: &App, seed: u64, now: i64) -> Result<(), ApiError> {
    let mut random = Random::new(seed);
    let mut tx = app.db.begin().await?;
    let groups: Vec<i64> = ids(&mut tx, "SELECT id FROM chat_group ORDER BY sort, id").await?;
    let staff: Vec<i64> = ids(&mut tx, "SELECT id FROM chat_staff ORDER BY id").await?;
    for index in 0..CLOSED {
        let began = now - random.between(DAY, DAYS * DAY);
        let ended = Some(random.between(5, 90) * MINUTE);
        write(app, &mut tx, &mut random, (index, began), (*random_of(&groups, index), Some(staff[0])), ConversationStatus::Resolved, ended)
            .await?;
    }
    let current = [
        (ConversationStatus::Open, 0, Some(0)),
        (ConversationStatus::Open, 0, Some(0)),
        (ConversationStatus::Open, 1, Some(0)),
        (ConversationStatus::Open, 0, Some(1)),
        (ConversationStatus::Snoozed, 1, Some(0)),
        (ConversationStatus::Queued, 0, None),
        (ConversationStatus::Queued, 1, None),
    ];
    for ((status, group, who), index) in current.into_iter().zip(CLOSED..) {
        let began = now - random.between(20 * MINUTE, 3 * HOUR);
        write(app, &mut tx, &mut random, (index, began), (groups[group], who.map(|who: usize| staff[who])), status, None).await?;
    }
    Ok(tx.commit().await?)
}

fn random_of(groups: &[i64], index: i64) -> &i64 {
    &groups[if index % 4 == 0 { 1 } else { 0 }]
}

async fn ids(tx: &mut Connection, sql: &'static str) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query(sql).fetch_all(tx).await?.iter().map(|row| row.try_get("id")).collect()
}

/// Writes a customer with a conversation. `ended` is how long after its last message it was closed.
async fn write(
    app: &App,
    tx: &mut Connection,
    random: &mut Random,
    (index, began): (i64, i64),
    (group_id, staff_id): (i64, Option<i64>),
    status: ConversationStatus,
    ended: Option<i64>,
) -> Result<(), ApiError> {
    let name = random.pick(NAMES);
    let customer_id =
        customers::insert_visitor(tx, &crypto::sha256_hex(format!("demo {index}").as_bytes()), name, Locale::Chinese, began).await?;
    let wechat_id = if index % 4 == 2 { Some(follow(tx, customer_id, index, began).await?) } else { None };
    if random.percent(60) {
        customers::set_phone(tx, &app.keys, customer_id, &format!("139{:08}", 20_000_000 + index * 7919), began).await?;
        if index % 2 == 0 {
            customers::set_phone_verified(tx, customer_id, began).await?;
        }
    }
    let tags: Vec<&str> = if random.percent(50) { vec![*random.pick(TAGS)] } else { Vec::new() };
    let talk = random.pick(TALKS);
    // Queued conversations have the customer's first message alone; in open ones the customer has the last word at times.
    let length = match status {
        ConversationStatus::Queued => 1,
        ConversationStatus::Open => random.between(1, talk.len() as i64 + 1) as usize,
        _ => talk.len(),
    };
    let row = sqlx::query(
        "INSERT INTO chat_conversation (customer_id, group_id, staff_id, status, priority, last_message_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
    )
    .bind(customer_id)
    .bind(group_id)
    .bind(staff_id)
    .bind(<&str>::from(status))
    .bind(if random.percent(10) { random.between(1, 4) } else { 0 })
    .bind(began)
    .bind(began)
    .bind(began)
    .fetch_one(&mut *tx)
    .await?;
    let id: i64 = row.try_get("id")?;
    let (mut at, mut first_reply, mut waiting, mut last_read, mut unread, mut last) = (began, None, None, 0, 0, "");
    for (turn, text) in talk.iter().take(length).enumerate() {
        let is_in = turn % 2 == 0;
        let new = NewMessage {
            conversation_id: id,
            direction: if is_in { ChatDirection::In } else { ChatDirection::Out },
            kind: ChatMessageKind::Text,
            content: text,
            keys: Some(&app.keys),
            file_id: None,
            staff_id: if is_in { None } else { staff_id },
            reply_id: None,
            is_template: false,
            client_msg_id: &format!("demo-{turn:08}"),
            at,
        };
        let message_id = store::insert_message(tx, &new).await?.unwrap_or_default();
        if let Some(wechat_id) = wechat_id.filter(|_| !is_in) {
            sent(tx, wechat_id, customer_id, message_id, at).await?;
        }
        if is_in {
            last = text;
        }
        match is_in {
            true => (waiting, unread) = (waiting.or(Some(at)), unread + 1),
            false => (first_reply, waiting, unread, last_read) = (first_reply.or(Some(at)), None, 0, message_id),
        }
        at += random.between(20_000, 4 * MINUTE);
    }
    let at = at.min(app.clock.now());
    let last = Words::of(&app.keys, &place::CHAT_LAST_TEXT.of(id), last);
    let is_closed = status == ConversationStatus::Resolved;
    let rating = (is_closed && random.percent(45)).then(|| random.between(3, 6));
    sqlx::query(
        "UPDATE chat_conversation SET last_message_at = $1, last_text = $2, last_text_enc = $3, first_reply_at = $4, waiting_since = $5, unread = $6, \
           staff_read_id = $7, customer_read_id = $8, closed_at = $9, closed_by = $10, rating = $11, snoozed_until = $12 WHERE id = $13",
    )
    .bind(at)
    .bind(last.shown)
    .bind(last.sealed)
    .bind(first_reply)
    .bind(waiting.filter(|_| !is_closed))
    .bind(if is_closed { 0 } else { unread })
    .bind(last_read)
    .bind(last_read)
    .bind(ended.map(|ended| at + ended))
    .bind(staff_id.filter(|_| is_closed))
    .bind(rating)
    .bind((status == ConversationStatus::Snoozed).then(|| app.clock.now() + 5 * HOUR))
    .bind(id)
    .execute(&mut *tx)
    .await?;
    sqlx::query("UPDATE chat_customer SET last_inbound_at = $1, tags = $2 WHERE id = $3")
        .bind(at)
        .bind(serde_json::to_string(&tags).expect("texts serialise"))
        .bind(customer_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Makes a customer one who follows the demo's official account, and returns its id.
async fn follow(tx: &mut Connection, customer_id: i64, index: i64, at: i64) -> Result<i64, sqlx::Error> {
    let wechat_id: i64 = sqlx::query("SELECT id FROM chat_wechat").fetch_one(&mut *tx).await?.try_get("id")?;
    sqlx::query(
        "UPDATE chat_customer SET source = 'official_account', nickname = $1, visit_key_hash = NULL, consented_at = NULL WHERE id = $2",
    )
    .bind(format!("微信用户{:06}", 100_000 + index * 7919 % 900_000))
    .bind(customer_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query("INSERT INTO chat_wechat_follower (wechat_id, openid, customer_id, subscribed, changed_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(wechat_id)
        .bind(format!("oDemoFollower{index:012}"))
        .bind(customer_id)
        .bind(i64::from(index % 8 != 2))
        .bind(at)
        .execute(tx)
        .await?;
    Ok(wechat_id)
}

/// A message that WeChat took.
async fn sent(tx: &mut Connection, wechat_id: i64, customer_id: i64, message_id: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO chat_wechat_send (message_id, wechat_id, customer_id, template, state, attempts, due_at, at) VALUES ($1, $2, $3, 0, 'sent', 1, $4, $5)",
    )
    .bind(message_id)
    .bind(wechat_id)
    .bind(customer_id)
    .bind(at)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}
