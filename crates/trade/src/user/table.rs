//! Import of applicants from a table: the columns, the rules of a line, and the intake, which is the same as for
//! single applicants.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::batch;
use super::form::{Application, ConsentForm, UserForm};
use super::list::TARGET;
use super::store;
use super::submission::{PreparedSubmission, Submission, not_given};
use crate::agreement::Register;
use crate::agreement::{self, Held};
use crate::channel;
use crate::org;
use crate::product;
use base::crypto;
use base::db::{Db, Tx};
use base::locale::Locale::{self, Chinese, English};
use frame::access::audit::{Stamp, Target};
use frame::api::calls::Download;
use frame::api::{ApiError, App, Ctx, FileForm, Nothing, Result, Say, say};
use frame::dict::ChoiceBook;
use frame::import::cell::{self, Moment};
use frame::import::{self, Column, ImportFields, ImportReport, Importing, Line, required, title};
use frame::places;
use frame::terms::applicant::{Field, Kind, missing};
use frame::terms::choices::Choices;

/// The prefix of request numbers of imported lines.
const IMPORTED: &str = "import:";
/// Digits of a line's hash in its request number.
const HASH_LENGTH: usize = 40;
/// The values for the class of all partners, in the column of recipients.
const ALL_PARTNERS: &[&str] = &["全部合作机构", "All our partners", "all"];

/// The data with which lines are read.
struct Entrants {
    app: Arc<App>,
    /// Channels for which the viewer may enter applicants.
    channels: HashMap<String, i64>,
    /// The fields that each channel requires.
    required: HashMap<i64, Vec<String>>,
    products: HashSet<String>,
    orgs: HashMap<String, i64>,
    agreements: Arc<Vec<Held>>,
    choices: Arc<Choices>,
    now: i64,
}

/// The applicant of a line.
struct Entrant {
    channel_id: i64,
    /// The same line has the same number in each import.
    request_id: String,
    application: Application,
}

impl Entrants {
    async fn open(cx: &Ctx) -> Result<Entrants> {
        let on = cx.db().read();
        Ok(Entrants {
            app: cx.app.clone(),
            channels: channel::codes(on, cx.viewer()?.scope()).await?,
            required: channel::required_fields(on).await?,
            products: product::codes(on).await?,
            orgs: org::codes(on).await?,
            agreements: cx.app.service::<Register>().current(cx.db()).await?,
            choices: cx.app.service::<ChoiceBook>().current(cx.db()).await?,
            now: cx.now,
        })
    }

    /// The consent; a line without it is wrong.
    fn consent(&self, line: &Line<'_>, wrong: &mut Wrong) -> ConsentForm {
        let granted_at = match cell::moment(line.text("grantedAt")) {
            Some(Moment::Day(at) | Moment::At(at)) => Some(at),
            None => None,
        };
        if granted_at.is_none() {
            wrong.add("grantedAt", say("请按 2030-12-31 或 2030-12-31 18:00 填写", "Use the form 2030-12-31 or 2030-12-31 18:00"));
        }
        let named = line.text("recipients");
        let all_partners = ALL_PARTNERS.iter().any(|all| all.eq_ignore_ascii_case(named));
        let recipients: Vec<String> = match all_partners {
            true => Vec::new(),
            false => named.split([',', '，', '、', ';', '；', ' ', '\n']).filter(|code| !code.is_empty()).map(str::to_owned).collect(),
        };
        if let Some(code) = recipients.iter().find(|code| !self.orgs.contains_key(*code)) {
            wrong.add("recipients", say(format!("没有机构 {code}"), format!("Organisation {code} does not exist")));
        }
        ConsentForm {
            agreement: line.text("agreement").to_owned(),
            version: line.text("version").to_owned(),
            text_hash: Some(line.text("textHash").to_owned()),
            recipients,
            all_partners,
            granted_at: granted_at.or(Some(self.now)),
        }
    }
}

/// The errors of a line, by column.
#[derive(Default)]
struct Wrong(Vec<(String, Say)>);

impl Wrong {
    fn add(&mut self, column: &str, message: Say) {
        // One error for each cell is enough.
        if !self.0.iter().any(|(known, _)| known == column) {
            self.0.push((column.to_owned(), message));
        }
    }
}

impl Importing for Entrants {
    type Row = Entrant;
    type Place = (i64, String);
    const TARGET: Target = TARGET;
    const MOST_LINES: usize = 10_000;
    // Applicants in one transaction: few enough not to delay others for long.
    const BATCH: usize = 50;

    fn title() -> Say {
        say("用户", "Users")
    }

