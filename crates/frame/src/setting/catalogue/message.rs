//! Settings of the message box and the workplace.

use crate::setting::model::SettingGroup::Message;
use crate::setting::model::SettingUnit::Days;
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `message::inbox`.
    MESSAGE_KEEP_DAYS: i64 = Setting::int(Message, "message.keep_days", 90, (7, 3650), Days).labelled(
        ("消息保留", "Keep messages for"),
        ("到期后从消息中心删除", "After this time they are deleted from the message box"),
    );
    /// Read by `api::first_steps`.
    MESSAGE_FIRST_STEPS: bool = Setting::flag(Message, "message.first_steps", true).labelled(
        ("工作台显示首次使用步骤", "Show the first steps on the workplace"),
        ("对平台管理人员显示，卖出第一条线索后不再显示", "For platform staff, until the first lead is sold"),
    );
}
