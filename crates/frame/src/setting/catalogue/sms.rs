//! Settings of text messages: the provider, the texts, and how long messages are kept.

use crate::setting::model::SettingGroup::Sms;
use crate::setting::model::SettingUnit::Days;
use crate::setting::model::{About, Placeholder, Secret, Setting};

const fn required(name: &'static str) -> Placeholder {
    Placeholder { name, required: true }
}

const fn optional(name: &'static str) -> Placeholder {
    Placeholder { name, required: false }
}

settings! {
    /// Read by `sms`.
    SMS_SIGN_NAME: String = Setting::text(Sms, "sms.sign_name", "Leadlane", 16).labelled(
        ("短信签名", "SMS signature"),
        ("写在短信开头的【】里；空则不写", "Placed in 【】 at the beginning of a message; leave empty for none"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_URL: String = Setting::address(Sms, "sms.provider_url", 300).labelled(
        ("短信服务商接口", "Provider URL"),
        ("以 https:// 开头；空则短信不发出，只写入短信日志文件", "Starts with https://; if empty, messages are not sent but only written to the log file"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_ID: String = Setting::text(Sms, "sms.provider_id", "leadlane", 64).labelled(
        ("短信服务商账号", "Provider account"),
        ("随签名作为 appId 发送", "Sent as appId with the request signature"),
    );
    /// Read by `sms::provider`.
    SMS_PROVIDER_KEY: Secret = Setting::secret(Sms, "sms.provider_key", 256).labelled(
        ("短信服务商密钥", "Provider key"),
        ("加密保存，保存后不再显示", "Stored encrypted and never shown again"),
    );
    /// Read by `sms`.
    SMS_LOG_IN_CLEAR: bool = Setting::flag(Sms, "sms.log_in_clear", false).labelled(
        ("日志文件保留明文", "Plain text in the log file"),
        ("仅供试用：没有服务商时，手机号和验证码以明文写入日志文件", "For trials only: without a provider, phone numbers and codes are written to the log file in plain text"),
    );
    /// Read by `sms::kind`.
    SMS_CODE_TEXT: String =
        Setting::template(Sms, "sms.code_text", "验证码 {code}，{minutes} 分钟内有效。Your verification code is {code}.", 200, &[required("code"), optional("minutes")]).labelled(
            ("验证码短信内容", "Verification code text"),
            ("必须包含 {code}，可包含 {minutes}", "Must contain {code}, may contain {minutes}"),
        );
    /// Read by `sms::kind`.
    SMS_CODE_TEMPLATE: String = Setting::text(Sms, "sms.code_template", "", 64).labelled(
        ("验证码短信模板编号", "Verification code template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_NEW_LEAD_TEXT: String =
        Setting::template(Sms, "sms.new_lead_text", "您有一条新线索（{leadNo}），请登录后台查看。", 200, &[required("leadNo")]).labelled(
            ("新线索短信内容", "New lead text"),
            ("必须包含 {leadNo}", "Must contain {leadNo}"),
        );
    /// Read by `sms::kind`.
    SMS_NEW_LEAD_TEMPLATE: String = Setting::text(Sms, "sms.new_lead_template", "", 64).labelled(
        ("新线索短信模板编号", "New lead template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_LOW_BALANCE_TEXT: String =
        Setting::template(Sms, "sms.low_balance_text", "{organisation}：账户余额 {balance} 元，已低于预警线，请及时充值。", 200, &[required("organisation"), required("balance")]).labelled(
            ("余额预警短信内容", "Low balance text"),
            ("必须包含 {organisation} 和 {balance}", "Must contain {organisation} and {balance}"),
        );
    /// Read by `sms::kind`.
    SMS_LOW_BALANCE_TEMPLATE: String = Setting::text(Sms, "sms.low_balance_template", "", 64).labelled(
        ("余额预警短信模板编号", "Low balance template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_CLUE_GREETING_TEXT: String =
        Setting::template(Sms, "sms.clue_greeting_text", "您好，我是{organisation}的{name}，您申请的服务由我负责，稍后与您联系。拒收请回复R", 200, &[required("organisation"), optional("name")]).labelled(
            ("首次联系短信内容", "First contact text"),
            ("必须包含 {organisation}，可包含 {name}（销售姓名）", "Must contain {organisation}, may contain {name}, the salesperson's name"),
        );
    /// Read by `sms::kind`.
    SMS_CLUE_GREETING_TEMPLATE: String = Setting::text(Sms, "sms.clue_greeting_template", "", 64).labelled(
        ("首次联系短信模板编号", "First contact template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_CLUE_MISSED_TEXT: String =
        Setting::template(Sms, "sms.clue_missed_text", "您好，我是{organisation}的{name}，刚才给您来电未接通，方便时请回电。拒收请回复R", 200, &[required("organisation"), optional("name")]).labelled(
            ("未接来电短信内容", "Missed call text"),
            ("必须包含 {organisation}，可包含 {name}（销售姓名）", "Must contain {organisation}, may contain {name}, the salesperson's name"),
        );
    /// Read by `sms::kind`.
    SMS_CLUE_MISSED_TEMPLATE: String = Setting::text(Sms, "sms.clue_missed_template", "", 64).labelled(
        ("未接来电短信模板编号", "Missed call template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_CLUE_APPOINTMENT_TEXT: String =
        Setting::template(Sms, "sms.clue_appointment_text", "您好，我是{organisation}的{name}，已为您预约到店时间，请携带身份证。拒收请回复R", 200, &[required("organisation"), optional("name")]).labelled(
            ("约访确认短信内容", "Appointment text"),
            ("必须包含 {organisation}，可包含 {name}（销售姓名）", "Must contain {organisation}, may contain {name}, the salesperson's name"),
        );
    /// Read by `sms::kind`.
    SMS_CLUE_APPOINTMENT_TEMPLATE: String = Setting::text(Sms, "sms.clue_appointment_template", "", 64).labelled(
        ("约访确认短信模板编号", "Appointment template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `sms::kind`.
    SMS_TEST_TEXT: String =
        Setting::template(Sms, "sms.test_text", "这是一条测试短信（{time}），无需回复。This is a test message.", 200, &[optional("time")]).labelled(
            ("测试短信内容", "Test message text"),
            ("可包含 {time}", "May contain {time}"),
        );
    /// Read by `sms::kind`.
    SMS_TEST_TEMPLATE: String = Setting::text(Sms, "sms.test_template", "", 64).labelled(
        ("测试短信模板编号", "Test message template number"),
        ("服务商审核通过的模板编号，随短信作为 template 发送；没有则留空", "The number of the template that the provider approved, sent as template with the message; leave empty if there is none"),
    );
    /// Read by `retention`.
    SMS_KEEP_DAYS: i64 = Setting::int(Sms, "sms.keep_days", 180, (30, 3650), Days).labelled(
        ("短信记录保留", "Keep the SMS log for"),
        (
            "到期后每晚删除已有结果的记录，以及已失效的验证码和测试短信；发送失败、待核实的其他短信保留到有人处理",
            "Every night, older messages with a final status and expired codes and tests are deleted; other failed or unconfirmed messages are kept until someone has handled them",
        ),
    );
}