    fn columns() -> Vec<Column> {
        let mut columns = vec![
            required("channel", "渠道编码", "Channel code"),
            required("phone", "手机号", "Phone"),
            required("name", "姓名", "Name"),
            required("agreement", "授权书编码", "Agreement code"),
            required("version", "授权书版本", "Agreement version"),
            title("textHash", "授权书摘要", "Agreement hash").formerly("Hash of the agreement"),
            required("grantedAt", "授权时间", "Granted at").formerly("Granted"),
            required("recipients", "接收方", "Recipients"),
            title("idNo", "身份证号", "ID number").formerly("Identity number"),
            title("province", "省份", "Province"),
            title("product", "产品编码", "Product code"),
            title("ip", "IP", "IP"),
            title("deviceId", "设备标识", "Device ID"),
            title("sourceUrl", "来源页面", "Source page").formerly("Came from"),
        ];
        columns.extend(fields().map(|field| Column { key: &field.name, title: titled(field), former: None, required: false }));
        columns
    }

    fn read(&self, line: &Line<'_>) -> Result<Entrant> {
        let mut wrong = Wrong::default();
        let channel_id = self.channels.get(line.text("channel")).copied();
        if channel_id.is_none() {
            wrong.add("channel", say("没有这个编码的渠道", "There is no channel with this code"));
        }
        let code = line.text("product");
        if !code.is_empty() && !self.products.contains(code) {
            wrong.add("product", say("没有这个编码的产品", "There is no product with this code"));
        }
        let mut applicant = Map::new();
        for field in fields() {
            let text = line.text(&field.name);
            match value(field, text, &self.choices) {
                _ if text.is_empty() => {}
                Ok(value) => drop(applicant.insert(field.name.clone(), value)),
                Err(message) => wrong.add(&field.name, message),
            }
        }
        let given = |column: &str| Some(line.text(column).to_owned());
        let form = UserForm {
            phone: line.text("phone").to_owned(),
            name: line.text("name").to_owned(),
            id_no: given("idNo"),
            province: line.text("province").to_owned(),
            product: given("product"),
            ip: given("ip"),
            user_agent: None,
            device_id: given("deviceId"),
            source_url: given("sourceUrl"),
            consent: Some(self.consent(line, &mut wrong)),
            applicant,
        };
        let read = match Application::read(form, &self.choices, self.now) {
            Ok(application) => {
                let consent = application.form.consent.as_ref();
                if let Some(Err((field, message))) =
                    consent.map(|consent| agreement::named(self.agreements.iter(), &consent.named(self.now)))
                {
                    wrong.add(field, message);
                }
                let required = channel_id.and_then(|id| self.required.get(&id)).map(Vec::as_slice).unwrap_or_default();
                for field in missing(required, &application.facts) {
                    wrong.add(&field.name, not_given());
                }
                Some(application)
            }
            Err(ApiError::Fields(fields)) => {
                // `consent.textHash` is the column `textHash`.
                fields.into_iter().for_each(|(name, message)| wrong.add(name.rsplit('.').next().unwrap_or_default(), message));
                None
            }
            Err(other) => return Err(other),
        };
        match (channel_id, read) {
            (Some(channel_id), Some(application)) if wrong.0.is_empty() => {
                let request_id = self.number(&application);
                Ok(Entrant { channel_id, request_id, application })
            }
            _ => Err(ApiError::Fields(wrong.0)),
        }
    }

    fn place(row: &Entrant) -> (i64, String) {
        (row.channel_id, row.request_id.clone())
    }

    async fn held(&self, db: &Db, rows: &[Entrant]) -> std::result::Result<Vec<bool>, sqlx::Error> {
        let held = store::brought(db.read(), &rows.iter().map(Self::place).collect::<Vec<_>>()).await?;
        Ok(rows.iter().map(|row| held.contains(&Self::place(row))).collect())
    }

    async fn write(&self, tx: &mut Tx, rows: &[Entrant], stamp: Stamp) -> Result<usize> {
        let mut suppliers = HashMap::new();
        for row in rows {
            if let Entry::Vacant(place) = suppliers.entry(row.channel_id) {
                place.insert(channel::supplier(&mut **tx, row.channel_id).await?);
            }
        }
        let mut submissions = Vec::new();
        for row in rows {
            // A channel that was deleted since the line was read takes no applicants.
            let Some(channel) = suppliers.get(&row.channel_id).cloned().flatten() else { continue };
            let submission = Submission {
                channel,
                application: row.application.clone(),
                request_id: Some(row.request_id.clone()),
                visitor: None,
                entered_by: Some(stamp.admin_id),
                nonce: None,
                waits: true,
            };
            submissions.push(PreparedSubmission::of(&self.app, submission).await?);
        }
        let taken = batch::take(&self.app.db, tx, &self.app.clock, &submissions.iter().collect::<Vec<_>>()).await?;
        Ok(taken.iter().flatten().filter(|taken| taken.added).count())
    }
}

