//! The demo's chat: groups, their staff, replies, and an official account of WeChat.

use super::people::Account;
use super::wechat;
use base::clock::DAY;
use base::codes::UseStatus;
use chat::codes::{AssignMode, KeywordMatch, ReplyKind};
use chat::group::{GroupForm, insert_group};
use chat::reply::{ReplyForm, insert_reply};
use chat::staff::{StaffForm, insert_staff};
use chat::wechat::form::Form as WechatForm;
use chat::wechat::model::WechatKeys;
use chat::wechat::store as wechat_accounts;
use frame::access::audit::Stamp;
use frame::access::stamped;
use frame::api::{ApiError, App};
use frame::terms::Schedule;

/// Days since the chat was set up.
const AGE: i64 = 60;
/// Working hours of the first group: weekdays, and Saturday mornings.
const HOURS: &str =
    r#"{"1": [[540, 1080]], "2": [[540, 1080]], "3": [[540, 1080]], "4": [[540, 1080]], "5": [[540, 1080]], "6": [[600, 720]]}"#;

/// A reply: kind, group counted from 1 (0 for all), keyword with its match mode or shortcut, content.
type NewReply = (ReplyKind, usize, &'static str, KeywordMatch, &'static str);

const REPLIES: &[NewReply] = &[
    (ReplyKind::Welcome, 0, "", KeywordMatch::Contains, "您好，这里是在线客服，请问有什么可以帮您？"),
    (ReplyKind::Welcome, 1, "", KeywordMatch::Contains, "您好，欢迎咨询贷款业务。请告诉我您所在的城市和需要的金额。"),
    (ReplyKind::Keyword, 0, "利率", KeywordMatch::Contains, "利率因机构和个人资质而不同，以机构最终审批为准。客服会为您详细说明。"),
    (ReplyKind::Keyword, 1, "额度", KeywordMatch::Contains, "额度一般为 1 万至 50 万元，以机构审批结果为准。"),
    (ReplyKind::Keyword, 0, "人工", KeywordMatch::Exact, "正在为您转接人工客服，请稍候。"),
    (ReplyKind::Default, 0, "", KeywordMatch::Contains, "客服正忙，请稍候，我们会尽快回复您。"),
    (
        ReplyKind::OffHours,
        1,
        "",
        KeywordMatch::Contains,
        "现在不是工作时间（周一至周五 9:00–18:00，周六 10:00–12:00）。请留言，上班后回复您。",
    ),
    (ReplyKind::Quick, 0, "hello", KeywordMatch::Contains, "您好，很高兴为您服务。"),
    (ReplyKind::Quick, 1, "资料", KeywordMatch::Contains, "申请需要准备：身份证、近 6 个月银行流水、工作或经营证明。"),
    (ReplyKind::Quick, 2, "还款", KeywordMatch::Contains, "还款请以您与机构签订的合同为准，平台不收取任何费用。"),
];

/// Adds them.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let account = |username: &str| accounts.iter().find(|account| account.username == username).expect("the demo has this account").id;
    let stamp = Stamp { admin_id: accounts[0].id, at: now - AGE * DAY };
    let hours: Schedule = serde_json::from_str(HOURS).expect("a schedule");
    let group = |name: &str, working_hours: Option<Schedule>, assign_mode, idle_minutes, frame_sites: &[&str], sort| GroupForm {
        name: name.to_owned(),
        working_hours,
        assign_mode,
        idle_minutes,
        reply_minutes: 30,
        resolve_minutes: 2880,
        frame_sites: frame_sites.iter().map(ToString::to_string).collect(),
        sort,
    };
    let mut tx = app.db.begin().await?;
    let sales = insert_group(&mut tx, &group("贷前咨询", Some(hours), AssignMode::LeastBusy, 30, &[], 1), stamp).await?;
    let sites = ["https://www.example.com"];
    let service = insert_group(&mut tx, &group("售后服务", None, AssignMode::RoundRobin, 0, &sites, 2), stamp).await?;
    for (username, nickname, group_ids, max_open) in [("service", "小何", vec![sales, service], 10), ("operator", "小周", vec![sales], 5)]
    {
        let form = StaffForm { admin_id: None, nickname: nickname.to_owned(), group_ids, max_open, auto_accept: true };
        insert_staff(&mut tx, account(username), &form, stamp).await?;
    }
    for ((kind, group, word, match_mode, content), sort) in REPLIES.iter().zip(1..) {
        let of = |wanted: ReplyKind| if *kind == wanted { (*word).to_owned() } else { String::new() };
        let form = ReplyForm {
            kind: *kind,
            group_id: [None, Some(sales), Some(service)][*group],
            keyword: of(ReplyKind::Keyword),
            match_mode: *match_mode,
            shortcut: of(ReplyKind::Quick),
            content: (*content).to_owned(),
            sort,
        };
        insert_reply(&mut tx, &form, stamp).await?;
    }
    let account = WechatForm {
        name: "贷款服务号".to_owned(),
        app_id: wechat::APP_ID.to_owned(),
        encrypted: true,
        group_id: service,
        template_id: wechat::TEMPLATE.to_owned(),
        template_field: "thing1".to_owned(),
        template_text: "您有新的客服消息，请回复查看".to_owned(),
        keys: WechatKeys {
            app_secret: wechat::APP_SECRET.to_owned(),
            token: wechat::TOKEN.to_owned(),
            aes_key: wechat::AES_KEY.to_owned(),
        },
    };
    let id = wechat_accounts::insert(&mut tx, &account, stamp).await?;
    wechat_accounts::set_keys(&mut tx, &app.keys, id, WechatKeys::default(), &account).await?;
    stamped::set_code(&mut tx, ("chat_wechat", "status"), id, 1, UseStatus::Enabled.into(), stamp).await?;
    Ok(tx.commit().await?)
}
