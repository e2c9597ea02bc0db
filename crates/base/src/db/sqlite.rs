//! A connection to a SQLite file that runs statements on the caller's thread, with the types of `sqlx`.
//!
//! Passing a statement to a connection's own thread, as the pool does, costs several times as much in switching as a
//! short statement itself.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{ErrorKind as IoKind, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::config::DbConfig;
use rusqlite::ffi;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Statement, StatementStatus};
use sqlx::Error;
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow, AnyTypeInfo, AnyValue};
use sqlx::error::{DatabaseError, ErrorKind};
use sqlx_core::HashMap;
use sqlx_core::any::{AnyColumn, AnyTypeInfoKind, AnyValueKind};
use sqlx_core::ext::ustr::UStr;

/// The most parameters of a statement: SQLite's own limit.
const MOST_PARAMETERS: usize = 32_766;
/// Steps of SQLite's machine between two checks of a flag: about a tenth of a millisecond.
const LOOK: i32 = 10_000;
/// Statements that a connection keeps prepared.
const PREPARED: usize = 256;

/// One connection.
pub struct Sqlite {
    connection: Connection,
    /// The columns of its statements, by their text.
    columns: HashMap<String, Columns>,
}

/// The result of a statement.
#[derive(Default)]
pub struct Ran {
    pub rows: Vec<AnyRow>,
    pub result: AnyQueryResult,
}

/// The columns of a statement's rows, as every row of it carries them.
#[derive(Clone)]
struct Columns {
    names: Arc<HashMap<UStr, usize>>,
    list: Vec<AnyColumn>,
}

impl Sqlite {
    /// Opens the file with `settings`; makes it if it is missing.
    pub fn open(path: &Path, settings: &str) -> Result<Sqlite, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(to_sqlx)?;
        connection.execute_batch(settings).map_err(to_sqlx)?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        Ok(Sqlite { connection, columns: HashMap::default() })
    }

    /// Stops every statement after so many steps of SQLite's machine.
    pub fn stop_after(&self, steps: i32) -> Result<(), Error> {
        self.connection.progress_handler(steps, Some(|| true)).map_err(to_sqlx)
    }

    /// Keeps the plan of a statement for all values. Otherwise SQLite prepares it again whenever a value of its LIKE
    /// or its ranges changes, which costs more than a short read.
    pub fn keep_plans(&self) -> Result<(), Error> {
        self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop).map_err(to_sqlx)
    }

    /// Stops a statement once a flag is set.
    pub fn stop_when(&self, flag: Arc<AtomicBool>) -> Result<(), Error> {
        self.connection.progress_handler(LOOK, Some(move || flag.load(Ordering::Relaxed))).map_err(to_sqlx)
    }

    /// Runs a statement to its end.
    pub fn run(&mut self, sql: &str, arguments: Option<&AnyArguments>) -> Result<Ran, Error> {
        // Only the text: values may be personal data.
        tracing::debug!(statement = sql, "runs");
        self.ran(sql, arguments).map_err(to_sqlx)
    }

    fn ran(&mut self, sql: &str, arguments: Option<&AnyArguments>) -> rusqlite::Result<Ran> {
        let mut statement = self.connection.prepare_cached(sql)?;
        // The steps are counted over a statement's life; each run begins at 0.
        statement.reset_status(StatementStatus::VmStep);
        bind(&mut statement, sql, arguments.map(|arguments| arguments.values.0.as_slice()).unwrap_or_default())?;
        let width = statement.column_count();
        let writes = !statement.readonly();
        let mut found = Vec::new();
        if width == 0 {
            statement.raw_query().next()?;
        } else {
            if self.columns.get(sql).is_none_or(|known| known.list.len() != width) {
                if self.columns.len() >= PREPARED {
                    self.columns.clear();
                }
                self.columns.insert(sql.to_owned(), Columns::of(&statement));
            }
            let columns = &self.columns[sql];
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next()? {
                let mut values = Vec::with_capacity(width);
                for index in 0..width {
                    values.push(AnyValue { kind: value_of(row.get_ref(index)?) });
                }
                found.push(AnyRow { column_names: columns.names.clone(), columns: columns.list.clone(), values });
            }
        }
        let mut result = AnyQueryResult::default();
        if writes {
            result.rows_affected = self.connection.changes();
        }
        Ok(Ran { rows: found, result })
    }
}