impl Entrants {
    /// The request number of a line: a hash of the person, the answers, and the consent with its time.
    fn number(&self, application: &Application) -> String {
        let consent = application.form.consent.as_ref();
        let agreed = consent.map(|consent| (&consent.agreement, &consent.version, consent.granted_at));
        let text = serde_json::json!([application.hash(), agreed]).to_string();
        // Keyed, so that the number does not reveal the person.
        let hash = self.app.keys.lookup_hash(&crypto::sha256_hex(text.as_bytes()));
        format!("{IMPORTED}{}", &hash[..HASH_LENGTH])
    }
}

/// The fields of an applicant's answers.
fn fields() -> impl Iterator<Item = &'static Field> {
    Field::all().iter().filter(|field| !field.past)
}

/// A field's title, with its unit.
fn titled(field: &Field) -> Say {
    let words = |locale: Locale| match &field.unit {
        Some(unit) => {
            format!("{}{}", field.title.get(locale), locale.pick(format!("（{}）", unit.get(locale)), format!(" ({})", unit.get(locale))))
        }
        None => field.title.get(locale).to_owned(),
    };
    let english = words(English);
    let mut letters = english.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    say(words(Chinese), first + letters.as_str())
}

/// The value of a cell for a field; otherwise an error with the expected form.
fn value(field: &Field, text: &str, choices: &Choices) -> std::result::Result<Value, Say> {
    match field.kind {
        Kind::City => {
            let code = places::code_or_text(text);
            places::wrong(&code).map_or(Ok(code.into()), Err)
        }
        Kind::Choice => {
            let offered = choices.offered(field);
            let names = |index: usize| {
                let choice = &offered[index];
                [choice.label_zh.clone(), choice.label_en.clone(), choice.code.clone()]
            };
            cell::coded(0..offered.len(), text, names).map(|index| offered[index].code.clone().into())
        }
        Kind::Flag => cell::flag(text).map(Value::from).ok_or_else(|| say("应为：是、否", "Enter yes or no")),
        Kind::Number if field.money => cell::money(text).map(Value::from),
        Kind::Number => cell::integer(text).map(Value::from),
    }
}

/// `POST /user/import`: a table of applicants, as a trial or for real.
pub async fn import(cx: Arc<Ctx>, form: FileForm<ImportFields>) -> Result<ImportReport> {
    let entrants = Entrants::open(&cx).await?;
    import::run(cx, form, entrants).await
}

/// `GET /user/template`: an empty table with the columns of an import.
pub async fn template(cx: Arc<Ctx>, _: Nothing) -> Result<Download> {
    import::template::<Entrants>(&cx)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_have_titles_of_their_own() {
        let mut seen = HashMap::new();
        for column in Entrants::columns() {
            for name in [column.key, column.title.get(Chinese), column.title.get(English)] {
                let known = *seen.entry(name.to_lowercase()).or_insert(column.key);
                assert_eq!(known, column.key, "{name} names two columns");
            }
        }
    }

    #[test]
    fn cells_are_read_by_the_kind_of_their_field() {
        let read = |field: &str, text: &str| {
            value(Field::find(field).unwrap(), text, &Choices::default()).map_err(|wrong| wrong.get(English).to_owned())
        };
        assert_eq!(read("applyAmountCents", "50,000.5"), Ok(json!(5_000_050)));
        assert_eq!(read("applyTermMonths", "12"), Ok(json!(12)));
        for written in ["３６", "36.0", " 36 ", "36\u{200b}"] {
            assert_eq!(read("applyTermMonths", written), Ok(json!(36)), "{written:?}");
        }
        for field in ["applyTermMonths", "applyAmountCents"] {
            assert_eq!(read(field, "5万"), Err("Write the number out, without a unit such as 万".to_owned()));
        }
        assert_eq!(read("creditCard", "是"), Ok(json!(true)));
        assert_eq!(read("city", "上海"), Ok(json!("310100")));
        assert!(read("city", "某地").is_err());
        assert_eq!(read("sex", "女"), Ok(json!("female")));
        assert_eq!(read("sex", "FEMALE"), Ok(json!("female")));
        assert_eq!(read("applyTermMonths", "a year"), Err("Enter a whole number".to_owned()));
        assert_eq!(read("applyAmountCents", "much"), Err("Enter an amount with at most two decimals".to_owned()));
        assert!(read("sex", "?").unwrap_err().starts_with("Must be one of: "));
    }
}
