//! The demo's messages, notices and todos in the message boxes.

use std::collections::HashMap;

use super::people::Account;
use base::clock::{DAY, HOUR, MINUTE};
use base::db::{Connection, Db};
use frame::api::say;
use frame::message::{self, Audience, Link, MessageKind, MessageState, NewMessage};

/// A text in both languages.
type Both = (&'static str, &'static str);

/// A message; times are minutes before now, and until due.
struct Entry {
    kind: MessageKind,
    /// A user name; none for everybody.
    to: Option<&'static str>,
    title: Both,
    sub_title: Option<Both>,
    content: Both,
    link: Option<(&'static str, &'static [(&'static str, &'static str)])>,
    state: Option<MessageState>,
    ago: i64,
    due: Option<i64>,
}

const MESSAGE: Entry = Entry {
    kind: MessageKind::Message,
    to: None,
    title: ("", ""),
    sub_title: None,
    content: ("", ""),
    link: None,
    state: None,
    ago: 0,
    due: None,
};
const NOTICE: Entry = Entry { kind: MessageKind::Notice, ..MESSAGE };
const TODO: Entry = Entry { kind: MessageKind::Todo, state: Some(MessageState::NotStarted), ..MESSAGE };

const HOURS: i64 = HOUR / MINUTE;
const DAYS: i64 = DAY / MINUTE;

const ENTRIES: &[Entry] = &[
    NOTICE_PRIVACY,
    NOTICE_EXPORT,
    NOTICE_MAINTENANCE,
    Entry {
        to: Some("operator"),
        title: ("林晓峰", "Lin Xiaofeng"),
        sub_title: Some(("提交了新渠道", "has added channels")),
        content: (
            "新渠道处于测试模式，联调完成后请确认单价并转为正式。",
            "The new channels are in test mode. Once they work, confirm the price and take them live.",
        ),
        link: Some(("channelList", &[("mode", "test")])),
        ago: 35,
        ..MESSAGE
    },
    Entry {
        to: Some("operator"),
        title: ("钱玉兰", "Qian Yulan"),
        sub_title: Some(("询问结算单价", "asks about a price")),
        content: (
            "两个按 UV 结算的渠道本月单价有调整，请核对后回复。",
            "Two channels paid by visitor changed their price this month. Please check and answer.",
        ),
        link: Some(("channelList", &[("settleMode", "uv")])),
        ago: 5 * HOURS,
        ..MESSAGE
    },
    Entry {
        to: Some("operator"),
        title: ("核对暂停的渠道", "Review paused channels"),
        content: (
            "暂停超过两周的渠道，请与负责人确认恢复或停用。",
            "For channels paused for more than two weeks, ask their owners whether to resume or disable them.",
        ),
        link: Some(("channelList", &[("status", "paused")])),
        state: Some(MessageState::InProgress),
        ago: DAYS,
        due: Some(5 * HOURS),
        ..TODO
    },
    Entry {
        to: Some("operator"),
        title: ("测试渠道转正式", "Take tested channels live"),
        content: (
            "联调已通过的测试渠道，确认结算方式后转为正式。",
            "For test channels that work, confirm the settlement and take them live.",
        ),
        link: Some(("channelList", &[("mode", "test")])),
        ago: 2 * DAYS,
        due: Some(4 * DAYS),
        ..TODO
    },
    Entry {
        to: Some("admin"),
        title: ("检查停用的账号", "Review disabled accounts"),
        content: (
            "停用超过三个月的账号，请确认是否可以删除。",
            "For accounts disabled for more than three months, check whether they can be deleted.",
        ),
        link: Some(("adminList", &[("status", "disabled")])),
        ago: DAYS,
        due: Some(6 * DAYS),
        ..TODO
    },
    Entry {
        to: Some("admin"),
        title: ("郑志远", "Zheng Zhiyuan"),
        sub_title: Some(("完成了本周抽查", "has finished this week's check")),
        content: (
            "查看明文的记录均有业务依据，未发现异常。",
            "Every reveal of private data had a business reason; nothing unusual was found.",
        ),
        link: Some(("adminAudit", &[("action", "reveal")])),
        ago: 3 * HOURS,
        ..MESSAGE
    },
    Entry {
        to: Some("finance"),
        title: ("核对上月渠道结算", "Check last month's settlements"),
        content: (
            "请按渠道核对结算方式和单价，有疑问的联系负责人。",
            "Check the settlement and price of each channel, and ask the owners if in doubt.",
        ),
        link: Some(("channelList", &[("status", "enabled")])),
        ago: DAYS,
        due: Some(20 * HOURS),
        ..TODO
    },
    Entry {
        to: Some("auditor"),
        title: ("抽查导出记录", "Check exports"),
        content: (
            "本周的导出请抽查十条，核对筛选条件与用途。",
            "Pick ten of this week's exports and compare their filters with their purpose.",
        ),
        link: Some(("adminAudit", &[("action", "export")])),
        ago: 9 * HOURS,
        due: Some(3 * DAYS),
        ..TODO
    },
    Entry {
        to: Some("service"),
        title: ("整理本周常见问题", "Collect this week's questions"),
        content: (
            "把客户问得最多的问题整理成回复话术，周五前提交。",
            "Turn the most common customer questions into reply scripts by Friday.",
        ),
        state: Some(MessageState::InProgress),
        ago: 2 * DAYS,
        due: Some(2 * DAYS),
        ..TODO
    },
    Entry {
        to: Some("channel.lin"),
        title: ("与测试渠道联调", "Test with the new channels"),
        content: ("请与对方确认回调地址和 IP 白名单。", "Agree the callback URL and the allowed IPs with the partner."),
        link: Some(("channelList", &[("mode", "test")])),
        ago: 6 * HOURS,
        due: Some(DAYS + 8 * HOURS),
        ..TODO
    },
    Entry {
        to: Some("north.manager"),
        title: ("确认团队成员", "Confirm your teams"),
        content: (
            "请核对各团队的成员和角色，离职的同事及时停用。",
            "Check each team's members and roles, and disable those who have left.",
        ),
        link: Some(("adminList", &[])),
        ago: DAYS,
        due: Some(3 * DAYS),
        ..TODO
    },
    Entry {
        to: Some("north.sales1"),
        title: ("联系新分配的线索", "Call your new leads"),
        content: ("新线索请在两小时内首次联系，并记录跟进结果。", "Call new leads within two hours and record the result."),
        ago: 20,
        due: Some(100),
        ..TODO
    },
    Entry {
        to: Some("north.sales1"),
        title: ("高建国", "Gao Jianguo"),
        sub_title: Some(("给您分配了线索", "has given you leads")),
        content: ("两条意向较高的线索，请优先联系。", "Two of them show strong interest: please call these first."),
        ago: 26,
        ..MESSAGE
    },
];

