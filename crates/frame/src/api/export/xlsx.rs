//! XLSX: written row by row into a nameless temporary file on a blocking thread, then sent.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use anyhow::anyhow;
use bytes::Bytes;
use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::columns::Head;
use super::stream::{Sink, Stop, Walk};
use super::{Cell, harmless};
use base::clock;
use base::locale::Locale;

/// The most characters a cell holds.
const LONGEST_TEXT: usize = 32_767;
/// Bytes sent at a time.
const PIECE: usize = 64 * 1024;

/// Writes all rows into a file and sends it. The file has no name: it is gone when it is closed,
/// even by a killed process.
pub(super) async fn write(mut rows: Walk, heads: Vec<Head>, locale: Locale, title: String, sink: &mut Sink) -> Result<(), Stop> {
    let (batches, received) = mpsc::channel(1);
    let writer = spawn_blocking(move || sheet(received, &heads, locale, &title));
    let mut count = 0;
    while let Some(batch) = rows.next().await? {
        count += batch.len();
        if sink.is_left() {
            return Err(Stop::Left);
        }
        if batches.send(batch).await.is_err() {
            // The writer has failed; its error is told below.
            break;
        }
    }
    drop(batches);
    let mut file = writer.await??;

    // A part of the file may show any of its rows: all count as sent with its first byte.
    let mut rows = count;
    loop {
        let (next, piece) = spawn_blocking(move || {
            let piece = piece(&mut file);
            (file, piece)
        })
        .await?;
        file = next;
        let piece = piece?;
        if piece.is_empty() {
            return Ok(());
        }
        sink.send(piece, std::mem::take(&mut rows)).await?;
    }
}

fn piece(file: &mut File) -> std::io::Result<Bytes> {
    let mut bytes = Vec::with_capacity(PIECE);
    file.take(PIECE as u64).read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

fn sheet(mut batches: mpsc::Receiver<Vec<Vec<Cell>>>, heads: &[Head], locale: Locale, title: &str) -> anyhow::Result<File> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    sheet.set_name(sheet_name(title))?.set_freeze_panes(1, 0)?;
    let bold = Format::new().set_bold();
    let formats = Formats { money: Format::new().set_num_format("#,##0.00"), percent: Format::new().set_num_format("0.00%") };
    for (head, number) in heads.iter().zip(0..) {
        sheet.write_string_with_format(0, number, harmless(head.title.get(locale)), &bold)?;
    }
    let mut line = 0;
    while let Some(batch) = batches.blocking_recv() {
        for row in batch {
            line += 1;
            for (value, number) in row.into_iter().zip(0..) {
                cell(sheet, line, number, value, &formats)?;
            }
        }
    }
    explain(&mut workbook, heads, locale)?;
    let mut file = tempfile::tempfile().map_err(|error| anyhow!(error).context("no room for a temporary file"))?;
    workbook.save_to_writer(&mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// A second sheet that says what the values of columns are, if any of them is explained.
fn explain(workbook: &mut Workbook, heads: &[Head], locale: Locale) -> Result<(), XlsxError> {
    let notes: Vec<_> = heads.iter().filter_map(|head| Some((&head.title, head.note.as_ref()?))).collect();
    if notes.is_empty() {
        return Ok(());
    }
    let sheet = workbook.add_worksheet();
    sheet.set_name(locale.pick("指标说明", "Formulas"))?;
    for ((title, note), line) in notes.into_iter().zip(0..) {
        sheet.write_string(line, 0, harmless(title.get(locale)))?.write_string(line, 1, harmless(note.get(locale)))?;
    }
    Ok(())
}

/// How numbers look; a workbook keeps each format once.
struct Formats {
    money: Format,
    percent: Format,
}

fn cell(sheet: &mut Worksheet, line: u32, column: u16, cell: Cell, formats: &Formats) -> Result<(), XlsxError> {
    match cell {
        Cell::Text(text) => {
            let text: String = harmless(&text).chars().take(LONGEST_TEXT).collect();
            sheet.write_string(line, column, text)?
        }
        Cell::Number(number) => sheet.write_number(line, column, number as f64)?,
        Cell::Money(cents) => sheet.write_number_with_format(line, column, cents as f64 / 100.0, &formats.money)?,
        Cell::Percent(points) => sheet.write_number_with_format(line, column, points as f64 / 10_000.0, &formats.percent)?,
        Cell::Time(at) => sheet.write_string(line, column, clock::date_time(at))?,
        Cell::Empty => return Ok(()),
    };
    Ok(())
}

/// A sheet's name: at most 31 characters, without those that Excel refuses.
fn sheet_name(title: &str) -> String {
    title.chars().filter(|character| !r"[]:*?/\'".contains(*character)).take(31).collect()
}
