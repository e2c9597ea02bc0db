//! A statement of a partner as a PDF of one page.

use super::model::PartnerStatementRow;
use base::locale::Locale;
use base::{clock, fields};
use frame::pdf::Page;

/// The amounts of a statement that are not 0, and those that every statement has, by the names of their fields.
pub(super) fn amounts(row: &PartnerStatementRow) -> Vec<(&'static str, i64)> {
    let mut amounts = vec![
        ("visitCents", row.visit_cents),
        ("registeredCents", row.registered_cents),
        ("soldCents", row.sold_cents),
        ("shareCents", row.share_cents),
        ("returnedCents", row.returned_cents),
        ("shareBackCents", row.share_back_cents),
        ("adjustCents", row.adjust_cents),
        ("carriedCents", row.carried_cents),
    ];
    amounts.retain(|(_, cents)| *cents != 0);
    amounts.push(("totalCents", row.total_cents));
    if row.tax_cents != 0 {
        amounts.push(("taxCents", -row.tax_cents));
    }
    amounts.push(("netCents", row.net_cents));
    amounts
}

/// The status of a statement, and that it was confirmed by other means than its link.
pub(super) fn state(row: &PartnerStatementRow, locale: Locale) -> String {
    let means = if row.confirmed_by.is_some() { locale.pick("（非链接确认）", " (by other means than the link)") } else { "" };
    format!("{}{means}", row.status.label(locale))
}

/// The file, in a language.
pub fn document(row: &PartnerStatementRow, locale: Locale) -> Vec<u8> {
    let heading = |key: &'static str| fields::heading("partnerStatement", key).get(locale).to_owned();
    let mut page = Page::titled(locale.pick("渠道对账单", "Channel statement"));
    let status = state(row, locale);
    for (key, value) in [
        ("statementNo", row.statement_no.as_str()),
        ("channelName", row.channel_name.as_str()),
        ("month", row.month.as_str()),
        ("status", status.as_str()),
    ] {
        page.fact(&heading(key), value);
    }
    page.space(14.0);
    for (key, cents) in amounts(row) {
        page.amount(&heading(key), cents);
    }
    page.rule();
    page.space(16.0);
    page.fact(&heading("items"), &row.items.to_string());
    page.fact(&heading("openingCents"), &frame::pdf::two_decimals(row.opening_cents));
    page.fact(&heading("settledCents"), &frame::pdf::two_decimals(row.settled_cents));
    page.fact(&heading("closingCents"), &frame::pdf::two_decimals(row.closing_cents));
    if let Some(at) = row.answered_at {
        page.fact(&heading("answeredAt"), &clock::date_time(at));
    }
    if let Some(note) = &row.answer_note {
        page.fact(&heading("answerNote"), &note.chars().take(40).collect::<String>());
    }
    if let Some(ip) = &row.answer_ip {
        page.fact(&heading("answerIp"), ip);
    }
    page.file()
}
