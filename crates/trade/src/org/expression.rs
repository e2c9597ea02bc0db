//! The expression for a yes in an organisation's answer: a small language without calls, loops or own names. `code ==
//! "0000" && data.result in ["1", "2"]`: conditions that must all hold, each with a path into the answer and a
//! comparison: `==`, `!=`, `in` a list, or only that it `exists`.

use serde_json::Value;

use base::form_limits;

form_limits! {
    /// Of the delivery by API.
    delivery {
        /// Characters of an expression.
        pub EXPRESSION: usize = 300,
    }
}

/// Conditions of an expression, at most.
const MOST_CONDITIONS: usize = 5;
/// The most parts of a path.
const DEEPEST: usize = 6;

/// A parsed expression.
#[derive(Debug, PartialEq)]
pub struct Expression(Vec<Condition>);

#[derive(Debug, PartialEq)]
struct Condition {
    path: Vec<String>,
    test: Test,
}

#[derive(Debug, PartialEq)]
enum Test {
    Is(Value),
    IsNot(Value),
    In(Vec<Value>),
    Exists,
}

impl Expression {
    /// Parses an expression; none if it is not valid.
    pub fn parse(text: &str) -> Option<Expression> {
        if text.chars().count() > EXPRESSION {
            return None;
        }
        let conditions: Vec<Condition> = split(text)?.into_iter().map(condition).collect::<Option<_>>()?;
        (1..=MOST_CONDITIONS).contains(&conditions.len()).then_some(Expression(conditions))
    }

    /// Whether an answer meets every condition. A number and its text are the same: partners send either.
    pub fn holds(&self, answer: &Value) -> bool {
        self.0.iter().all(|Condition { path, test }| {
            let found = path.iter().try_fold(answer, |value, part| match value {
                Value::Array(items) => items.get(part.parse::<usize>().ok()?),
                other => other.get(part),
            });
            match (found, test) {
                (None | Some(Value::Null), Test::IsNot(_)) => true,
                (None | Some(Value::Null), _) => false,
                (Some(_), Test::Exists) => true,
                (Some(value), Test::Is(wanted)) => same(value, wanted),
                (Some(value), Test::IsNot(wanted)) => !same(value, wanted),
                (Some(value), Test::In(wanted)) => wanted.iter().any(|wanted| same(value, wanted)),
            }
        })
    }
}

/// The parts between `&&`, but not within quotes.
fn split(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'&' if !quoted && bytes.get(at + 1) == Some(&b'&') => {
                parts.push(&text[start..at]);
                at += 1;
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&text[start..]);
    (!quoted).then_some(parts)
}

fn condition(text: &str) -> Option<Condition> {
    let text = text.trim();
    let end =
        text.find(|character: char| !(character.is_ascii_alphanumeric() || character == '_' || character == '.')).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let path: Vec<String> = path.split('.').map(str::to_owned).collect();
    if path.len() > DEEPEST || path.iter().any(String::is_empty) {
        return None;
    }
    let rest = rest.trim_start();
    let test = if rest == "exists" {
        Test::Exists
    } else if let Some(value) = rest.strip_prefix("==") {
        Test::Is(literal(value)?)
    } else if let Some(value) = rest.strip_prefix("!=") {
        Test::IsNot(literal(value)?)
    } else {
        let list: Vec<Value> = serde_json::from_str(rest.strip_prefix("in")?.trim()).ok()?;
        let plain = !list.is_empty() && list.iter().all(|value| !value.is_array() && !value.is_object());
        Test::In(plain.then_some(list)?)
    };
    Some(Condition { path, test })
}

/// A text in double quotes, a number, `true` or `false`.
fn literal(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim()).ok().filter(|value: &Value| value.is_string() || value.is_number() || value.is_boolean())
}

fn same(found: &Value, wanted: &Value) -> bool {
    let plain = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    };
    plain(found).is_some_and(|found| plain(wanted).as_ref() == Some(&found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn conditions_hold_or_do_not() {
        let answer = json!({"code": "0000", "data": {"result": 1, "list": [{"ok": true}], "text": "a && b", "none": null}});
        for (text, holds) in [
            (r#"code == "0000""#, true),
            (r#"code=="0000"&&data.result==1"#, true),
            (r#"data.result == "1""#, true),
            (r#"data.result in [1, 2] && data.list.0.ok == true"#, true),
            (r#"data.text == "a && b""#, true),
            ("data.result exists", true),
            ("data.none exists", false),
            ("data.missing exists", false),
            (r#"code != "0000""#, false),
            (r#"data.missing != "1""#, true),
            (r#"code == "0000" && data.result == 2"#, false),
            (r#"data in ["x"]"#, false),
        ] {
            let expression = Expression::parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(expression.holds(&answer), holds, "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_expression() {
        for bad in [
            "",
            "code",
            "code ==",
            "code == x",
            "code = \"0\"",
            "code == [1]",
            "code in []",
            "code in [[1]]",
            "code == \"0\" || x == 1",
            "code == \"0",
            "a..b == 1",
            ".a == 1",
            "a[0] == 1",
            "f(x) == 1",
            "a == 1 &&",
            "a.b.c.d.e.f.g == 1",
            "process.exit()",
            "a == 1 && b == 1 && c == 1 && d == 1 && e == 1 && f == 1",
        ] {
            assert_eq!(Expression::parse(bad), None, "{bad}");
        }
        assert_eq!(Expression::parse(&format!("a == \"{}\"", "x".repeat(EXPRESSION))), None);
    }
}
