//! Settings of the message box.

use crate::setting::model::SettingGroup::Message;
use crate::setting::model::SettingUnit::Days;
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `message::inbox`.
    MESSAGE_KEEP_DAYS: i64 = Setting::int(Message, "message.keep_days", 90, (7, 3650), Days).labelled(
        ("消息保留", "Keep messages for"),
        ("到期后从消息中心删除", "After this time they are deleted from the message box"),
    );
}
