//! The places of sealed values. A value is bound to its place when it is sealed: a person who writes the database may
//! copy it to another column or another row, but it does not open there.

use std::fmt::Display;

/// A column of sealed values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub table: &'static str,
    pub name: &'static str,
    /// The SQL expression that identifies a row: it is known when the row is written and never changes.
    pub row: &'static str,
}

/// One row's place in a column.
#[derive(Clone, Debug)]
pub struct Place(String);

impl Column {
    const fn new(table: &'static str, name: &'static str, row: &'static str) -> Column {
        Column { table, name, row }
    }

    /// The place in a row, identified as in [`Column::row`].
    pub fn of(self, row: impl Display) -> Place {
        Place(format!("{}.{}\n{row}", self.table, self.name))
    }
}

impl Place {
    /// The associated data for a value at this place.
    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// The manifest of a backup, without an identity: a seal belongs to one manifest and holds its hash.
pub const MANIFEST: Column = Column::new("backup", "manifest", "");
/// The value by which a database recognises its data key.
pub const KEY_CHECK: Column = Column::new("key_check", "value", "name");

pub const ADMINISTRATOR_PHONE: Column = Column::new("administrator", "phone_enc", "id");
pub const APPLICANT_ADDRESS: Column = Column::new("applicant", "client_ip_enc", "no");
pub const APPLICANT_DEVICE: Column = Column::new("applicant", "device_enc", "no");
pub const APPLICANT_ID_NO: Column = Column::new("applicant", "id_no_enc", "no");
pub const APPLICANT_NAME: Column = Column::new("applicant", "name_enc", "no");
pub const APPLICANT_PHONE: Column = Column::new("applicant", "phone_enc", "no");
pub const BLACKLIST_VALUE: Column = Column::new("blacklist_entry", "value_enc", "value_hash");
/// For the secret in use and for the previous one, which it becomes.
pub const CHANNEL_SECRET: Column = Column::new("channel", "app_secret_enc", "app_key");
pub const CHAT_CLOSE_NOTE: Column = Column::new("chat_conversation", "close_note_enc", "id");
pub const CHAT_CUSTOMER_PHONE: Column = Column::new("chat_customer", "phone_enc", "id");
pub const CHAT_CUSTOMER_REMARK: Column = Column::new("chat_customer", "remark_enc", "id");
pub const CHAT_LAST_TEXT: Column = Column::new("chat_conversation", "last_text_enc", "id");
/// By the sender's number, which is known before the message has its own.
pub const CHAT_MESSAGE: Column =
    Column::new("chat_message", "content_enc", "CAST(conversation_id AS TEXT) || ' ' || direction || ' ' || client_msg_id");
pub const CHAT_RATING_NOTE: Column = Column::new("chat_conversation", "rating_note_enc", "id");
pub const CHAT_TRANSFER_NOTE: Column = Column::new("chat_transfer", "note_enc", "CAST(conversation_id AS TEXT) || ' ' || CAST(at AS TEXT)");
pub const CHAT_WECHAT_KEYS: Column = Column::new("chat_wechat", "keys_enc", "id");
pub const CHAT_WECHAT_TOKEN: Column = Column::new("chat_wechat", "access_token_enc", "id");
/// For an applicant, by their number.
pub const CONSENT_ADDRESS: Column =
    Column::new("consent_record", "ip", "(SELECT no FROM applicant WHERE applicant.id = consent_record.user_id)");
pub const EXPORT_ASKED: Column = Column::new("export_task", "asked", "CAST(admin_id AS TEXT) || ' ' || request_id");
/// For the key that encrypts a file's content.
pub const FILE_KEY: Column = Column::new("file", "key_enc", "storage_key");
pub const IDEMPOTENT_ANSWER: Column = Column::new("idempotency_key", "response", "CAST(admin_id AS TEXT) || ' ' || key");
pub const INVOICE_PHONE: Column = Column::new("invoice", "receiver_phone_enc", "id");
pub const ORGANISATION_ALERT_PHONES: Column = Column::new("organisation", "alert_phones_enc", "id");
/// For the key that awaits approval.
pub const ORGANISATION_API_KEY_PROPOSED: Column = Column::new("org_api_config", "proposed_enc", "org_id");
pub const ORGANISATION_API_KEYS: Column = Column::new("org_api_config", "keys_enc", "org_id");
pub const ORGANISATION_PHONE: Column = Column::new("organisation", "contact_phone_enc", "id");
/// For the secret in use and for the previous one, which it becomes.
pub const ORGANISATION_SECRET: Column = Column::new("org_signing_key", "app_secret_enc", "org_id");
pub const OUTBOX_PAYLOAD: Column = Column::new("outbox_item", "payload_enc", "idem_key");
pub const PAYEE_ACCOUNT: Column = Column::new("payee_organisation", "bank_account_enc", "id");
/// For the account that awaits approval.
pub const PAYEE_ACCOUNT_PROPOSED: Column = Column::new("payee_organisation", "proposed_enc", "id");
pub const PAYEE_CHANNEL_PARAMS: Column = Column::new("payee_channel", "params_enc", "id");
pub const PAYMENT_LINK: Column = Column::new("payment_link", "url_enc", "url_hash");
pub const PAYMENT_NOTICE: Column = Column::new("payment_notice", "body_enc", "CAST(payee_channel_id AS TEXT) || ' ' || notice_no");
/// For the payee's data on the payer's page.
pub const PAYMENT_ORDER_PAYEE: Column = Column::new("payment_order", "payee_enc", "no");
pub const PROJECT_PHONE: Column = Column::new("project", "contact_phone_enc", "id");
/// For the page on which the applicant of a push has to agree.
pub const PUSH_AUTH_URL: Column = Column::new("push_record", "auth_url_enc", "no");
/// For the data that the buyer of a repeated push gets instead of the applicant's answers.
pub const PUSH_EDITED: Column = Column::new("push_record", "edited_enc", "no");
pub const RISK_DETAIL: Column = Column::new("risk_report", "detail_enc", "id");
pub const SECOND_FACTOR: Column = Column::new("second_factor", "secret_enc", "admin_id");
pub const SETTING: Column = Column::new("general_setting", "value", "key");
pub const TEAM_PHONE: Column = Column::new("sub_organisation", "phone_enc", "id");
