//! Settings of conversations.

use crate::setting::model::SettingGroup::Chat;
use crate::setting::model::SettingUnit::Minutes;
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `chat::work`.
    CHAT_OFFLINE_MINUTES: i64 = Setting::int(Chat, "chat.offline_minutes", 10, (1, 1440), Minutes).labelled(
        ("客服离线多久后会话重新排队", "Queue conversations of offline agents after"),
        (
            "客服离线超过该时间后，其等待回复的会话退回分组排队，并分配给其他在线客服",
            "When an agent has been offline for this long, the agent's conversations in which the customer waits for an answer go back to the queue of the group and are assigned to others",
        ),
    );
}
