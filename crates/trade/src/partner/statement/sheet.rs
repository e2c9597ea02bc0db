//! A statement with its items as XLSX: the amounts on one sheet, the items on another.

use rust_xlsxwriter::{Format, Workbook, XlsxError};

use super::model::{PartnerItemRow, PartnerStatementRow};
use super::pdf::{amounts, state};
use base::locale::Locale;
use base::{clock, fields};

/// The file, in a language.
pub fn document(row: &PartnerStatementRow, items: &[PartnerItemRow], locale: Locale) -> Result<Vec<u8>, XlsxError> {
    let heading = |record: &'static str, key: &'static str| fields::heading(record, key).get(locale).to_owned();
    let yuan = |cents: i64| cents as f64 / 100.0;
    let (bold, money) = (Format::new().set_bold(), Format::new().set_num_format("#,##0.00"));
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name(locale.pick("对账单", "Statement"))?.set_column_width(0, 28)?.set_column_width(1, 24)?;
    let status = state(row, locale);
    let facts = [
        ("statementNo", row.statement_no.as_str()),
        ("channelName", row.channel_name.as_str()),
        ("month", row.month.as_str()),
        ("status", status.as_str()),
    ];
    let mut line = 0;
    for (key, text) in facts {
        sheet.write_string_with_format(line, 0, heading("partnerStatement", key), &bold)?.write_string(line, 1, text)?;
        line += 1;
    }
    for (key, cents) in amounts(row) {
        sheet.write_string_with_format(line, 0, heading("partnerStatement", key), &bold)?;
        sheet.write_number_with_format(line, 1, yuan(cents), &money)?;
        line += 1;
    }
    let answered = row.answered_at.map(clock::date_time);
    let answer = [
        ("answeredAt", &answered),
        ("answerNote", &row.answer_note),
        ("answerIp", &row.answer_ip),
        ("answerUserAgent", &row.answer_user_agent),
    ];
    for (key, text) in answer.into_iter().filter_map(|(key, text)| Some((key, text.as_deref()?))) {
        sheet.write_string_with_format(line, 0, heading("partnerStatement", key), &bold)?.write_string(line, 1, text)?;
        line += 1;
    }
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name(locale.pick("明细", "Items"))?.set_freeze_panes(1, 0)?.set_column_width(0, 14)?.set_column_width(1, 20)?;
    for (column, key) in (0..).zip(["day", "kind", "amountCents", "visitors"]) {
        sheet.write_string_with_format(0, column, heading("partnerItem", key), &bold)?;
    }
    for (line, item) in (1..).zip(items) {
        sheet.write_string(line, 0, &item.day)?.write_string(line, 1, item.kind.label(locale))?;
        sheet.write_number_with_format(line, 2, yuan(item.amount_cents), &money)?.write_number(line, 3, item.visitors as f64)?;
    }
    workbook.save_to_buffer()
}
