//! The rules of a request for an invoice.

use super::model::{InvoiceForm, InvoiceTitleType};
use crate::org::InvoiceKind;
use base::canonical;
use base::form_limits;
use frame::api::check::{present, present_paper_no};
use frame::api::{Check, Result, say};

form_limits! {
    /// Of an invoice.
    invoice {
        CONTENT: usize = 100,
        /// Highest amount, in fen: a hundred million yuan.
        MOST_CENTS: i64 = 10_000_000_000,
        RECEIVER_ADDRESS: usize = 200,
        RECEIVER_EMAIL: usize = 100,
        RECEIVER_NAME: usize = 32,
        REMARK: usize = 500,
        /// Characters of the bank, its account, the address and the phone, which a special invoice names.
        SPECIAL_FIELD: usize = 100,
        TAX_NO: usize = 20,
        TITLE: usize = 100,
    }
}

/// The request with texts trimmed; fields that its kind does not need are absent.
pub fn tidied(form: InvoiceForm) -> InvoiceForm {
    let company = form.title_type == InvoiceTitleType::Company;
    let special = form.kind == InvoiceKind::Special;
    let paper = form.kind != InvoiceKind::Electronic;
    let text = |text: String, needed: bool| if needed { canonical::trimmed(&text).to_owned() } else { String::new() };
    InvoiceForm {
        title: canonical::trimmed(&form.title).to_owned(),
        tax_no: present_paper_no(form.tax_no).filter(|_| company),
        bank: present(form.bank).filter(|_| special),
        bank_account: present_paper_no(form.bank_account).filter(|_| special),
        reg_address: present(form.reg_address).filter(|_| special),
        reg_phone: present(form.reg_phone).filter(|_| special),
        content: form.content.trim().to_owned(),
        receiver_name: text(form.receiver_name, paper),
        receiver_phone: canonical::phone_or_text(&text(form.receiver_phone, paper)),
        receiver_address: text(form.receiver_address, paper),
        receiver_email: text(form.receiver_email, !paper),
        remark: form.remark.trim().to_owned(),
        ..form
    }
}

/// Reports every wrong field.
pub fn check(form: &InvoiceForm) -> Result<()> {
    let special = form.kind == InvoiceKind::Special;
    let paper = form.kind != InvoiceKind::Electronic;
    let tax_no = form.tax_no.as_deref().unwrap_or_default();
    let is_account = |account: &str| (1..=SPECIAL_FIELD).contains(&account.len()) && account.bytes().all(|byte| byte.is_ascii_digit());
    let account = form.bank_account.as_deref().is_some_and(is_account);
    let needed = |text: &Option<String>| !special || text.as_deref().is_some_and(|text| text.chars().count() <= SPECIAL_FIELD);
    let of_special = || say("专票需要此项，最多 100 字", "A special invoice needs this, at most 100 characters");
    let mut check = Check::new();
    if paper {
        check.phone("receiverPhone", &form.receiver_phone);
    }
    check
        .range("amountCents", form.amount_cents, 1..=MOST_CENTS)
        .name("title", &form.title, 1..=TITLE)
        .that(
            "titleType",
            !special || form.title_type == InvoiceTitleType::Company,
            say("专票只能开给企业", "A special invoice is for a company only"),
        )
        .that(
            "taxNo",
            form.title_type == InvoiceTitleType::Person || is_tax_no(tax_no),
            say("请填写 15 至 20 位数字或大写字母的税号", "Enter a tax number of 15 to 20 digits and capital letters"),
        )
        .that("bank", needed(&form.bank), of_special())
        .that(
            "bankAccount",
            !special || account,
            say("请填写银行账号，只能是数字，最多 100 位", "Enter a bank account of at most 100 digits"),
        )
        .that("regAddress", needed(&form.reg_address), of_special())
        .that("regPhone", needed(&form.reg_phone), of_special())
        .text("content", &form.content, 1..=CONTENT)
        .name("receiverName", &form.receiver_name, usize::from(paper)..=RECEIVER_NAME)
        .text("receiverAddress", &form.receiver_address, usize::from(paper)..=RECEIVER_ADDRESS)
        .that("receiverEmail", paper || is_mail(&form.receiver_email), say("请填写接收邮箱", "Enter the email address of the receiver"))
        .text("remark", &form.remark, 0..=REMARK)
        .done()
}

/// 15 to 20 digits and capital letters, the form of companies' tax numbers.
fn is_tax_no(text: &str) -> bool {
    (15..=TAX_NO).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Something before and after one @, at most 100 characters.
fn is_mail(text: &str) -> bool {
    let plain = text.len() <= RECEIVER_EMAIL && text.bytes().all(|byte| byte.is_ascii_graphic());
    plain
        && text
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains('@') && !host.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tax_numbers_and_addresses() {
        assert!(is_tax_no("91310000MA1FL0XXXX") && is_tax_no("123456789012345"));
        assert!(!is_tax_no("91310000ma1fl0xxxx") && !is_tax_no("1234") && !is_tax_no("123456789012345678901"));
        assert!(is_mail("a@b.cn"));
        for text in ["", "a", "a@b", "@b.cn", "a@b.", "a@@b.cn", "a b@c.cn", "张@b.cn"] {
            assert!(!is_mail(text), "{text}");
        }
    }
}
