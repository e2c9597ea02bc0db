//! An applicant as it is sent to organisations: the fields under the platform's names.

use serde_json::{Map, Value};

use base::crypto;
use frame::places;
use trade::org::message::{Applicant, TEST};
use trade::user::RevealedUser;

/// Fields that are sent as the applicant gave them.
const AS_SAID: &[&str] = &[
    "age",
    "car",
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
/// Fields that are stored in fen and sent in yuan, and fields with another name in a delivery: first the name in the
/// delivery, then the name of the applicant's field.
const IN_YUAN: &[(&str, &str)] = &[("applyAmount", "applyAmountCents"), ("income", "incomeCentsMonth")];
const RENAMED: &[(&str, &str)] = &[("applyTerm", "applyTermMonths")];

/// The identity and the answers of the applicant, the number of the lead, and whether it is a test lead.
pub fn fields_sent(
    person: &RevealedUser,
    user_no: &str,
    province: &str,
    lead_no: &str,
    test: bool,
    said: &Map<String, Value>,
) -> Applicant {
    let mut sent = Applicant::from([
        ("leadNo", Value::from(lead_no)),
        ("name", Value::from(person.name.as_str())),
        ("phone", Value::from(person.phone.as_str())),
        ("phoneMd5", Value::from(crypto::md5_hex(&person.phone))),
        (TEST, Value::from(test)),
        ("userNo", Value::from(user_no)),
    ]);
    if let Some(id_no) = &person.id_no {
        sent.insert("idNo", Value::from(id_no.as_str()));
    }
    if !province.is_empty() {
        sent.insert("province", Value::from(places::sent_name(province)));
    }
    if let Some(city) = said.get("city").and_then(Value::as_str) {
        sent.insert("city", Value::from(places::sent_name(city)));
    }
    sent.extend(AS_SAID.iter().filter_map(|field| Some((*field, said.get(*field)?.clone()))));
    sent.extend(RENAMED.iter().filter_map(|(name, field)| Some((*name, said.get(*field)?.clone()))));
    sent.extend(IN_YUAN.iter().filter_map(|(name, field)| Some((*name, Value::from(said.get(*field)?.as_i64()? / 100)))));
    sent
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use trade::org::delivery::FIELDS;

    #[test]
    fn each_field_that_can_be_sent_is_sent() {
        let person =
            RevealedUser { phone: "10000030001".into(), name: "张三".into(), id_no: Some("11010519491231002X".into()), device_id: None };
        let mut said = json!({"applyAmountCents": 5_000_000, "incomeCentsMonth": 1_200_050, "applyTermMonths": 12});
        said.as_object_mut().unwrap().extend(AS_SAID.iter().map(|field| ((*field).to_owned(), json!("x"))));
        said["city"] = json!("310100");
        let sent = fields_sent(&person, "U1", "310000", "PS1", true, said.as_object().unwrap());
        assert_eq!(sent.keys().copied().collect::<Vec<_>>(), FIELDS);
        assert_eq!((&sent["province"], &sent["city"]), (&json!("上海市"), &json!("上海市")));
        assert_eq!((&sent["applyAmount"], &sent["income"], &sent["applyTerm"]), (&json!(50_000), &json!(12_000), &json!(12)));
    }
}
