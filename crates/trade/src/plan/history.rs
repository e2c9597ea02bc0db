//! The history of a plan as people read it: sentences instead of terms, names instead of ids.

use std::collections::{BTreeSet, HashMap};

use super::store;
use crate::channel;
use base::db::Db;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{AuditEntry, Change};
use frame::terms;

/// Fields that hold ids of something that has a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Named {
    Team,
    Product,
    Channel,
}

/// The entries in one language. Channels outside the scope, and deleted records, appear by id.
pub async fn in_words(db: &Db, entries: Vec<AuditEntry>, scope: Scope, locale: Locale) -> Result<Vec<AuditEntry>, sqlx::Error> {
    let changes = || entries.iter().flat_map(|entry| &entry.diff);
    let ids = |of: Named| -> BTreeSet<i64> {
        let fields = changes().filter(|change| named(&change.field) == Some(of));
        fields.flat_map(|change| [&change.before, &change.after]).flatten().flat_map(|value| numbers(value)).collect()
    };
    let names: HashMap<Named, HashMap<i64, String>> = HashMap::from([
        (Named::Team, store::team_names(db, ids(Named::Team)).await?),
        (Named::Product, store::product_names(db, ids(Named::Product)).await?),
        (Named::Channel, channel::names(db, scope, ids(Named::Channel)).await?),
    ]);
    let separator = locale.pick("、", ", ");
    let name = |of: Named, value: String| {
        let name = |id: i64| names[&of].get(&id).cloned().unwrap_or_else(|| format!("#{id}"));
        numbers(&value).map(name).collect::<Vec<_>>().join(separator)
    };
    let entry = |AuditEntry { diff, id, at, admin_name, action }: AuditEntry| {
        // The note of a decision is for the person who proposed the change, not for the organisation that buys by the
        // plan.
        let diff = diff.into_iter().filter(|change| scope.is_platforms() || change.field != "verdictNote").collect();
        let diff = terms::history::in_words(diff, locale).into_iter();
        let diff = diff.map(|Change { field, before, after }| match named(&field) {
            Some(of) => Change { field, before: before.map(|value| name(of, value)), after: after.map(|value| name(of, value)) },
            None => Change { field, before, after },
        });
        AuditEntry { diff: diff.collect(), id, at, admin_name, action }
    };
    Ok(entries.into_iter().map(entry).collect())
}

fn named(field: &str) -> Option<Named> {
    match field.strip_prefix("asked.").unwrap_or(field) {
        "subOrgId" => Some(Named::Team),
        "productId" => Some(Named::Product),
        "channelAllow" | "channelDeny" => Some(Named::Channel),
        _ => None,
    }
}

/// The trail stores a list as its items with commas between.
fn numbers(value: &str) -> impl Iterator<Item = i64> {
    value.split(", ").filter_map(|number| number.parse().ok())
}
