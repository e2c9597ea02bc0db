//! The rows of a list in a page's props: the names of their fields once, and not in each row.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Lists with fewer rows stay as they are.
const FEWEST: usize = 3;

/// How an envelope of a success begins, before its data.
const SUCCESS: &str = r#"{"code":"0000","desc":"","data":"#;

/// An envelope whose data is a list, or begins with a list named `list`, with the rows as
/// `{"columns":["id",…],"rows":[[7,…],…]}`; `unpacked` of `js/lib/columns.ts` reads it. An envelope of another shape, or
/// whose rows have different fields, is returned unchanged.
pub fn packed(envelope: &str) -> Cow<'_, str> {
    match packed_list(envelope) {
        Some(packed) => Cow::Owned(packed),
        None => Cow::Borrowed(envelope),
    }
}

fn packed_list(envelope: &str) -> Option<String> {
    let data = envelope.strip_prefix(SUCCESS)?;
    let list = data.strip_prefix(r#"{"list":"#).unwrap_or(data);
    if !list.starts_with("[{") {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(list).into_iter::<Vec<Row<'_>>>();
    let rows = values.next()?.ok()?;
    let mut text = String::with_capacity(envelope.len());
    text.push_str(&envelope[..envelope.len() - list.len()]);
    push_columns(&mut text, &rows)?;
    text.push_str(&list[values.byte_offset()..]);
    Some(text)
}

/// Writes the rows as columns; none if there are few, or if they have different fields.
fn push_columns(text: &mut String, rows: &[Row<'_>]) -> Option<()> {
    let first = rows.first().filter(|_| rows.len() >= FEWEST)?;
    let names = || first.0.iter().map(|(name, _)| name);
    if !rows.iter().all(|row| row.0.iter().map(|(name, _)| name).eq(names())) {
        return None;
    }
    text.push_str(r#"{"columns":["#);
    join(text, names(), |text, name| {
        text.push('"');
        text.push_str(name);
        text.push('"');
    });
    text.push_str(r#"],"rows":["#);
    join(text, rows, |text, row| {
        text.push('[');
        join(text, &row.0, |text, (_, value)| text.push_str(value.get()));
        text.push(']');
    });
    text.push_str("]}");
    Some(())
}

fn join<T>(text: &mut String, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(text, item);
    }
}

/// The fields of an object in their order, with the texts of their values. Rows with an escaped name are not packed.
struct Row<'a>(Vec<(&'a str, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Row<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Row<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::with_capacity(32);
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Row(fields))
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields_are_written_once() {
        let page =
            r#"{"code":"0000","desc":"","data":{"list":[{"id":1,"a":"x,\"]}"},{"id":2,"a":null},{"id":3,"a":{"b":[1]}}],"total":9}}"#;
        let expected =
            r#"{"code":"0000","desc":"","data":{"list":{"columns":["id","a"],"rows":[[1,"x,\"]}"],[2,null],[3,{"b":[1]}]]},"total":9}}"#;
        assert_eq!(packed(page), expected);
        let choices = r#"{"code":"0000","desc":"","data":[{"value":1,"label":"一"},{"value":2,"label":"二"},{"value":3,"label":"三"}]}"#;
        assert!(packed(choices).ends_with(r#""data":{"columns":["value","label"],"rows":[[1,"一"],[2,"二"],[3,"三"]]}}"#));
    }

    #[test]
    fn envelopes_of_other_shapes_stay_as_they_are() {
        for data in [
            "null",
            "7",
            "[]",
            "[1,2,3]",
            r#"{"list":[],"total":0}"#,
            r#"{"list":[{"id":1},{"id":2}],"total":2}"#,
            r#"{"list":[{"id":1},{"id":2},{"other":3}]}"#,
            r#"{"list":[{"id":1},{"id":2},{"id":3,"b":1}]}"#,
            r#"{"list":[{"id":1},{"id":2},3]}"#,
            r#"{"list":[{"a\n":1},{"a\n":2},{"a\n":3}]}"#,
            r#"{"list":"[{"}"#,
            r#"{"columns":["id"],"rows":[[1],[2],[3]]}"#,
        ] {
            let envelope = format!(r#"{{"code":"0000","desc":"","data":{data}}}"#);
            assert_eq!(packed(&envelope), envelope);
        }
        assert_eq!(packed("no JSON"), "no JSON");
    }
}