impl Columns {
    fn of(statement: &Statement<'_>) -> Columns {
        let list: Vec<AnyColumn> = statement
            .column_names()
            .into_iter()
            .enumerate()
            .map(|(ordinal, name)| AnyColumn { ordinal, name: UStr::new(name), type_info: AnyTypeInfo { kind: AnyTypeInfoKind::Null } })
            .collect();
        let names = list.iter().map(|column| (column.name.clone(), column.ordinal)).collect();
        Columns { names: Arc::new(names), list }
    }
}

/// Binds values to a statement; `$2` is the second wherever it stands.
fn bind(statement: &mut Statement<'_>, sql: &str, values: &[AnyValueKind]) -> rusqlite::Result<()> {
    let count = statement.parameter_count();
    let numbers = numbers(sql);
    let in_text = numbers.len() == count;
    for index in 1..=count {
        let number = match in_text {
            true => numbers[index - 1],
            // A text in quotes may look like a placeholder: SQLite's own names decide.
            false => statement.parameter_name(index).and_then(|name| name.get(1..)).and_then(|name| name.parse().ok()).unwrap_or(index),
        };
        match values.get(number - 1) {
            Some(AnyValueKind::Bool(value)) => statement.raw_bind_parameter(index, value)?,
            Some(AnyValueKind::SmallInt(value)) => statement.raw_bind_parameter(index, value)?,
            Some(AnyValueKind::Integer(value)) => statement.raw_bind_parameter(index, value)?,
            Some(AnyValueKind::BigInt(value)) => statement.raw_bind_parameter(index, value)?,
            Some(AnyValueKind::Real(value)) => statement.raw_bind_parameter(index, f64::from(*value))?,
            Some(AnyValueKind::Double(value)) => statement.raw_bind_parameter(index, value)?,
            Some(AnyValueKind::Text(value)) => statement.raw_bind_parameter(index, value.as_str())?,
            Some(AnyValueKind::TextSlice(value)) => statement.raw_bind_parameter(index, &**value)?,
            Some(AnyValueKind::Blob(value)) => statement.raw_bind_parameter(index, value.as_slice())?,
            _ => statement.raw_bind_parameter(index, rusqlite::types::Null)?,
        }
    }
    Ok(())
}

/// The numbers of a statement's placeholders in the order of their first occurrence, which is SQLite's. Reading the
/// name of each from SQLite costs a walk over all.
fn numbers(sql: &str) -> Vec<usize> {
    let (mut numbers, mut seen) = (Vec::new(), Vec::new());
    for part in sql.split('$').skip(1) {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(number) = part[..digits].parse::<usize>() else { continue };
        if number == 0 || number > MOST_PARAMETERS {
            continue;
        }
        if seen.len() < number {
            seen.resize(number, false);
        }
        if !std::mem::replace(&mut seen[number - 1], true) {
            numbers.push(number);
        }
    }
    numbers
}

fn value_of(value: ValueRef<'_>) -> AnyValueKind {
    match value {
        ValueRef::Null => AnyValueKind::Null(AnyTypeInfoKind::Null),
        ValueRef::Integer(number) => AnyValueKind::BigInt(number),
        ValueRef::Real(number) => AnyValueKind::Double(number),
        ValueRef::Text(bytes) => AnyValueKind::Text(Arc::new(text_of(bytes))),
        ValueRef::Blob(bytes) => AnyValueKind::Blob(Arc::new(bytes.to_vec())),
    }
}

fn text_of(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// An error of SQLite as an error of `sqlx`.
fn to_sqlx(error: rusqlite::Error) -> Error {
    match error {
        rusqlite::Error::SqliteFailure(code, message) => {
            let message = message.unwrap_or_else(|| code.to_string());
            Error::Database(Box::new(Refused { code: code.extended_code, message }))
        }
        other => Error::Decode(other.into()),
    }
}

/// An error of SQLite.
#[derive(Debug)]
struct Refused {
    code: i32,
    message: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "(code: {}) {}", self.code, self.message)
    }
}

impl StdError for Refused {}

impl DatabaseError for Refused {
    fn message(&self) -> &str {
        &self.message
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.code.to_string().into())
    }

    fn kind(&self) -> ErrorKind {
        match self.code {
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID => ErrorKind::UniqueViolation,
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY => ErrorKind::ForeignKeyViolation,
            ffi::SQLITE_CONSTRAINT_NOTNULL => ErrorKind::NotNullViolation,
            ffi::SQLITE_CONSTRAINT_CHECK => ErrorKind::CheckViolation,
            _ => ErrorKind::Other,
        }
    }

    fn as_error(&self) -> &(dyn StdError + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn StdError + Send + Sync + 'static> {
        self
    }
}

