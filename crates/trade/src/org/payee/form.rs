//! The form of a payee organisation: it is tidied and checked.

use super::model::PayeeForm;
use base::canonical;
use base::form_limits;
use frame::api::check::present_paper_no;
use frame::api::{Check, Result, say};

form_limits! {
    /// Of a payee.
    payee {
        ADDRESS: usize = 200,
        BANK_NAME: usize = 64,
        NAME: usize = 64,
        PHONE: usize = 32,
        TAX_NO: usize = 20,
    }
}

/// No blanks around texts; the numbers in their one form.
pub fn tidied(mut form: PayeeForm) -> PayeeForm {
    for text in [&mut form.name, &mut form.bank_name, &mut form.address] {
        *text = canonical::trimmed(text).to_owned();
    }
    form.phone = canonical::visible(&canonical::half_width(&form.phone)).into_owned();
    form.tax_no = canonical::paper_no(&form.tax_no);
    form.bank_account = present_paper_no(form.bank_account);
    form
}

pub fn check(form: &PayeeForm, has_account: bool) -> Result<()> {
    let digits = |text: &str| (8..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let account = form.bank_account.as_deref();
    let kinds = &form.invoice_types;
    let distinct = kinds.iter().enumerate().all(|(index, kind)| !kinds[..index].contains(kind));
    let tax_no = (15..=TAX_NO).contains(&form.tax_no.len()) && form.tax_no.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let phone = form.phone.bytes().all(|byte| byte.is_ascii_digit() || b"+- ()".contains(&byte));
    Check::new()
        .name("name", &form.name, 1..=NAME)
        .that("taxNo", tax_no, say("15 到 20 位数字或字母", "15 to 20 digits or letters"))
        .name("bankName", &form.bank_name, 1..=BANK_NAME)
        .that("bankAccount", has_account || account.is_some(), say("必填", "Required"))
        .that("bankAccount", account.is_none_or(digits), say("8 到 32 位数字", "8 to 32 digits"))
        .text("address", &form.address, 0..=ADDRESS)
        .text("phone", &form.phone, 0..=PHONE)
        .that("phone", phone, say("请输入电话号码", "Enter a phone number"))
        .that("invoiceTypes", distinct, say("发票类型重复", "Duplicate invoice type"))
        .done()
}
