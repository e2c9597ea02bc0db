//! An applicant's form, as channels send it and staff enter it: its shape and its rules.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agreement::Named;
use crate::blacklist::BlacklistKind;
use base::canonical;
use base::clock::{self, DAY, MINUTE};
use base::crypto::{self, Column, Keys, place};
use base::form_limits;
use base::mask;
use frame::api::check::present;
use frame::api::input::null_is_default;
use frame::api::{ApiError, Check, Result, Say, say};
use frame::places;
use frame::terms::applicant::{Fact, Facts, facts_said, in_one_form, past_field};
use frame::terms::choices::Choices;

/// A consent may be given at most so many days ago.
const CONSENT_DAYS: i64 = 30;
/// The stated age may differ by so many years from the age by the ID number: people round, or state the age of their
/// next birthday.
const AGE_TOLERANCE: i64 = 1;

form_limits! {
    /// Of an applicant.
    user {
        /// Organisations that an agreement names, at most.
        MOST_RECIPIENTS: usize = 50,
        NAME: usize = 32,
    }
}

/// The consent of an applicant.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ConsentForm {
    /// The agreement's code and version, 1 to 32 characters each.
    pub agreement: String,
    pub version: String,
    /// SHA-256 of the text that the applicant read, in hex: the digest in the register. `/open/user` requires it.
    pub text_hash: Option<String>,
    /// Codes of the organisations that the consent names.
    #[serde(default, deserialize_with = "null_is_default")]
    pub recipients: Vec<String>,
    /// The consent names the class of all partners instead.
    #[serde(default, deserialize_with = "null_is_default")]
    pub all_partners: bool,
    /// Epoch milliseconds, not more than 30 days ago; absent for now.
    pub granted_at: Option<i64>,
}

impl ConsentForm {
    /// The agreement that it names; a consent without a moment is given now.
    pub fn named(&self, now: i64) -> Named<'_> {
        let granted_at = self.granted_at.unwrap_or(now);
        Named { code: &self.agreement, edition: &self.version, digest: self.text_hash.as_deref(), granted_at }
    }
}

/// An application.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct UserForm {
    /// 11 digits.
    pub phone: String,
    pub name: String,
    /// 18 characters, with its check digit.
    pub id_no: Option<String>,
    #[serde(default, deserialize_with = "null_is_default")]
    pub province: String,
    /// The product that was chosen, by its code.
    pub product: Option<String>,
    /// The applicant's address and browser; for an entry by staff, those of the member of staff.
    pub ip: Option<String>,
    pub user_agent: Option<String>,
    /// The caller's fingerprint of the applicant's device: 6 to 128 visible ASCII characters without spaces. It is
    /// compared with the blacklist as it is written; capitals count.
    pub device_id: Option<String>,
    /// Where the applicant came from.
    pub source_url: Option<String>,
    pub consent: Option<ConsentForm>,
    /// Other answers, by the names of an applicant's fields: `age`, `city`, `house`…
    #[serde(default, deserialize_with = "null_is_default")]
    #[ts(type = "Record<string, string | number | boolean | null>")]
    pub applicant: Map<String, Value>,
}

/// A valid application.
#[derive(Clone)]
pub struct Application {
    pub form: UserForm,
    pub facts: Facts,
}

