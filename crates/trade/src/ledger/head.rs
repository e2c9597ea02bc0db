//! The head of the ledger: a digest of the last entry of every account on one day. It is sent out of the database,
//! and later proves that these entries are unchanged. Its row is sealed with the key of the ledger, which is not in
//! the database: a row written there by hand is ignored and reported.

pub mod kept;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use futures_util::FutureExt;
use jiff::civil::Date;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use crate::ledger::chain::{self, Ends};
use crate::ledger::verify::MOST;
use base::clock;
use base::crypto::LedgerKey;
use base::db::{Connection, Db, Sql, Tx};
use frame::access::trail::ChainEnd;

/// Digits of the digest: the first of SHA-256.
const DIGITS: usize = 32;
/// Rows per statement.
const BATCH: usize = 100;
/// The most rows without a right seal whose ends are left out. If there are more, no ends agree with their head.
const LEFT_OUT: usize = 500;
/// The newest rows among which the head for a statement is searched.
const LOOKED_AT: i64 = 100;

/// A head. As text `DAY:DIGEST`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub day: Date,
    digest: String,
}

impl Head {
    fn of(day: Date, ends: &Ends) -> Head {
        let mut digest = chain::digest(ends);
        digest.truncate(DIGITS);
        Head { day, digest }
    }
}

impl fmt::Display for Head {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.day, self.digest)
    }
}

impl FromStr for Head {
    type Err = String;

    fn from_str(text: &str) -> Result<Head, String> {
        let parts: Vec<&str> = text.trim().split(':').collect();
        let head = match *parts {
            [day, digest] if day.len() == 10 && digest.len() == DIGITS && digest.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
                day.parse::<Date>().ok().map(|day| Head { day, digest: digest.to_ascii_lowercase() })
            }
            _ => None,
        };
        head.ok_or_else(|| format!("a head is DAY:DIGEST, such as 2026-03-01:{}", "0a".repeat(DIGITS / 2)))
    }
}

/// A head and the ends of its chains; of these a head itself has only the digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    pub head: Head,
    ends: Option<Ends>,
}

impl From<Head> for Noted {
    fn from(head: Head) -> Noted {
        Noted { head, ends: None }
    }
}

impl Noted {
    /// A head from text, or from its file.
    pub fn given(text: &str) -> Result<Noted, String> {
        match text.parse::<Head>() {
            Ok(head) => Ok(head.into()),
            Err(reason) if !Path::new(text).is_file() => Err(format!("{text} is no head, and there is no such file: {reason}")),
            Err(_) => {
                let content = std::fs::read_to_string(text).map_err(|error| format!("{text}: {error}"))?;
                content.parse::<Noted>().map_err(|reason| format!("{text}: {reason}"))
            }
        }
    }

    /// The content of a head's file: the head, then a line `ACCOUNT:NUMBER:HASH` for each account.
    pub fn text(&self) -> String {
        format!("{}\n{}", self.head, chain::lines(self.ends.iter().flatten()))
    }
}

impl FromStr for Noted {
    type Err = String;

    fn from_str(text: &str) -> Result<Noted, String> {
        let mut lines = text.lines();
        let head: Head = lines.next().unwrap_or_default().parse()?;
        let end = |line: &str| -> Option<(i64, ChainEnd)> {
            let (account_id, end) = line.split_once(':')?;
            Some((account_id.parse().ok()?, end.parse().ok()?))
        };
        let ends = lines.map(end).collect::<Option<Ends>>().ok_or("after the head, each line is ACCOUNT:NUMBER:HASH")?;
        if Head::of(head.day, &ends) != head {
            return Err("its lines are not those of its head: the file was changed, or is not whole".to_owned());
        }
        Ok(Noted { head, ends: Some(ends) })
    }
}

/// A difference between the books and a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// There is no such head.
    Unknown,
    /// The rows of the head do not give its digest.
    Rows,
    /// The last entry of an account is missing or another one.
    Account { org_id: i64, account_id: i64, seq: i64 },
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Unknown => {
                write!(out, "this database has no such head: it is of another installation, or was removed with the entries after it")
            }
            Difference::Rows => {
                write!(out, "the rows of this head in ledger_head_account were changed or removed: compare with the file of the head")
            }
            Difference::Account { org_id, account_id, seq } => write!(
                out,
                "organisation {org_id}: entry number {seq} of account {account_id} is not the one of this head: entries were changed, \
                 removed or inserted since"
            ),
        }
    }
}

