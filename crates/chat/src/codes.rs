//! Codes of the chat: groups, staff, replies, customers, conversations and messages.

use base::codes;

codes! {
    /// How the conversations of a group are assigned.
    pub enum AssignMode {
        RoundRobin("轮流分配", "Round robin"),
        LeastBusy("最少会话优先", "Least busy"),
        Manual("手动接待", "Manual"),
    }
}

codes! {
    /// Whether a member of the staff takes conversations.
    pub enum ChatPresence {
        Online("在线", "Online"),
        Busy("忙碌", "Busy"),
        Offline("离线", "Offline"),
    }
}

codes! {
    /// When a reply is sent.
    pub enum ReplyKind {
        Welcome("欢迎语", "Welcome"),
        Keyword("关键词回复", "Keyword"),
        Default("默认回复", "Default"),
        OffHours("非工作时间回复", "Off hours"),
        Quick("快捷回复", "Quick reply"),
    }
}

codes! {
    /// How a keyword is compared with a message.
    pub enum KeywordMatch {
        Contains("包含", "Contains"),
        Exact("完全相同", "Exact"),
    }
}

codes! {
    /// The channel by which a customer writes.
    pub enum CustomerSource {
        Web("网页", "Web"),
        OfficialAccount("公众号", "Official account"),
    }
}

codes! {
    /// Whether a code by short message proved that a phone number is the customer's.
    pub enum PhoneState {
        Unverified("客户自称，未验证", "The customer's word, not verified"),
        Verified("已验证", "Verified"),
    }
}

codes! {
    /// How far a conversation has come.
    pub enum ConversationStatus {
        Queued("排队中", "Queued") -> [Open, Snoozed, Resolved],
        Open("进行中", "Open") -> [Queued, Snoozed, Resolved],
        Snoozed("已挂起", "Snoozed") -> [Open, Queued, Resolved],
        Resolved("已结束", "Closed") -> [Open, Queued],
    }
}

codes! {
    /// The sender of a message, and its readers.
    pub enum ChatDirection {
        In("客户", "Customer"),
        Out("客服", "Agent"),
        System("系统", "System"),
        /// Visible to staff only.
        Note("内部备注", "Internal note"),
    }
}

codes! {
    /// The kind of a message.
    pub enum ChatMessageKind {
        Text("文本", "Text"),
        Image("图片", "Picture"),
        File("文件", "File"),
    }
}

codes! {
    /// Whether a message that goes out by WeChat has arrived there.
    pub enum DeliveryState {
        Waiting("待发送", "Waiting"),
        Sending("发送中", "Sending"),
        Sent("已发送", "Sent"),
        Failed("发送失败", "Not sent"),
        /// The connection was lost before WeChat answered.
        Unknown("未确认送达", "Not confirmed"),
    }
}

codes! {
    /// Why a message did not go out by WeChat, or is not known to have.
    pub enum DeliveryReason {
        Window("客户最后一条消息已超过 48 小时", "The customer last wrote more than 48 hours ago"),
        Count("客户回复前，微信不再接收更多消息", "WeChat takes no more messages before the customer writes"),
        Unfollowed("客户未关注或已取消关注", "The customer does not follow the account"),
        TooLong("消息过长", "The message is too long"),
        File("文件无法发送", "The file cannot be sent"),
        Disabled("公众号已停用", "The account is disabled"),
        Refused("微信拒绝了该消息", "WeChat refused the message"),
        Unreachable("无法连接微信", "WeChat cannot be reached"),
        NoAnswer("微信没有应答", "WeChat did not answer"),
        Interrupted("发送时服务中断", "The server stopped while it was being sent"),
        /// It was waiting when a backup was made, and the backup was restored.
        Restored("数据从备份恢复，可能已发送", "The data was restored from a backup: it may have been sent"),
    }
}
