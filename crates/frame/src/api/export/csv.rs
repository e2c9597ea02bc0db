//! CSV: UTF-8 with a byte order mark, which spreadsheets want, and CRLF line ends.

use bytes::Bytes;
use serde::Serialize;

use super::{Cell, Column, Sink, Stop, Walk, cells, harmless, hundredths};
use base::clock;
use base::locale::Locale;

/// Writes all rows, a batch at a time.
pub(super) async fn write<T: Serialize, R, Rows>(
    mut rows: Walk<T, R>,
    columns: Vec<Column<T>>,
    locale: Locale,
    sink: &mut Sink,
) -> Result<(), Stop>
where
    R: Fn(Vec<i64>) -> Rows,
    Rows: Future<Output = Result<Vec<T>, sqlx::Error>>,
{
    let mut head = "\u{feff}".as_bytes().to_vec();
    head.extend(lines([columns.iter().map(|column| harmless(column.title.get(locale))).collect()])?);
    sink.send(Bytes::from(head), 0).await?;
    while let Some(batch) = rows.next().await? {
        let rows = batch.iter().map(|row| Ok(cells(&columns, row, locale)?.into_iter().map(text).collect()));
        let text = lines(rows.collect::<Result<Vec<_>, serde_json::Error>>()?)?;
        sink.send(Bytes::from(text), batch.len()).await?;
    }
    Ok(())
}

/// Rows as text.
pub fn lines(rows: impl IntoIterator<Item = Vec<String>>) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

fn text(cell: Cell) -> String {
    match cell {
        Cell::Text(text) => harmless(&text),
        Cell::Number(number) => number.to_string(),
        Cell::Money(cents) => hundredths(cents),
        Cell::Percent(points) => format!("{}%", hundredths(points)),
        Cell::Time(at) => clock::date_time(at),
        Cell::Empty => String::new(),
    }
}
