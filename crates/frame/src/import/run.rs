//! The steps of an import: read the table, sort its lines into good, known and wrong ones, then report or write.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::refusal::broken;
use super::report::{ImportReport, WrongLine, error_file};
use super::table::{Layout, Table};
use super::{ImportFields, Importing, SHOWN_CELLS};
use crate::access::audit::{self, Action, Change};
use crate::api::form::FormFile;
use crate::api::{ApiError, Ctx, FileForm, Result, say};
use crate::upload::{self, Kind, StoredFile};
use base::clock;
use base::locale::Locale;

/// Tables that are in memory at the same moment.
static READING: Semaphore = Semaphore::const_new(2);

/// A table, sorted.
struct Sorted<R> {
    table: Table,
    good: Vec<R>,
    duplicate: usize,
    wrong: Vec<WrongLine>,
}

/// Reads a table on its own thread, and converts it there.
pub async fn read<T: Send + 'static>(
    file: Arc<FormFile>,
    layout: Layout,
    make: impl FnOnce(Table) -> Result<T> + Send + 'static,
) -> Result<T> {
    let _turn = READING.acquire().await.expect("never closed");
    // A file at which the reader panics is a broken file.
    spawn_blocking(move || make(Table::read(&file, layout)?)).await.map_err(|_| broken())?
}

/// Makes a trial, or an import. An import is finished even if its caller has hung up.
pub async fn run<I: Importing>(cx: Arc<Ctx>, form: FileForm<ImportFields>, importing: I) -> Result<ImportReport> {
    let _turn = READING.acquire().await.expect("never closed");
    let FileForm { fields: ImportFields { dry_run, accept_unused }, file } = form;
    let importing = Arc::new(importing);
    let mut sorted = {
        let (file, importing) = (file.clone(), importing.clone());
        // A file at which the reader panics is a broken file.
        spawn_blocking(move || sort(&file, &*importing)).await.map_err(|_| broken())??
    };
    if !dry_run && !accept_unused {
        refuse_unused(&sorted.table)?;
    }
    if dry_run && !importing.may_show_held(&cx, &sorted.good).await? {
        let answer = report(&cx, &sorted, sorted.good.len(), Outcome::Unsearched);
        record::<I>(&cx, &file, &sorted, sorted.good.len(), Some("tried"), Some(&answer)).await?;
        return Ok(answer);
    }
    let good = std::mem::take(&mut sorted.good);
    let total = good.len();
    let mut fresh = Vec::with_capacity(total);
    for batch in batches(good, I::BATCH) {
        let held = importing.held(cx.db(), &batch).await?;
        fresh.extend(batch.into_iter().zip(held).filter(|(_, held)| !held).map(|(row, _)| row));
    }
    sorted.duplicate += total - fresh.len();
    sorted.good = fresh;
    if dry_run {
        let good = sorted.good.len();
        let answer = report(&cx, &sorted, good, Outcome::Tried);
        // A trial shows which values are known already, so the audit trail names the person.
        record::<I>(&cx, &file, &sorted, good, Some("tried"), Some(&answer)).await?;
        return Ok(answer);
    }
    let taking = tokio::spawn(async move { take(&cx, &file, &*importing, sorted).await });
    taking.await.map_err(|error| ApiError::Internal(anyhow::Error::from(error).context("an import broke")))?
}

fn sort<I: Importing>(file: &FormFile, importing: &I) -> Result<Sorted<I::Row>> {
    let table = Table::read(file, Layout { columns: I::columns(), most: I::MOST_LINES, row_kind: None })?;
    let (mut good, mut duplicate, mut wrong, mut places) = (Vec::new(), 0, Vec::new(), HashSet::new());
    for index in 0..table.rows() {
        let line = table.line(index);
        // A cell that cannot be read never counts as empty.
        let faults = line.faults();
        if !faults.is_empty() {
            wrong.push(WrongLine { index, wrong: faults });
            continue;
        }
        match importing.read(&line) {
            Ok(row) if places.insert(I::place(&row)) => good.push(row),
            Ok(_) => duplicate += 1,
            Err(error) => wrong.push(WrongLine::of(index, error)?),
        }
    }
    Ok(Sorted { table, good, duplicate, wrong })
}

fn batches<R>(rows: Vec<R>, most: usize) -> impl Iterator<Item = Vec<R>> {
    let mut rows = rows.into_iter();
    std::iter::from_fn(move || Some(rows.by_ref().take(most).collect::<Vec<R>>()).filter(|batch| !batch.is_empty()))
}