/// A fault of the rows of heads or of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A row `DAY:DIGEST` without a right seal.
    Seal(String),
    /// A row of a later day than today.
    Later(String),
    /// The ends of today's head do not give its digest.
    Rows(String),
    /// The file of today's head exists with another content; it was not replaced.
    File(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Seal(head) => {
                write!(out, "head {head}: its seal is not of the key of the ledger: the row was changed or inserted by hand")
            }
            Fault::Later(head) => write!(out, "head {head}: its day is later than today"),
            Fault::Rows(head) => write!(out, "head {head}: {}", Difference::Rows),
            Fault::File(key) => write!(out, "the file {key} has another content than the head of this day, and was not replaced"),
        }
    }
}

/// The seal of a head's row.
fn seal(key: &LedgerKey, day: &str, digest: &str) -> String {
    key.hash(&serde_json::to_vec(&("head", day, digest)).expect("a head serialises"))
}

/// One row of the table of heads.
struct Line {
    id: i64,
    day: String,
    digest: String,
    /// By the key; none in rows from before there were seals.
    is_sealed: bool,
}

/// The columns that [`Line::read`] reads. Rows from before there were seals have smaller ids than all others.
const LINE: &str = "SELECT h.id, h.day, h.digest, h.seal, (SELECT MIN(s.id) FROM ledger_head s WHERE s.seal IS NOT NULL) AS sealed_from \
     FROM ledger_head h";

impl Line {
    fn read(row: &AnyRow, key: &LedgerKey) -> Result<Line, sqlx::Error> {
        let (id, day, digest): (i64, String, String) = (row.try_get("id")?, row.try_get("day")?, row.try_get("digest")?);
        let is_right = match row.try_get::<Option<String>, _>("seal")? {
            Some(stored) => stored == seal(key, &day, &digest),
            None => row.try_get::<Option<i64>, _>("sealed_from")?.is_none_or(|from| id < from),
        };
        let is_sealed = is_right && day.parse::<Date>().is_ok();
        Ok(Line { id, day, digest, is_sealed })
    }

    /// The head as text, as in the row.
    fn text(&self) -> String {
        format!("{}:{}", self.day, self.digest).escape_debug().take(60).collect()
    }
}

/// The rows of all heads of a database.
struct Lines(Vec<Line>);

impl Lines {
    async fn read<'e>(on: impl Executor<'e, Database = Any>, key: &LedgerKey) -> Result<Lines, sqlx::Error> {
        let mut sql = Sql::new(LINE);
        sql.push(" ORDER BY h.id");
        let rows = sql.fetch_all(on).await?;
        rows.iter().map(|row| Line::read(row, key)).collect::<Result<_, _>>().map(Lines)
    }

    /// The rows without a right seal, up to the number that is left out.
    fn wrong(&self) -> Vec<i64> {
        self.0.iter().filter(|line| !line.is_sealed).map(|line| line.id).take(LEFT_OUT).collect()
    }

    /// Their faults on a day, about [`MOST`] at most.
    fn faults(&self, today: Date) -> Vec<Fault> {
        let today = today.to_string();
        let of = |line: &Line| {
            let seal = (!line.is_sealed).then(|| Fault::Seal(line.text()));
            seal.into_iter().chain((line.day > today).then(|| Fault::Later(line.text())))
        };
        self.0.iter().flat_map(of).take(MOST as usize).collect()
    }
}

/// The faults of the rows of heads.
pub async fn faults(db: &Db, now: i64) -> Result<Vec<Fault>, sqlx::Error> {
    Ok(Lines::read(db.read(), &*db.ledger_key()?).await?.faults(clock::day(now)))
}

/// The head of today.
#[derive(Clone, Debug)]
pub struct Made {
    pub noted: Noted,
    /// Whether its row is in the database: not if a row of this day was written by hand.
    pub is_stored: bool,
    pub faults: Vec<Fault>,
}

/// Makes the head of today, unless it is made. Rows of later days do not count.
pub async fn make(db: &Db, now: i64) -> Result<Made, sqlx::Error> {
    db.transact(|mut tx| async move { make_within(db, &mut tx, now).await }.boxed()).await
}

