//! CSV: UTF-8 with a byte order mark, which spreadsheets want, and CRLF line ends.

use bytes::Bytes;

use super::cell::hundredths;
use super::columns::Head;
use super::stream::{Sink, Stop, Walk};
use super::{Cell, harmless};
use base::clock;
use base::locale::Locale;

/// Writes all rows, a batch at a time.
pub(super) async fn write(mut rows: Walk, heads: Vec<Head>, locale: Locale, sink: &mut Sink) -> Result<(), Stop> {
    let mut head = "\u{feff}".as_bytes().to_vec();
    head.extend(lines([heads.iter().map(|head| harmless(head.title.get(locale))).collect()])?);
    sink.send(Bytes::from(head), 0).await?;
    while let Some(batch) = rows.next().await? {
        let count = batch.len();
        let text = lines(batch.into_iter().map(|row| row.into_iter().map(text).collect()))?;
        sink.send(Bytes::from(text), count).await?;
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
