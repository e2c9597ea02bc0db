//! A statement as a PDF of one page.

use super::model::StatementRow;
use base::locale::Locale;
use base::{clock, fields};
use frame::pdf::Page;

/// The file, in a language.
pub fn document(row: &StatementRow, locale: Locale) -> Vec<u8> {
    let heading = |key: &'static str| fields::heading("statement", key).get(locale).to_owned();
    let mut page = Page::titled(locale.pick("对账单", "Statement of account"));
    for (key, value) in [("orgName", row.org_name.as_str()), ("month", row.month.as_str()), ("status", row.status.label(locale))] {
        page.fact(&heading(key), value);
    }
    page.space(14.0);
    for (key, cents) in [
        ("openingCents", row.opening_cents),
        ("rechargeCents", row.recharge_cents),
        ("giftCents", row.gift_cents),
        ("adjustCents", row.adjust_cents),
        ("spendCents", -row.spend_cents),
        ("refundCents", row.refund_cents),
        ("closingCents", row.closing_cents),
    ] {
        page.amount(&heading(key), cents);
    }
    page.rule();
    page.space(16.0);
    page.fact(&heading("entries"), &row.entries.to_string());
    if let Some((name, at)) = row.answered_name.as_ref().zip(row.answered_at) {
        page.fact(&heading("answeredName"), &format!("{name}, {}", clock::day(at)));
    }
    if let Some(note) = &row.note {
        page.fact(&heading("note"), &note.chars().take(40).collect::<String>());
    }
    if let Some(head) = &row.ledger_head {
        page.space(10.0);
        page.fact(&heading("ledgerHead"), head);
    }
    page.file()
}

#[cfg(test)]
#[path = "../../../../frame/src/pdf/reader.rs"]
mod reader;
#[cfg(test)]
mod tests {
    use super::super::model::StatementStatus;
    use super::reader::lines;
    use super::*;

    #[test]
    fn a_statement_is_a_pdf_with_its_amounts_in_both_languages() {
        let row = StatementRow {
            id: 1,
            org_id: 2,
            org_name: "北方银行 (North)".to_owned(),
            month: "2026-03".to_owned(),
            opening_cents: 10_000,
            recharge_cents: 1_234_567,
            gift_cents: 0,
            adjust_cents: 0,
            spend_cents: 8_800,
            refund_cents: 0,
            closing_cents: 1_235_767,
            entries: 3,
            status: StatementStatus::Sent,
            note: None,
            sent_at: None,
            ledger_head: Some("2026-04-01:0123456789abcdef0123456789abcdef".to_owned()),
            answered_name: None,
            answered_at: None,
            version: 1,
            created_at: 0,
        };
        for locale in [Locale::Chinese, Locale::English] {
            let file = document(&row, locale);
            assert!(file.starts_with(b"%PDF-") && file.trim_ascii_end().ends_with(b"%%EOF"));
            let lines = lines(&file);
            for text in ["12,345.67", "-88.00", "12,357.67"] {
                assert!(lines.iter().any(|line| line == text), "{text}: {lines:?}");
            }
            for text in [": 北方银行 (North)", ": 2026-03", ": 2026-04-01:0123456789abcdef0123456789abcdef"] {
                assert!(lines.iter().any(|line| line.ends_with(text)), "{text}: {lines:?}");
            }
            assert!((8_000..60_000).contains(&file.len()), "{}", file.len());
        }
    }
}