const NOTICE_PRIVACY: Entry = Entry {
    title: ("查看客户手机号的规定", "Rules for revealing customers' phone numbers"),
    content: (
        "手机号默认脱敏显示。确有业务需要时才查看明文，每次查看都会记录。\n请勿截图或转发客户信息。",
        "Phone numbers are masked by default. Reveal one only when your work requires it; every reveal is recorded.\nDo not take screenshots of customers' data or pass it on.",
    ),
    ago: 9 * DAYS,
    ..NOTICE
};
const NOTICE_EXPORT: Entry = Entry {
    title: ("列表导出支持选择列", "Choose the columns of an export"),
    content: (
        "导出时可以只选当前显示的列，也可以导出全部列，支持 Excel 和 CSV。",
        "An export holds the columns shown or all of them, as Excel or CSV.",
    ),
    state: Some(MessageState::Opened),
    ago: 3 * DAYS,
    ..NOTICE
};
const NOTICE_MAINTENANCE: Entry = Entry {
    title: ("系统维护安排", "Planned maintenance"),
    content: (
        "周日凌晨 2 点到 4 点升级数据库，期间系统不可用，请提前保存工作。",
        "The database will be upgraded on Sunday from 2 to 4 a.m. The system will be unavailable during this time: please save your work beforehand.",
    ),
    ago: 4 * HOURS,
    ..NOTICE
};

/// Sends them all; announcements come from the operator.
pub async fn insert(tx: &mut Connection, accounts: &[Account], now: i64) -> Result<(), sqlx::Error> {
    let ids: HashMap<&str, i64> = accounts.iter().map(|account| (account.username.as_str(), account.id)).collect();
    for entry in ENTRIES {
        let link = entry
            .link
            .map(|(route, query)| Link { route, query: query.iter().map(|(name, value)| (*name, (*value).to_owned())).collect() });
        let new = NewMessage {
            kind: entry.kind,
            title: say(entry.title.0, entry.title.1),
            sub_title: entry.sub_title.map(|(chinese, english)| say(chinese, english)),
            content: say(entry.content.0, entry.content.1),
            avatar: None,
            link,
            state: entry.state,
            biz_type: if entry.to.is_none() { "announcement" } else { "demo" },
            biz_id: None,
            sender_id: if entry.to.is_none() { Some(ids["operator"]) } else { None },
            audience: entry.to.map_or(Audience::All, |username| Audience::Person(ids[username])),
            org_id: None,
            publish_at: now - entry.ago * MINUTE,
            expires_at: None,
            due_at: entry.due.map(|minutes| now + minutes * MINUTE),
        };
        message::send(tx, &new, now - entry.ago * MINUTE).await?;
    }
    Ok(())
}

/// Marks all warnings that the program would send at once as sent: the demo's people have their messages.
pub async fn warned(db: &Db, now: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    sqlx::query("UPDATE cap_counter SET warned_at = $1").bind(now).execute(&mut *tx).await?;
    sqlx::query("UPDATE organisation SET licence_warned_for = licence_expire_on").execute(&mut *tx).await?;
    tx.commit().await
}