impl Application {
    /// Reads a form: trims blanks, checks every field and reports all errors at once. The choices are those offered
    /// now.
    pub fn read(mut form: UserForm, choices: &Choices, now: i64) -> Result<Application> {
        form.phone = canonical::phone_or_text(&form.phone);
        form.name = canonical::name(&form.name).unwrap_or(form.name);
        form.province = places::province_or_text(&form.province);
        form.id_no = present(form.id_no).map(|number| canonical::id_no_or_text(&number));
        if let Some(consent) = &mut form.consent {
            consent.text_hash = present(consent.text_hash.take()).map(|hash| canonical::trimmed(&hash).to_ascii_lowercase());
            for text in [&mut consent.agreement, &mut consent.version] {
                *text = canonical::trimmed(text).to_owned();
            }
        }
        for text in [&mut form.product, &mut form.ip, &mut form.user_agent, &mut form.source_url] {
            *text = present(text.take());
        }
        let device = present(form.device_id.take());
        form.device_id = device.as_deref().and_then(|device| BlacklistKind::Device.canonical(device));
        form.applicant.retain(|_, value| !value.is_null());
        in_one_form(&mut form.applicant);
        let mut check = Check::new();
        check
            .phone("phone", &form.phone)
            .name("name", &form.name, 1..=NAME)
            .that("idNo", form.id_no.as_deref().is_none_or(crypto::is_id_no), say("不是有效的身份证号", "Not a valid ID number"))
            .that("province", form.province.is_empty() || places::province(&form.province).is_some(), no_province(&form.province))
            .text("product", form.product.as_deref().unwrap_or_default(), 0..=64)
            .that("ip", form.ip.as_deref().is_none_or(|ip| ip.parse::<IpAddr>().is_ok()), say("不是 IP 地址", "Not an IP address"))
            .text("userAgent", form.user_agent.as_deref().unwrap_or_default(), 0..=1000)
            .that("deviceId", device.is_none() || form.device_id.is_some(), BlacklistKind::Device.wanted())
            .address("sourceUrl", form.source_url.as_deref());
        if let Some(consent) = &form.consent {
            agreed(&mut check, consent, now);
        }
        check.that("applicant", past_field(&form.applicant).is_none(), not_to_say());
        let facts = match facts_said(&form.applicant, choices) {
            Ok(facts) => facts,
            Err(wrong) => {
                for (field, message) in wrong {
                    check.that(&format!("applicant.{field}"), false, message);
                }
                Facts::new()
            }
        };
        let mut application = Application { form, facts };
        if let Some(province) = application.text("city").map(places::province_of).filter(|province| !province.is_empty()) {
            application.form.province = province.to_owned();
        }
        if let (Some(said), Some(by_id_no)) =
            (application.number("age"), application.form.id_no.as_deref().and_then(|id_no| age(id_no, now)))
        {
            check.that("applicant.age", (said - by_id_no).abs() <= AGE_TOLERANCE, wrong_age());
        }
        check.done()?;
        Ok(application)
    }

    /// Two applications with the same hash are the same.
    pub fn hash(&self) -> String {
        let UserForm { phone, name, id_no, product, applicant, .. } = &self.form;
        // With the name of the city, as in hashes of versions without city codes: an application from that time is
        // recognised when it comes again.
        let mut applicant = applicant.clone();
        if let Some(Value::String(city)) = applicant.get_mut("city") {
            *city = places::sent_name(city);
        }
        crypto::sha256_hex(serde_json::json!([phone, name, id_no, product, applicant]).to_string().as_bytes())
    }

