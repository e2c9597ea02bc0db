//! Settings of the work on clues.

use crate::setting::model::SettingGroup::Crm;
use crate::setting::model::SettingUnit::{Minutes, Times};
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `crm::clue::begin`.
    CRM_RESPONSE_MINUTES: i64 = Setting::int(Crm, "crm.response_minutes", 30, (1, 10_080), Minutes).labelled(
        ("首次响应时限", "First response within"),
        ("销售得到线索后应在该时间内首次跟进，逾期在列表中标出", "A salesperson should follow up on a new lead within this time; later ones are marked in the list"),
    );
    /// Read by `reveal`.
    CRM_DAILY_REVEALS: i64 = Setting::int(Crm, "crm.daily_reveals", 200, (1, 10_000), Times).labelled(
        ("每日查看线索明文上限", "Reveals of leads per day"),
        ("同一账号每天最多查看多少条线索的姓名和手机号，含导出；同一条一天只计一次", "How many leads an account may reveal the name and phone of per day, exports included; the same lead counts once a day"),
    );
    /// Read by `crm::clue::sms`.
    CRM_DAILY_MESSAGES: i64 = Setting::int(Crm, "crm.daily_messages", 2, (0, 20), Times).labelled(
        ("每条线索每日短信上限", "Text messages per lead per day"),
        ("同一条线索每天最多发送几条短信；0 为不发送", "How many text messages a lead may be sent per day; 0 for none"),
    );
}
