//! Settings of sessions.

use crate::setting::model::SettingGroup::Session;
use crate::setting::model::SettingUnit::{Hours, Minutes};
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `access::online`.
    SESSION_IDLE_MINUTES: i64 = Setting::int(Session, "session.idle_minutes", 30, (5, 720), Minutes).labelled(
        ("闲置退出", "Log out idle sessions after"),
        ("超过该时间没有操作须重新登录；后台轮询不算操作", "After this long without activity a new login is required; requests that a page makes by itself do not count"),
    );
    /// Read by `access::online`.
    SESSION_MAX_HOURS: i64 = Setting::int(Session, "session.max_hours", 168, (1, 720), Hours).labelled(
        ("会话最长时间", "Maximum session length"),
        ("自登录起满该时间须重新登录，即使一直在使用", "A new login is required this long after the last one, even if the session is in use"),
    );
}
