//! The head of the ledger: of one day a digest of the last entry of every account. It is sent
//! out of the database, and later proves that these entries are still there as they were.

pub mod kept;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use futures_util::FutureExt;
use jiff::civil::Date;
use sqlx::{Any, Executor, Row};

use super::chain::{self, Ends};
use super::verify::MOST;
use crate::access::trail::ChainEnd;
use crate::clock;
use crate::db::{Connection, Db, Sql, Tx};

/// Digits of the digest: the first of SHA-256.
const DIGITS: usize = 32;
/// Rows that are written by one statement.
const BATCH: usize = 100;

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

/// A head and the ends of the chains that it is of, of which a head by itself knows the digest only.
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
    /// A head as text, or the file of one.
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

    /// What the file of a head says: the head, then a line `ACCOUNT:NUMBER:HASH` for each account.
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

/// What of a head the books do not have any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// There is no such head.
    Unknown,
    /// The rows of the head are not those of its digest.
    Rows,
    /// An account does not have the entry that was its last one, or another one in its place.
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

/// Makes the head of today, unless it is made.
pub async fn make(db: &Db, now: i64) -> Result<Noted, sqlx::Error> {
    db.transact(|mut tx| async move { make_within(db, &mut tx, now).await }.boxed()).await
}

async fn make_within(db: &Db, tx: &mut Tx, now: i64) -> Result<Noted, sqlx::Error> {
    db.lock(tx, "ledger head").await?;
    let day = clock::day(now);
    let before = match newest(&mut **tx).await? {
        Some((id, head)) => {
            let ends = ends_of(&mut **tx, id).await?;
            if head.day >= day {
                return Ok(Noted { head, ends: Some(ends) });
            }
            ends
        }
        None => Ends::new(),
    };
    // One statement, so that all ends are of one moment.
    let ends = chain::all_ends(&mut **tx).await?;
    let head = Head::of(day, &ends);
    let id: i64 = sqlx::query_scalar("INSERT INTO ledger_head (day, digest, created_at) VALUES ($1, $2, $3) RETURNING id")
        .bind(day.to_string())
        .bind(&head.digest)
        .bind(now)
        .fetch_one(&mut **tx)
        .await?;
    insert_changed(tx, id, &before, &ends).await?;
    Ok(Noted { head, ends: Some(ends) })
}

/// Writes what differs from the head before.
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

/// The newest head and its id.
async fn newest<'e>(on: impl Executor<'e, Database = Any>) -> Result<Option<(i64, Head)>, sqlx::Error> {
    let row = sqlx::query("SELECT id, day, digest FROM ledger_head ORDER BY day DESC LIMIT 1").fetch_optional(on).await?;
    let Some(row) = row else { return Ok(None) };
    let day: String = row.try_get("day")?;
    let day = day.parse::<Date>().map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(Some((row.try_get("id")?, Head { day, digest: row.try_get("digest")? })))
}

/// The ends that a head is of, by account.
async fn ends_of<'e>(on: impl Executor<'e, Database = Any>, head_id: i64) -> Result<Ends, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT a.account_id, a.seq, a.hash FROM (SELECT account_id, MAX(head_id) AS head_id FROM ledger_head_account \
           WHERE head_id <= $1 GROUP BY account_id) n \
         JOIN ledger_head_account a ON a.account_id = n.account_id AND a.head_id = n.head_id WHERE a.seq > 0 ORDER BY a.account_id",
    )
    .bind(head_id)
    .fetch_all(on)
    .await?;
    chain::read_ends(rows)
}

/// Compares the books with a head: nothing, if they have all of its entries as they were. What the entries between say is not
/// looked at: that is [`super::verify::verify`]'s, which follows the chains to these ends.
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
            stored = ends_of(db.read(), id).await?;
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

/// The days of the heads that were made from one day until before another.
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
        let digest = crate::crypto::sha256_hex(b"3:2:1.ab\n10:7:cd\n");
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
