//! An empty table to fill in: a workbook whose cells are texts, so that no spreadsheet drops the last digits of a
//! long number.

use axum::body::Body;
use axum::http::{HeaderValue, Response, header};
use rust_xlsxwriter::{Format, Workbook, XlsxError};

use super::{Column, Importing};
use crate::api::calls::Download;
use crate::api::disposition::Disposition;
use crate::api::{ApiError, Ctx, Result};
use crate::upload::Kind;
use base::locale::Locale;

/// Characters that a column is wide.
const WIDTH: f64 = 24.0;

/// The empty table of an import as a file, its titles in the viewer's language; required ones are bold.
pub fn template<I: Importing>(cx: &Ctx) -> Result<Download> {
    let fault = |error: XlsxError| ApiError::Internal(anyhow::Error::from(error).context("a template"));
    let content = workbook(&I::columns(), cx.locale).map_err(fault)?;
    let name = format!("{}{}.xlsx", I::title().get(cx.locale), cx.locale.pick("导入模板", " import template"));
    let mut response = Response::new(Body::from(content));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(Kind::Xlsx.mime()));
    headers.insert(header::CONTENT_DISPOSITION, Disposition::Attachment.of("template.xlsx", &name));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(Download(response))
}

fn workbook(columns: &[Column], locale: Locale) -> std::result::Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let (text, bold) = (Format::new().set_num_format("@"), Format::new().set_bold());
    sheet.set_freeze_panes(1, 0)?;
    for (column, number) in columns.iter().zip(0..) {
        sheet.set_column_format(number, &text)?.set_column_width(number, WIDTH)?;
        let format = if column.required { &bold } else { &text };
        sheet.write_string_with_format(0, number, column.title.get(locale), format)?;
    }
    workbook.save_to_buffer()
}
