//! Unmasked names and phones in the exported files of clues and pushes, for people that a reveal (`super::reveal`)
//! would show.

use std::collections::HashMap;

use sqlx::FromRow;

use super::list::{Clues, TARGET};
use super::model::ClueRow;
use super::store;
use base::crypto::Keys;
use base::db::{Db, Sql};
use frame::access::audit::Target;
use frame::access::{Scope, ScopeColumns};
use frame::api::Access;
use frame::export::plain::{Person, PlainExporting, Revealable};
use trade::plan::push::edited;
use trade::plan::push::rows as pushes;
use trade::user;

/// A clue whose person a reveal would show.
#[derive(Clone, Copy, Debug, FromRow)]
struct Shown {
    /// The id of the list's row: the clue's or the push's.
    row_id: i64,
    clue_id: i64,
    user_id: i64,
    push_id: Option<i64>,
}

/// The query that finds the revealable ones among a list's rows.
struct Find {
    /// SQL that ends just before the set of the rows' ids.
    select: &'static str,
    scope: ScopeColumns,
}

const CLUES: Find = Find {
    select: "SELECT k.id AS row_id, k.id AS clue_id, k.user_id, k.push_id FROM clue k JOIN applicant u ON u.id = k.user_id \
             LEFT JOIN push_record h ON h.id = k.push_id WHERE u.phone_enc IS NOT NULL AND u.name_enc IS NOT NULL \
             AND COALESCE(k.lost_reason, '') <> 'returned' AND COALESCE(h.status, '') <> 'returned' AND k.id IN ",
    scope: store::SCOPE,
};
const PUSHES: Find = Find {
    select: "SELECT h.id AS row_id, k.id AS clue_id, k.user_id, k.push_id FROM push_record h JOIN clue k ON k.push_id = h.id \
             JOIN applicant u ON u.id = k.user_id WHERE u.phone_enc IS NOT NULL AND u.name_enc IS NOT NULL \
             AND h.status = 'accepted' AND h.id IN ",
    scope: pushes::SCOPE,
};

impl Find {
    async fn among(&self, db: &Db, scope: Scope, rows: &[i64]) -> Result<Vec<Shown>, sqlx::Error> {
        let mut sql = Sql::new(self.select);
        sql.ids(rows.iter().copied());
        scope.apply(&mut sql, self.scope);
        sql.fetch_all(db.read()).await?.iter().map(Shown::from_row).collect()
    }

    async fn revealable(&self, db: &Db, scope: Scope, rows: &[i64]) -> Result<Vec<Revealable>, sqlx::Error> {
        let shown = self.among(db, scope, rows).await?;
        Ok(shown.into_iter().map(|Shown { row_id, clue_id, .. }| Revealable { row: row_id, record: clue_id }).collect())
    }

    async fn people(&self, db: &Db, keys: &Keys, scope: Scope, rows: &[i64]) -> anyhow::Result<HashMap<i64, Person>> {
        let shown = self.among(db, scope, rows).await?;
        let people = user::person::reveal_all(db.read(), keys, shown.iter().map(|one| one.user_id)).await?;
        let edited = edited::of_all(db.read(), keys, shown.iter().filter_map(|one| one.push_id)).await?;
        let person = |one: &Shown| {
            let whole = people.get(&one.user_id)?;
            let name = one.push_id.and_then(|id| edited.get(&id)).map_or(&whole.name, |edited| &edited.name);
            Some((one.row_id, Person { name: name.clone(), phone: whole.phone.clone(), id_no: None }))
        };
        Ok(shown.iter().filter_map(person).collect())
    }
}

/// Returns those of the pushes whose person [`super::reveal_push`] would show, each with its clue.
pub async fn revealable_pushes(db: &Db, scope: Scope, rows: &[i64]) -> Result<Vec<Revealable>, sqlx::Error> {
    PUSHES.revealable(db, scope, rows).await
}

/// The people of pushes, by the pushes' ids.
pub async fn people_of_pushes(db: &Db, keys: &Keys, scope: Scope, rows: &[i64]) -> anyhow::Result<HashMap<i64, Person>> {
    PUSHES.people(db, keys, scope, rows).await
}

impl PlainExporting for Clues {
    const EXPORT: Access = Access::Point("crm/clue/export");
    const REVEALS: Target = TARGET;

    async fn revealable(db: &Db, scope: Scope, rows: &[i64]) -> Result<Vec<Revealable>, sqlx::Error> {
        CLUES.revealable(db, scope, rows).await
    }

    async fn people(db: &Db, keys: &Keys, scope: Scope, rows: &[i64]) -> anyhow::Result<HashMap<i64, Person>> {
        CLUES.people(db, keys, scope, rows).await
    }

    fn id(row: &ClueRow) -> i64 {
        row.id
    }

    fn unmask(row: &mut ClueRow, person: Person) {
        (row.name_mask, row.phone_mask) = (person.name, person.phone);
    }
}