async fn make_within(db: &Db, tx: &mut Tx, now: i64) -> Result<Made, sqlx::Error> {
    db.lock(tx, "ledger head").await?;
    let (day, key) = (clock::day(now), tx.ledger_key()?);
    let today = day.to_string();
    let lines = Lines::read(&mut **tx, &key).await?;
    let (wrong, mut faults) = (lines.wrong(), lines.faults(day));
    let made = lines.0.iter().find(|line| line.day == today);
    if let Some(line) = made.filter(|line| line.is_sealed) {
        let ends = ends_of(&mut **tx, line.id, &wrong).await?;
        let head = Head::of(day, &ends);
        if head.digest == line.digest {
            return Ok(Made { noted: Noted { head, ends: Some(ends) }, is_stored: true, faults });
        }
        faults.push(Fault::Rows(line.text()));
    }
    // One statement, so that all ends are of one moment.
    let ends = chain::all_ends(&mut **tx).await?;
    let head = Head::of(day, &ends);
    let is_stored = made.is_none();
    if is_stored {
        let before = ends_of(&mut **tx, i64::MAX, &wrong).await?;
        let id: i64 = sqlx::query_scalar("INSERT INTO ledger_head (day, digest, seal, created_at) VALUES ($1, $2, $3, $4) RETURNING id")
            .bind(&today)
            .bind(&head.digest)
            .bind(seal(&key, &today, &head.digest))
            .bind(now)
            .fetch_one(&mut **tx)
            .await?;
        insert_changed(tx, id, &before, &ends).await?;
    }
    Ok(Made { noted: Noted { head, ends: Some(ends) }, is_stored, faults })
}

/// Writes the ends that differ from the head before.
async fn insert_changed(tx: &mut Connection, head_id: i64, before: &Ends, ends: &Ends) -> Result<(), sqlx::Error> {
    let is_in = |ends: &Ends, account_id: i64| ends.binary_search_by_key(&account_id, |(id, _)| *id).is_ok();
    let gone = before.iter().filter(|(account_id, _)| !is_in(ends, *account_id));
    let gone = gone.map(|(account_id, _)| (*account_id, ChainEnd::default()));
    let is_new = |end: &&(i64, ChainEnd)| before.binary_search_by_key(&end.0, |(id, _)| *id).ok().is_none_or(|at| before[at] != **end);
    let changed: Ends = ends.iter().filter(is_new).cloned().chain(gone).collect();
    for some in changed.chunks(BATCH) {
        let mut sql = Sql::new("INSERT INTO ledger_head_account (account_id, head_id, seq, hash) VALUES ");
        for (index, (account_id, end)) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(*account_id).then(head_id).then(end.seq);
            sql.then(end.hash.clone()).push(")");
        }
        sql.execute(&mut *tx).await?;
    }
    Ok(())
}

/// The newest head until today as text, if there is one.
pub async fn newest(tx: &mut Connection, now: i64) -> Result<Option<String>, sqlx::Error> {
    let key = tx.ledger_key()?;
    let mut sql = Sql::new(LINE);
    sql.push(" WHERE h.day <= ").bind(clock::day(now).to_string()).push(" ORDER BY h.day DESC LIMIT ").bind(LOOKED_AT);
    let lines = sql.fetch_all(&mut *tx).await?;
    let lines = lines.iter().map(|row| Line::read(row, &key)).collect::<Result<Vec<Line>, _>>()?;
    Ok(lines.iter().find(|line| line.is_sealed).map(Line::text))
}

/// The ends of a head, by account; those in the rows of `wrong` heads are left out.
async fn ends_of<'e>(on: impl Executor<'e, Database = Any>, head_id: i64, wrong: &[i64]) -> Result<Ends, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT a.account_id, a.seq, a.hash FROM (SELECT account_id, MAX(head_id) AS head_id FROM ledger_head_account WHERE head_id <= ",
    );
    sql.bind(head_id).push(" AND head_id NOT IN ").ids(wrong.iter().copied());
    sql.push(
        " GROUP BY account_id) n JOIN ledger_head_account a ON a.account_id = n.account_id AND a.head_id = n.head_id \
         WHERE a.seq > 0 ORDER BY a.account_id",
    );
    chain::read_ends(sql.fetch_all(on).await?)
}