/// Refuses a file that is shorter than its header says: SQLite would notice only at the missing part. A log beside it
/// may hold all the content.
pub fn whole(path: &Path) -> Result<(), Error> {
    let log = path.with_file_name(format!("{}-wal", path.file_name().unwrap_or_default().display()));
    if log.metadata().is_ok_and(|log| log.len() > 0) {
        return Ok(());
    }
    let mut head = [0; 100];
    // SQLite gives a better error for a file that cannot be read at all.
    let Ok(mut file) = File::open(path) else { return Ok(()) };
    if file.read_exact(&mut head).is_err() || !head.starts_with(b"SQLite format 3\0") {
        return Ok(());
    }
    let number = |at: usize| u64::from(u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
    let page = match u64::from(u16::from_be_bytes([head[16], head[17]])) {
        1 => 65_536,
        size => size,
    };
    // The number of pages is valid if it was written with the last change.
    let (says, length) = (number(28) * page, file.metadata()?.len());
    match number(24) == number(92) && length < says {
        true => Err(Error::Protocol(format!("{} is cut short: it has {length} of {says} bytes", path.display()))),
        false => Ok(()),
    }
}

/// Makes the file, if it is missing, and makes it and SQLite's files beside it readable only by its owner.
pub fn keep_private(path: &Path) -> Result<(), Error> {
    // SQLite gives its files beside the database the database's own mode.
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != IoKind::AlreadyExists => return Err(error.into()),
        _ => {}
    }
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let file = path.with_file_name(format!("{}{suffix}", path.file_name().unwrap_or_default().display()));
        match fs::metadata(&file) {
            Ok(found) if found.permissions().mode() & 0o077 != 0 => {
                // Only the owner may change it.
                if let Err(error) = fs::set_permissions(&file, Permissions::from_mode(0o600)) {
                    tracing::warn!(%error, "others can read {}", file.display());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// A copy of an error, for each of several transactions, with the name of what failed.
pub fn again(error: &Error, what: &str) -> Error {
    let refused = error.as_database_error().and_then(|refused| refused.try_downcast_ref::<Refused>());
    match refused {
        Some(Refused { code, message }) => Error::Database(Box::new(Refused { code: *code, message: format!("{what}: {message}") })),
        None => Error::Protocol(format!("{what}: {error}")),
    }
}

/// Whether SQLite refused because another process writes.
pub fn is_busy(error: &Error) -> bool {
    let refused = error.as_database_error().and_then(|refused| refused.try_downcast_ref::<Refused>());
    refused.is_some_and(|refused| refused.code & 0xff == ffi::SQLITE_BUSY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_counted_where_they_first_stand() {
        for (sql, expected) in [
            ("SELECT 1", vec![]),
            ("UPDATE t SET a = $2, b = $1 WHERE a = $2 AND c = $3", vec![2, 1, 3]),
            ("INSERT INTO t VALUES ($1, $2), ($3, $4), ($10, $11)", vec![1, 2, 3, 4, 10, 11]),
            ("SELECT '$', '$x', $1::text, $0, $99999999999999999999", vec![1]),
        ] {
            assert_eq!(numbers(sql), expected, "{sql}");
        }
    }

    #[test]
    fn values_go_where_their_numbers_stand() {
        let folder = tempfile::tempdir().unwrap();
        let mut sqlite = Sqlite::open(&folder.path().join("t.db"), "").unwrap();
        let arguments = || {
            let mut arguments = AnyArguments::default();
            for value in [10i64, 20, 30] {
                sqlx::Arguments::add(&mut arguments, value).unwrap();
            }
            arguments
        };
        // The second contains a quoted text that looks like a placeholder.
        for sql in ["SELECT $3 AS c, $1 AS a, $2 AS b, $1 AS d", "SELECT $3 AS c, $1 AS a, $2 AS b, $1 AS d, '$4' AS e"] {
            let ran = sqlite.run(sql, Some(&arguments())).unwrap();
            let value = |column: &str| sqlx::Row::get::<i64, _>(&ran.rows[0], column);
            assert_eq!([value("a"), value("b"), value("c"), value("d")], [10, 20, 30, 10], "{sql}");
        }
    }
}