/// Writes the good rows, stores the wrong ones as a file, and writes the audit row together with the answer.
async fn take<I: Importing>(cx: &Ctx, file: &FormFile, importing: &I, mut sorted: Sorted<I::Row>) -> Result<ImportReport> {
    let rows = std::mem::take(&mut sorted.good);
    let total = rows.len();
    let (mut written, mut ended) = (0, Ok(()));
    for batch in batches(rows, I::BATCH) {
        match write(cx, importing, &batch).await {
            Ok(count) => written += count,
            // Rows written before stay, and the audit row counts them; the others can be imported again.
            Err(error) => {
                ended = Err(error);
                break;
            }
        }
    }
    if ended.is_ok() {
        sorted.duplicate += total - written;
        ended = finish(cx, importing).await;
    }
    if let Err(error) = ended {
        record::<I>(cx, file, &sorted, written, Some("failed"), None).await?;
        return Err(error);
    }
    let error_file = match sorted.wrong.is_empty() {
        true => None,
        // The rows are written: a failure to store the file does not undo them.
        false => keep::<I>(cx, &sorted).await.inspect_err(|error| tracing::error!(?error, "the wrong rows of an import were lost")).ok(),
    };
    let answer = report(cx, &sorted, written, Outcome::Taken(error_file));
    record::<I>(cx, file, &sorted, written, None, Some(&answer)).await?;
    Ok(answer)
}

async fn write<I: Importing>(cx: &Ctx, importing: &I, rows: &[I::Row]) -> Result<usize> {
    let stamp = cx.stamp()?;
    cx.db().transact(|mut tx| async move { importing.write(&mut tx, rows, stamp).await }.boxed()).await
}

async fn finish<I: Importing>(cx: &Ctx, importing: &I) -> Result<()> {
    let stamp = cx.stamp()?;
    cx.db().transact(|mut tx| async move { importing.finish(&mut tx, stamp).await }.boxed()).await
}

/// Writes the audit row of an import, with the answer of the call if it has one.
async fn record<I: Importing>(
    cx: &Ctx,
    file: &FormFile,
    sorted: &Sorted<I::Row>,
    written: usize,
    ended: Option<&str>,
    answer: Option<&ImportReport>,
) -> Result<()> {
    let change = |field: &str, after: String| Change { field: field.to_owned(), before: None, after: Some(after) };
    let mut changes = vec![
        change("name", file.name.chars().take(100).collect()),
        change("sha256", file.sha256.clone()),
        change("rows", sorted.table.rows().to_string()),
        change("good", written.to_string()),
        change("duplicate", sorted.duplicate.to_string()),
        change("wrong", sorted.wrong.len().to_string()),
    ];
    changes.extend(ended.map(|ended| change("ended", ended.to_owned())));
    let (actor, changes) = (&cx.actor()?, changes.as_slice());
    cx.db()
        .transact(|mut tx| {
            async move {
                audit::record(&mut tx, actor, I::TARGET, Action::Import, changes).await?;
                match answer {
                    Some(answer) => cx.keep_answer(&mut tx, answer).await,
                    None => Ok(()),
                }
            }
            .boxed()
        })
        .await
}

async fn keep<I: Importing>(cx: &Ctx, sorted: &Sorted<I::Row>) -> Result<StoredFile> {
    let fault = |error: csv::Error| ApiError::Internal(anyhow::Error::from(error).context("a file of wrong rows"));
    let content = error_file(&sorted.table, &sorted.wrong, cx.locale).map_err(fault)?;
    let time = clock::date_time(cx.now).replace(['-', ':'], "").replace(' ', "-");
    let name = format!("{}-{}-{time}.csv", I::title().get(cx.locale), cx.locale.pick("错误行", "rows with errors"));
    upload::keep_made(cx, &name, Kind::Csv, content).await
}

/// Refuses a file with columns that are not used: their author expected an effect that they do not have.
fn refuse_unused(table: &Table) -> Result<()> {
    let unused = |locale: Locale| table.unused(locale).join(locale.pick("、", ", "));
    match unused(Locale::Chinese).as_str() {
        "" => Ok(()),
        chinese => Err(ApiError::field(
            "acceptUnused",
            say(
                format!("以下列不会导入：{chinese}。请核对列名，确认无误后勾选再导入"),
                format!(
                    "These columns are not imported: {}. Check their headings, and confirm to import without them",
                    unused(Locale::English)
                ),
            ),
        )),
    }
}

/// The result for a file.
enum Outcome {
    Tried,
    /// A trial without a search for existing rows.
    Unsearched,
    Taken(Option<StoredFile>),
}

fn report<R>(cx: &Ctx, sorted: &Sorted<R>, good: usize, outcome: Outcome) -> ImportReport {
    let cells = sorted.wrong.iter().flat_map(|line| line.cells(&sorted.table, cx.locale));
    ImportReport {
        dry_run: !matches!(outcome, Outcome::Taken(_)),
        total: sorted.table.rows(),
        good,
        duplicate: sorted.duplicate,
        unsearched: matches!(outcome, Outcome::Unsearched),
        sheet: sorted.table.sheet().map(str::to_owned),
        hidden_rows: sorted.table.hidden_rows(),
        unused_columns: sorted.table.unused(cx.locale),
        wrong: sorted.wrong.len(),
        wrong_cells: cells.take(SHOWN_CELLS).collect(),
        error_file: if let Outcome::Taken(file) = outcome { file } else { None },
    }
}