/// Compares the books with a head: empty if they still have all of its entries. The content of the entries between is
/// checked by [`crate::ledger::verify::verify`], which follows the chains to these ends.
pub async fn compare(db: &Db, noted: &Noted) -> Result<Vec<Difference>, sqlx::Error> {
    let Noted { head, ends } = noted;
    let stored;
    let ends = match ends {
        Some(ends) => ends,
        None => {
            let id: Option<i64> = sqlx::query_scalar("SELECT id FROM ledger_head WHERE day = $1 AND digest = $2")
                .bind(head.day.to_string())
                .bind(&head.digest)
                .fetch_optional(db.read())
                .await?;
            let Some(id) = id else { return Ok(vec![Difference::Unknown]) };
            let wrong = Lines::read(db.read(), &*db.ledger_key()?).await?.wrong();
            stored = ends_of(db.read(), id, &wrong).await?;
            if Head::of(head.day, &stored) != *head {
                return Ok(vec![Difference::Rows]);
            }
            &stored
        }
    };
    let mut found = Vec::new();
    for (account_id, end) in ends {
        let hash: Option<String> = sqlx::query_scalar(
            "SELECT COALESCE(l.hash, s.hash, '') FROM account_ledger l \
             LEFT JOIN ledger_seal s ON s.account_id = l.account_id AND s.seq = l.seq WHERE l.account_id = $1 AND l.seq = $2",
        )
        .bind(account_id)
        .bind(end.seq)
        .fetch_optional(db.read())
        .await?;
        if hash.as_ref() == Some(&end.hash) {
            continue;
        }
        let org_id: Option<i64> =
            sqlx::query_scalar("SELECT org_id FROM org_account WHERE id = $1").bind(account_id).fetch_optional(db.read()).await?;
        found.push(Difference::Account { org_id: org_id.unwrap_or(0), account_id: *account_id, seq: end.seq });
        if found.len() as i64 >= MOST {
            break;
        }
    }
    Ok(found)
}

/// The days of heads from one day until before another.
pub async fn days(db: &Db, from: Date, to: Date) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT day FROM ledger_head WHERE day >= $1 AND day < $2 ORDER BY day")
        .bind(from.to_string())
        .bind(to.to_string())
        .fetch_all(db.read())
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted() -> Noted {
        let ends: Ends = vec![(3, ChainEnd { seq: 2, hash: "1.ab".to_owned() }), (10, ChainEnd { seq: 7, hash: "cd".to_owned() })];
        Noted { head: Head::of("2026-03-01".parse().unwrap(), &ends), ends: Some(ends) }
    }

    /// An auditor computes it from these lines.
    #[test]
    fn a_head_is_the_digest_of_the_last_entries() {
        let noted = noted();
        assert_eq!(noted.text().lines().skip(1).collect::<Vec<_>>(), ["3:2:1.ab", "10:7:cd"]);
        let digest = base::crypto::sha256_hex(b"3:2:1.ab\n10:7:cd\n");
        assert_eq!(noted.head.to_string(), format!("2026-03-01:{}", &digest[..32]));
    }

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let noted = noted();
        let text = noted.head.to_string();
        for same in [text.clone(), format!(" {text}\n"), text.to_uppercase()] {
            assert_eq!(same.parse::<Head>().unwrap(), noted.head, "{same}");
        }
        for bad in ["", "2026-03-01", &text[..40], &format!("{text}0"), &text.replace("2026-03-01", "2026-13-01"), &format!("{text}:x")] {
            assert!(bad.parse::<Head>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_file_of_a_head_is_whole_or_refused() {
        let noted = noted();
        let text = noted.text();
        assert_eq!(text.parse::<Noted>().unwrap(), noted);
        for bad in [text.replace("10:7", "10:8"), text.replace("3:2:1.ab\n", ""), text.replace("10:7:cd", "x"), noted.head.to_string()] {
            assert!(bad.parse::<Noted>().is_err(), "{bad}");
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("head");
        std::fs::write(&file, &text).unwrap();
        assert_eq!(Noted::given(file.to_str().unwrap()).unwrap(), noted);
        assert_eq!(Noted::given(&noted.head.to_string()).unwrap(), Noted::from(noted.head.clone()));
        assert!(Noted::given("yesterday").unwrap_err().contains("no head"));
    }
}
