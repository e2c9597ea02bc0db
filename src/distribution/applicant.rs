//! An applicant as organisations are sent them: the fields by our names.

use serde_json::{Map, Value};

use crate::crypto;
use crate::org::message::{Applicant, TEST};
use crate::user::RevealedUser;

/// Fields that go out as they were said.
const AS_SAID: &[&str] = &[
    "age",
    "car",
    "city",
    "creditCard",
    "education",
    "house",
    "housingFund",
    "occupation",
    "overdue",
    "payForm",
    "policy",
    "purpose",
    "sex",
    "socialIns",
    "zhima",
];
/// Fields in fen that go out in yuan, and those that are called otherwise: ours, and what the applicant said.
const IN_YUAN: &[(&str, &str)] = &[("applyAmount", "applyAmountCents"), ("income", "incomeCentsMonth")];
const RENAMED: &[(&str, &str)] = &[("applyTerm", "applyTermMonths")];

/// Who the applicant is, what they say, the number of the lead, and whether it is a test lead.
pub fn told(person: &RevealedUser, user_no: &str, province: &str, lead_no: &str, test: bool, said: &Map<String, Value>) -> Applicant {
    let mut told = Applicant::from([
        ("leadNo", Value::from(lead_no)),
        ("name", Value::from(person.name.as_str())),
        ("phone", Value::from(person.phone.as_str())),
        ("phoneMd5", Value::from(crypto::md5_hex(&person.phone))),
        (TEST, Value::from(test)),
        ("userNo", Value::from(user_no)),
    ]);
    if let Some(id_no) = &person.id_no {
        told.insert("idNo", Value::from(id_no.as_str()));
    }
    if !province.is_empty() {
        told.insert("province", Value::from(province));
    }
    told.extend(AS_SAID.iter().filter_map(|field| Some((*field, said.get(*field)?.clone()))));
    told.extend(RENAMED.iter().filter_map(|(ours, field)| Some((*ours, said.get(*field)?.clone()))));
    told.extend(IN_YUAN.iter().filter_map(|(ours, field)| Some((*ours, Value::from(said.get(*field)?.as_i64()? / 100)))));
    told
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::org::delivery::FIELDS;

    #[test]
    fn all_that_can_be_sent_is_told() {
        let person =
            RevealedUser { phone: "10000030001".into(), name: "张三".into(), id_no: Some("11010519491231002X".into()), device_id: None };
        let mut said = json!({"applyAmountCents": 5_000_000, "incomeCentsMonth": 1_200_050, "applyTermMonths": 12});
        said.as_object_mut().unwrap().extend(AS_SAID.iter().map(|field| ((*field).to_owned(), json!("x"))));
        let told = told(&person, "U1", "上海", "PS1", true, said.as_object().unwrap());
        assert_eq!(told.keys().copied().collect::<Vec<_>>(), FIELDS);
        assert_eq!((&told["applyAmount"], &told["income"], &told["applyTerm"]), (&json!(50_000), &json!(12_000), &json!(12)));
    }
}
