//! Codes of the chat: groups, staff, replies, customers, conversations and messages.

use crate::codes;

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
    /// Where a customer writes.
    pub enum CustomerSource {
        Web("网页", "Web"),
        OfficialAccount("公众号", "Official account"),
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
    /// Who wrote a message, and for whom.
    pub enum ChatDirection {
        In("客户", "Customer"),
        Out("客服", "Staff"),
        System("系统", "System"),
        /// Staff see it alone.
        Note("内部备注", "Internal note"),
    }
}

codes! {
    /// What a message is.
    pub enum ChatMessageKind {
        Text("文本", "Text"),
        Image("图片", "Picture"),
        File("文件", "File"),
    }
}