    /// The text of a field, if it has one.
    pub fn text(&self, field: &str) -> Option<&str> {
        match self.facts.get(field) {
            Some(Fact::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The number of a field, if it has one.
    pub fn number(&self, field: &str) -> Option<i64> {
        match self.facts.get(field) {
            Some(Fact::Number(number)) => Some(*number),
            _ => None,
        }
    }
}

/// What can be edited of an applicant: all data of an application except the phone, the ID number and the channel.
#[derive(Clone, Debug, PartialEq, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct SaidForm {
    /// 1 to 32 characters; absent to keep the name.
    pub name: Option<String>,
    #[serde(default, deserialize_with = "null_is_default")]
    pub province: String,
    /// The answers, by the names of an applicant's fields; a field that is absent or null has no answer.
    #[serde(default, deserialize_with = "null_is_default")]
    #[ts(type = "Record<string, string | number | boolean | null>")]
    pub applicant: Map<String, Value>,
}

impl SaidForm {
    /// Reads a form that edits an applicant's answers: trims blanks and checks every field. A stored choice that is
    /// no longer offered may stay. The ID number, if known, is compared with the age.
    pub fn read(mut self, choices: &Choices, before: &Map<String, Value>, id_no: Option<&str>, now: i64) -> Result<SaidForm> {
        self.name = present(self.name.take()).map(|name| canonical::name(&name).unwrap_or(name));
        self.province = places::province_or_text(&self.province);
        self.applicant.retain(|_, value| !value.is_null());
        in_one_form(&mut self.applicant);
        // A known city determines the province.
        let city = self.applicant.get("city").and_then(Value::as_str).unwrap_or_default();
        if let Some(province) = Some(places::province_of(city)).filter(|province| !province.is_empty()) {
            self.province = province.to_owned();
        }
        let mut check = Check::new();
        if let Some(name) = &self.name {
            check.name("name", name, 1..=NAME);
        }
        check.that("province", self.province.is_empty() || places::province(&self.province).is_some(), no_province(&self.province));
        check.that("applicant", past_field(&self.applicant).is_none(), not_to_say());
        let changed = self.applicant.iter().filter(|(field, value)| before.get(*field) != Some(*value));
        let changed: Map<String, Value> = changed.map(|(field, value)| (field.clone(), value.clone())).collect();
        for (field, message) in facts_said(&changed, choices).err().into_iter().flatten() {
            check.that(&format!("applicant.{field}"), false, message);
        }
        let said_age = changed.get("age").and_then(Value::as_i64);
        if let (Some(said), Some(by_id_no)) = (said_age, id_no.and_then(|id_no| age(id_no, now))) {
            check.that("applicant.age", (said - by_id_no).abs() <= AGE_TOLERANCE, wrong_age());
        }
        check.done()?;
        Ok(self)
    }
}

/// The error of an age that contradicts the ID number.
fn wrong_age() -> Say {
    say("与身份证号中的出生日期不符，请核对年龄和身份证号", "Contradicts the date of birth in the ID number: check both")
}

/// The age in whole years by a valid ID number, on the day of a time in Shanghai; none for another text.
fn age(id_no: &str, now: i64) -> Option<i64> {
    let born = crypto::is_id_no(id_no).then(|| [6..10, 10..12, 12..14].map(|part| id_no[part].parse::<i64>().ok()))?;
    let [Some(year), Some(month), Some(day)] = born else { return None };
    let today = clock::day(now);
    let birthday_is_over = (i64::from(today.month()), i64::from(today.day())) >= (month, day);
    Some(i64::from(today.year()) - year - i64::from(!birthday_is_over))
}

fn agreed(check: &mut Check, consent: &ConsentForm, now: i64) {
    let is_hash = |hash: &str| hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = consent.text_hash.as_deref().is_none_or(is_hash);
    let at = consent.granted_at.unwrap_or(now);
    check
        .text("consent.agreement", &consent.agreement, 1..=32)
        .text("consent.version", &consent.version, 1..=32)
        .that(
            "consent.textHash",
            hash,
            say(
                "请填写授权书文本的 SHA-256 值：64 位，只含数字和字母 a 到 f",
                "Enter the SHA-256 of the agreement's text: 64 characters, digits and letters a to f only",
            ),
        )
        .that(
            "consent.recipients",
            consent.recipients.len() <= MOST_RECIPIENTS,
            say(format!("最多 {MOST_RECIPIENTS} 家"), format!("At most {MOST_RECIPIENTS}")),
        )
        .that(
            "consent.recipients",
            consent.all_partners || !consent.recipients.is_empty(),
            say("授权书须写明接收机构或机构类别", "An agreement must name the receiving organisations or their category"),
        )
        .that(
            "consent.grantedAt",
            (now - CONSENT_DAYS * DAY..=now + 5 * MINUTE).contains(&at),
            say(format!("只能是最近 {CONSENT_DAYS} 天内"), format!("Must be within the last {CONSENT_DAYS} days")),
        );
}

/// The stored identity of a person: sealed values, hashes for the search, and masks.
pub struct Sealed {
    pub phone_enc: String,
    pub phone_hash: String,
    pub phone_md5_hash: String,
    pub phone_mask: String,
    pub name_enc: String,
    pub name_mask: String,
    pub id_no_enc: Option<String>,
    pub id_no_hash: Option<String>,
    pub id_no_mask: Option<String>,
    pub device_enc: Option<String>,
    pub device_hash: Option<String>,
    /// Where the applicant came from, and where the consent was given.
    pub ip_enc: Option<String>,
    pub consent_ip_enc: Option<String>,
}

impl Sealed {
    /// Seals the identity in a form, for the applicant of this number.
    pub fn of(keys: &Keys, no: &str, form: &UserForm) -> Sealed {
        let seal = |column: Column, text: &str| keys.seal(&column.of(no), text);
        let (id_no, device) = (form.id_no.as_deref(), form.device_id.as_deref());
        Sealed {
            phone_enc: seal(place::APPLICANT_PHONE, &form.phone),
            phone_hash: keys.lookup_hash(&form.phone),
            phone_md5_hash: keys.lookup_hash(&crypto::md5_hex(&form.phone)),
            phone_mask: mask::phone(&form.phone),
            name_enc: seal(place::APPLICANT_NAME, &form.name),
            name_mask: mask::name(&form.name),
            id_no_enc: id_no.map(|number| seal(place::APPLICANT_ID_NO, number)),
            id_no_hash: id_no.map(|number| keys.lookup_hash(number)),
            id_no_mask: id_no.map(mask::id_no),
            device_enc: device.map(|device| seal(place::APPLICANT_DEVICE, device)),
            device_hash: device.map(|device| keys.lookup_hash(device)),
            ip_enc: form.ip.as_deref().map(|ip| seal(place::APPLICANT_ADDRESS, ip)),
            consent_ip_enc: form.ip.as_deref().map(|ip| seal(place::CONSENT_ADDRESS, ip)),
        }
    }
}

/// The error of stars and scores that are sent with an applicant.
pub fn not_to_say() -> Say {
    say("历史星级和风险评分由系统给出", "Past stars and risk scores are set by the system")
}

/// The error of a text that names no province.
fn no_province(text: &str) -> Say {
    let text: String = text.chars().take(places::LONGEST).collect();
    say(format!("没有“{text}”这个省份"), format!("There is no province “{text}”"))
}

/// The error of a field that only the database can check.
pub fn wrong_product(code: &str) -> ApiError {
    ApiError::field("product", say(format!("没有产品 {code}"), format!("Product {code} does not exist")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use base::clock::day_start;

    fn form(changes: Value) -> UserForm {
        let mut form = json!({"phone": " 10000030001 ", "name": " 张三 ", "applicant": {"age": 30, "city": "上海市", "house": null}});
        form.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        serde_json::from_value(form).unwrap()
    }

    fn wrong(changes: Value) -> Vec<String> {
        match Application::read(form(changes), &Choices::default(), day_start("2026-03-01").unwrap()) {
            Err(ApiError::Fields(fields)) => fields.into_iter().map(|(name, _)| name).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_city_is_the_same_in_the_hash_however_it_is_written() {
        let hash = |city: &str| Application::read(form(json!({"applicant": {"city": city}})), &Choices::default(), 0).unwrap().hash();
        assert_eq!([hash("上海"), hash("310100")], [hash("上海市"), hash("上海市")]);
        assert_ne!(hash("上海"), hash("杭州"));
        // As it was in versions without city codes.
        let before = json!(["10000030001", "张三", null, null, {"city": "上海市"}]).to_string();
        assert_eq!(hash("310100"), crypto::sha256_hex(before.as_bytes()));
    }

    #[test]
    fn a_form_is_tidied() {
        let born_on_time = day_start("1979-12-30").unwrap();
        let read = Application::read(form(json!({"idNo": "11010519491231002x", "ip": ""})), &Choices::default(), born_on_time).unwrap();
        assert_eq!((read.form.phone.as_str(), read.form.name.as_str()), ("10000030001", "张三"));
        assert_eq!((read.form.id_no.as_deref(), read.form.ip.as_deref()), (Some("11010519491231002X"), None));
        let with_device = Application::read(form(json!({"deviceId": " A1b2-C3d4\u{200b}"})), &Choices::default(), born_on_time).unwrap();
        assert_eq!(with_device.form.device_id.as_deref(), Some("A1b2-C3d4"));
        let written = json!({"phone": "+86 100-0003 0001", "name": "\u{feff}张三", "province": null, "idNo": "110105 19491231 002x"});
        let again = Application::read(form(written), &Choices::default(), born_on_time).unwrap();
        assert_eq!(
            (again.form.phone, again.form.name, again.form.id_no),
            (read.form.phone.clone(), read.form.name.clone(), read.form.id_no.clone())
        );
        assert_eq!(wrong(json!({"name": "张\u{200b}三"})), ["name"]);
        for age in [json!("３０"), json!("30.0"), json!(" 30\u{200b}")] {
            let read = Application::read(form(json!({"applicant": {"age": age}})), &Choices::default(), born_on_time).unwrap();
            assert_eq!(read.number("age"), Some(30), "{age}");
        }
        let consent = json!({"agreement": "A", "version": "1", "textHash": "AB".repeat(32), "allPartners": true});
        let read_with = Application::read(form(json!({ "consent": consent })), &Choices::default(), born_on_time).unwrap();
        assert_eq!(read_with.form.consent.unwrap().text_hash, Some("ab".repeat(32)));
        assert_eq!((read.number("age"), read.text("city"), read.facts.get("house")), (Some(30), Some("310100"), None));
    }

    #[test]
    fn everything_wrong_is_named() {
        let consent = |changes: Value| {
            let mut consent = json!({"agreement": "A", "version": "1", "textHash": "a".repeat(64), "allPartners": true});
            consent.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            json!({ "consent": consent })
        };
        for (changes, fields) in [
            (json!({"phone": "1000003000"}), vec!["phone"]),
            (json!({"name": " "}), vec!["name"]),
            (json!({"idNo": "110105194912310021"}), vec!["idNo"]),
            (json!({"idNo": "11010519490231002X"}), vec!["idNo"]),
            (json!({"deviceId": "a1b2c"}), vec!["deviceId"]),
            (json!({"deviceId": "a1b2 c3d4"}), vec!["deviceId"]),
            (json!({"deviceId": "x".repeat(129)}), vec!["deviceId"]),
            (json!({"deviceId": " "}), vec![]),
            (json!({"ip": "x", "sourceUrl": "javascript:1"}), vec!["ip", "sourceUrl"]),
            (json!({"applicant": {"age": 17, "x": 1}}), vec!["applicant.age", "applicant.x"]),
            (json!({"applicant": {"star": 3}}), vec!["applicant"]),
            (consent(json!({"textHash": "g".repeat(64)})), vec!["consent.textHash"]),
            (consent(json!({"allPartners": false})), vec!["consent.recipients"]),
            (consent(json!({"grantedAt": 0})), vec!["consent.grantedAt"]),
            (consent(json!({"grantedAt": day_start("2026-03-02").unwrap()})), vec!["consent.grantedAt"]),
            (consent(json!({})), vec![]),
        ] {
            assert_eq!(wrong(changes.clone()), fields, "{changes}");
        }
    }

    #[test]
    fn an_age_fits_the_birthday_in_the_id_number() {
        let fits = |day: &str, said: i64| {
            let form = form(json!({"idNo": "11010519491231002X", "applicant": {"age": said}}));
            Application::read(form, &Choices::default(), day_start(day).unwrap()).is_ok()
        };
        // Born on the last day of 1949: 30 on that day of 1979 in Shanghai, and 29 on the day before.
        for (day, said, right) in [
            ("1979-12-31", 31, true),
            ("1979-12-31", 29, true),
            ("1979-12-31", 28, false),
            ("1979-12-31", 32, false),
            ("1979-12-30", 30, true),
            ("1979-12-30", 31, false),
            ("1979-12-30", 28, true),
        ] {
            assert_eq!(fits(day, said), right, "{day}: {said}");
        }
        let now = day_start("2026-03-01").unwrap();
        assert_eq!(wrong(json!({"idNo": "11010519491231002X"})), ["applicant.age"]);
        assert!(
            Application::read(form(json!({"idNo": "11010519491231002X", "applicant": {"city": "杭州"}})), &Choices::default(), now).is_ok(),
            "no age is said"
        );
        assert_eq!(age("110105194912310021", now), None, "its check digit is wrong");
    }

    #[test]
    fn the_same_application_has_the_same_hash() {
        let hash = |changes| Application::read(form(changes), &Choices::default(), 0).unwrap().hash();
        assert_eq!(hash(json!({})), hash(json!({"ip": "203.0.113.9"})), "wherever it comes from");
        assert_ne!(hash(json!({})), hash(json!({"name": "李四"})));
    }
}
