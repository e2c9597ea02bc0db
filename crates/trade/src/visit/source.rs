//! The number of visitors of an address: those beyond a bound do not count as visitors.

use std::collections::BTreeMap;

use sqlx::Row;

use super::batch::VisitKey;
use super::model::{Source, Subject};
use base::db::{self, Connection, Sql};

/// The stored part of an address: `203.0.113.*`, `2001:db8:*`.
pub fn network_of(ip: &str) -> String {
    match ip.rsplit_once('.') {
        _ if ip.is_empty() => String::new(),
        Some((network, _)) => format!("{network}.*"),
        None => format!("{}:*", ip.split(':').take(2).collect::<Vec<_>>().join(":")),
    }
}

/// A subject on a day, and an address.
type From<'k> = (&'k str, Subject, &'k str);

/// Stores new visitors by their addresses. Returns those beyond the bound. The visitors are given in the order of
/// their keys.
pub async fn excess<'k>(tx: &mut Connection, new: &[(&'k VisitKey, &Source)]) -> Result<Vec<&'k VisitKey>, sqlx::Error> {
    let mut sources: BTreeMap<From<'_>, Vec<(&VisitKey, i64)>> = BTreeMap::new();
    for (key, source) in new {
        sources.entry((key.day.as_str(), key.subject(), source.address.as_str())).or_default().push((key, source.most));
    }
    let rows: Vec<_> = sources.iter().collect();
    let mut too_many = Vec::new();
    for some in db::pieces(&rows) {
        let mut sql = Sql::new("INSERT INTO visit_source (day, subject_type, subject_id, source, visitors) VALUES ");
        for (index, ((day, subject, source), visitors)) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind((*day).to_owned()).push(", ").bind(<&str>::from(subject.kind));
            sql.push(", ").bind(subject.id).push(", ").bind((*source).to_owned()).push(", ").bind(visitors.len() as i64).push(")");
        }
        sql.push(
            " ON CONFLICT (day, subject_type, subject_id, source) DO UPDATE SET visitors = visit_source.visitors + excluded.visitors \
             RETURNING day, subject_type, subject_id, source, visitors",
        );
        for row in sql.fetch_all(&mut *tx).await? {
            let subject = Subject { kind: db::code(&row, "subject_type")?, id: row.try_get("subject_id")? };
            let key = (row.try_get::<&str, _>("day")?, subject, row.try_get::<&str, _>("source")?);
            let brought: i64 = row.try_get("visitors")?;
            let Some(visitors) = sources.get(&key) else { continue };
            let before = brought - visitors.len() as i64;
            too_many.extend((before + 1..).zip(visitors).filter(|(number, (_, most))| number > most).map(|(_, (key, _))| *key));
        }
    }
    Ok(too_many)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_address_its_network_is_kept() {
        for (ip, kept) in [("203.0.113.9", "203.0.113.*"), ("2001:db8::1", "2001:db8:*"), ("", "")] {
            assert_eq!(network_of(ip), kept);
            assert_eq!(network_of(kept), kept, "once and for all");
        }
    }
}
