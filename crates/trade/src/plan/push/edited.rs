//! The data that the buyer of a push gets instead of the applicant's answers: stored with the push, sealed.

use std::collections::HashMap;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use base::crypto::{Keys, place};
use base::db::{Connection, Sql};
use base::mask;
use frame::access::audit::Change;

/// A name, a province and the answers of an applicant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edited {
    pub name: String,
    pub province: String,
    pub said: Map<String, Value>,
}

impl Edited {
    /// Seals it for the push of this number.
    pub fn sealed(&self, keys: &Keys, no: &str) -> String {
        keys.seal(&place::PUSH_EDITED.of(no), &serde_json::to_string(self).expect("texts and numbers serialise"))
    }

    /// The city for lists.
    pub fn city(&self) -> &str {
        self.said.get("city").and_then(Value::as_str).unwrap_or_default()
    }

    /// The masked name for lists.
    pub fn name_mask(&self) -> String {
        mask::name(&self.name)
    }
}

/// The edited data of a push; none if nothing was edited, and after the applicant's erasure.
pub async fn of<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, push_id: i64) -> anyhow::Result<Option<Edited>> {
    let row = sqlx::query("SELECT no, edited_enc FROM push_record WHERE id = $1").bind(push_id).fetch_one(on).await?;
    opened(&row, keys)
}

/// The same for several pushes, by their ids; pushes without edited data are left out.
pub async fn of_all<'e>(
    on: impl Executor<'e, Database = Any>,
    keys: &Keys,
    pushes: impl IntoIterator<Item = i64>,
) -> anyhow::Result<HashMap<i64, Edited>> {
    let mut sql = Sql::new("SELECT id, no, edited_enc FROM push_record WHERE edited_enc IS NOT NULL AND id IN ");
    sql.ids(pushes);
    let mut found = HashMap::new();
    for row in sql.fetch_all(on).await? {
        if let Some(edited) = opened(&row, keys)? {
            found.insert(row.try_get("id")?, edited);
        }
    }
    Ok(found)
}

fn opened(row: &AnyRow, keys: &Keys) -> anyhow::Result<Option<Edited>> {
    let sealed: Option<String> = row.try_get("edited_enc")?;
    sealed.map(|sealed| open(keys, row.try_get("no")?, &sealed)).transpose()
}

/// Opens the sealed data of the push of this number.
pub fn open(keys: &Keys, no: &str, sealed: &str) -> anyhow::Result<Edited> {
    let opened = keys.open(&place::PUSH_EDITED.of(no), sealed)?;
    serde_json::from_str(&opened).context("the edited data of a push")
}

/// Stores the previous answers with the pushes of an applicant that are sold or about to be.
pub async fn keep_sold(tx: &mut Connection, keys: &Keys, user_id: i64, said: &Edited) -> Result<(), sqlx::Error> {
    let sold = sqlx::query(
        "SELECT id, no FROM push_record WHERE user_id = $1 AND edited_enc IS NULL \
           AND status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted', 'returned')",
    )
    .bind(user_id)
    .fetch_all(&mut *tx)
    .await?;
    for row in sold {
        let (id, no): (i64, String) = (row.try_get("id")?, row.try_get("no")?);
        sqlx::query("UPDATE push_record SET edited_enc = $1 WHERE id = $2").bind(said.sealed(keys, &no)).bind(id).execute(&mut *tx).await?;
    }
    Ok(())
}

/// The edited fields, for the audit trail: names masked, answers as JSON.
pub fn changes(old: &Edited, new: &Edited) -> Vec<Change> {
    let differing = |these: &Map<String, Value>, those: &Map<String, Value>| {
        let differing = these.iter().filter(|(field, value)| those.get(*field) != Some(*value));
        let differing: Map<String, Value> = differing.map(|(field, value)| (field.clone(), value.clone())).collect();
        (!differing.is_empty()).then(|| Value::Object(differing).to_string())
    };
    let filled = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut changes = Vec::new();
    let mut add = |field: &str, before, after| changes.push(Change { field: field.to_owned(), before, after });
    if old.name != new.name {
        add("editedName", Some(old.name_mask()), Some(new.name_mask()));
    }
    if old.province != new.province {
        add("editedProvince", filled(&old.province), filled(&new.province));
    }
    if old.said != new.said {
        add("editedFacts", differing(&old.said, &new.said), differing(&new.said, &old.said));
    }
    changes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_trail_has_what_was_edited_with_the_name_masked() {
        let said = |value: Value| value.as_object().unwrap().clone();
        let old =
            Edited {
                name: "张小三".into(), province: "上海".into(), said: said(json!({"age": 30, "city": "上海市", "car": "owned"}))
            };
        let new = Edited { name: "张小四".into(), province: "上海".into(), said: said(json!({"age": 31, "city": "上海市"})) };
        let changes: Vec<_> = super::changes(&old, &new).into_iter().map(|change| (change.field, change.before, change.after)).collect();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(changes[0], ("editedName".to_owned(), text("张**"), text("张**")));
        assert_eq!(changes[1], ("editedFacts".to_owned(), text(r#"{"age":30,"car":"owned"}"#), text(r#"{"age":31}"#)));
        assert_eq!((changes.len(), super::changes(&old, &old).len()), (2, 0));
    }
}
