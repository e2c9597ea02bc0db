//! The products that a channel's visitors may choose from: `POST /open/products` for the channel's server, and a plain page,
//! `GET /v/{channel}/products`, with their logos, `GET /p/{product}/logo`.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::link::{Fault, Guest, gone, is_code, open_channel, plain};
use super::person::{self, Person};
use super::seen::VisitContext;
use super::{partner, uv};
use base::canonical;
use base::locale::Locale;
use base::sentence_page::nonce;
use frame::api::ctx::RequestInfo;
use frame::api::error::Refusal;
use frame::api::input::null_is_default;
use frame::api::{ApiError, App, Check, Ctx, Result, Signed};
use frame::dict::ChoiceBook;
use frame::terms::applicant::{Facts, facts_of, facts_said, in_one_form, past_field, wrong_cities};
use frame::{setting, upload};
use trade::plan;
use trade::product::{self, ApplyMode, ProductCategory, ProductRow};
use trade::user::form::not_to_say;
use trade::visit::Recorder;
use trade::visit::{Outcome, Seen};

/// The applicant or visitor of a request for products.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProductQuestion {
    /// The known fields of the applicant, by their names: `age`, `city`, `house`… An unknown field meets no condition
    /// of a product.
    #[serde(default, deserialize_with = "null_is_default")]
    applicant: Map<String, Value>,
    /// The visitor who sees the products: each product of the answer counts as shown to the visitor, at its position.
    /// Absent: none counts.
    shown_to: Option<ShownTo>,
}

/// A visitor who sees products, with the same names as in `POST /open/uv`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShownTo {
    /// The caller's own name for the visitor, at most 128 characters.
    visitor: String,
    /// The visitor's address.
    ip: String,
    /// The visitor's browser, at most 1000 characters. If it is empty or a robot's, nothing counts as shown.
    user_agent: String,
}

/// The products that are shown now and fit, in order.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OfferedProducts {
    products: Vec<OfferedProduct>,
}

/// A product as applicants read it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedProduct {
    pub code: String,
    pub name: String,
    /// The lender.
    pub lender_name: String,
    pub category: ProductCategory,
    pub apply_mode: ApplyMode,
    pub min_amount_cents: i64,
    pub max_amount_cents: i64,
    pub min_term_months: i64,
    pub max_term_months: i64,
    /// Simple annual interest in basis points: 720 is 7.20 %.
    pub annual_rate_min_bp: i64,
    pub annual_rate_max_bp: i64,
    pub tags: Vec<String>,
    /// The requirements on applicants.
    pub requirements: String,
    /// The path of its logo on this server; none if it has none.
    pub logo: Option<String>,
    /// The path of its tracking link on this server, which counts the channel's visitors; none for a product whose
    /// applications come by `POST /api/open/user`.
    pub link: Option<String>,
}

/// `POST /open/products`.
pub async fn offer(cx: Arc<Ctx>, call: Signed<ProductQuestion>) -> Result<OfferedProducts> {
    let (channel, mut question, nonce) = partner::channel(&cx, call).await?;
    in_one_form(&mut question.applicant);
    Check::new().that("applicant", past_field(&question.applicant).is_none(), not_to_say()).done()?;
    let facts = facts_said(&question.applicant, &*cx.app.service::<ChoiceBook>().current(cx.db()).await?)
        .map_err(|wrong| ApiError::Fields(wrong).below("applicant"))?;
    if let Some(ShownTo { visitor, ip, user_agent }) = &question.shown_to {
        let mut check = Check::new();
        uv::visitor(&mut check, visitor, ip, user_agent);
        check.done().map_err(|wrong| wrong.below("shownTo"))?;
    }
    let products = product::offered(cx.db(), &facts, channel.test, cx.now).await?;
    let seen = match question.shown_to.filter(|to| !person::is_robot(&to.user_agent)) {
        Some(to) => {
            let most = cx.setting(&setting::VISIT_ADDRESS_VISITORS).await?;
            let device = person::device_of_channel(channel.id, &to.visitor);
            let person = Person::new(&cx.app.keys, &device, &to.ip, &to.user_agent, most);
            let visit = VisitContext { channel: Some(&channel), person: &person, at: cx.now };
            listed(&cx.app, &visit, &products).await?
        }
        None => Vec::new(),
    };
    // The exposures are recorded together with the nonce, or neither is.
    match cx.app.service::<Recorder>().record(Some(nonce), seen).await {
        Ok(Outcome::Written) => {}
        Ok(Outcome::Used) => return Err(ApiError::Signed(Refusal::Nonce)),
        Err(_) => return Err(ApiError::Busy),
    }
    Ok(OfferedProducts { products: products.into_iter().map(|product| offered(product, &channel.code)).collect() })
}

/// The exposures of products shown to a visitor, in order.
async fn listed(app: &App, visit: &VisitContext<'_>, products: &[ProductRow]) -> std::result::Result<Vec<Seen>, sqlx::Error> {
    let ids: Vec<i64> = products.iter().map(|product| product.id).collect();
    let plans = plan::running_of(app.db.read(), &ids).await?;
    Ok((1..).zip(products).flat_map(|(place, product)| visit.listed(product, &plans, place)).collect())
}

fn offered(product: ProductRow, channel: &str) -> OfferedProduct {
    OfferedProduct {
        logo: product.logo_file_id.map(|_| format!("/p/{}/logo", product.code)),
        link: product.apply_mode.leads_away().then(|| format!("/p/{}?c={channel}", product.code)),
        code: product.code,
        name: product.name,
        lender_name: product.lender_name,
        category: product.category,
        apply_mode: product.apply_mode,
        min_amount_cents: product.min_amount_cents,
        max_amount_cents: product.max_amount_cents,
        min_term_months: product.min_term_months,
        max_term_months: product.max_term_months,
        annual_rate_min_bp: product.annual_rate_min_bp,
        annual_rate_max_bp: product.annual_rate_max_bp,
        tags: product.tags,
        requirements: product.requirements,
    }
}

/// The fields of a visitor, as typed. Unreadable ones count as empty.
#[derive(Debug, Default)]
struct Said {
    city: String,
    age: String,
    amount: String,
    /// A field is repeated, so it counts as empty.
    is_repeated: bool,
}

impl Said {
    /// From the query of an address.
    fn of(query: &str) -> Said {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).unwrap_or_default();
        let mut said = Said::default();
        for (name, field) in [("city", &mut said.city), ("age", &mut said.age), ("amount", &mut said.amount)] {
            let mut values = pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value);
            match (values.next(), values.next()) {
                (Some(value), None) => field.clone_from(value),
                (Some(_), Some(_)) => said.is_repeated = true,
                (None, _) => {}
            }
        }
        said
    }

    /// The readable fields, and whether all typed fields are readable.
    fn facts(&self) -> (Facts, bool) {
        let (mut said, mut is_read) = (Map::new(), !self.is_repeated);
        let city = canonical::visible(&self.city);
        for (name, typed, value) in [
            ("city", &self.city, Some(json!(city.trim()))),
            ("age", &self.age, canonical::integer(&self.age).map(|age| json!(age))),
            ("applyAmountCents", &self.amount, canonical::amount(&self.amount).ok().map(|cents| json!(cents))),
        ] {
            if typed.trim().is_empty() {
                continue;
            }
            let alone = value
                .map(|value| Map::from_iter([(name.to_owned(), value)]))
                .filter(|alone| wrong_cities(alone).is_empty() && facts_of(alone).is_ok());
            is_read &= alone.is_some();
            said.extend(alone.unwrap_or_default());
        }
        (facts_of(&said).unwrap_or_default(), is_read)
    }
}

#[derive(Template)]
#[template(path = "products.html")]
struct ProductsPage<'p> {
    locale: &'static str,
    nonce: &'p str,
    words: Words,
    said: &'p Said,
    /// Whether all typed fields are readable.
    is_read: bool,
    products: Vec<Shown>,
}

/// A product as the page shows it.
struct Shown {
    name: String,
    lender_name: String,
    logo: Option<String>,
    link: String,
    amounts: String,
    terms: String,
    rates: String,
    tags: Vec<String>,
    requirements: String,
}

/// The words of the page.
struct Words {
    title: &'static str,
    intro: &'static str,
    city: &'static str,
    age: &'static str,
    amount: &'static str,
    search: &'static str,
    amounts: &'static str,
    terms: &'static str,
    rates: &'static str,
    lender: &'static str,
    requirements: &'static str,
    apply: &'static str,
    none: &'static str,
    unread: &'static str,
}

fn words(locale: Locale) -> Words {
    let pick = |chinese, english| locale.pick(chinese, english);
    Words {
        title: pick("贷款产品", "Loan products"),
        intro: pick("填写您的情况，可看到更多符合条件的产品。", "Tell us about yourself to see more products that fit."),
        city: pick("所在城市", "City"),
        age: pick("年龄", "Age"),
        amount: pick("需要金额（元）", "Amount needed (CNY)"),
        search: pick("查看产品", "Show products"),
        amounts: pick("额度", "Amount"),
        terms: pick("期限", "Term"),
        rates: pick("年化利率（单利）", "Annual rate (simple interest)"),
        lender: pick("放款机构", "Lender"),
        requirements: pick("申请条件", "Requirements"),
        apply: pick("去申请", "Apply"),
        unread: pick(
            "有内容无法识别，没有用于筛选：每项只能填写一个，城市应为中国城市的名称，年龄应为 18 到 80 的整数，金额应为数字。",
            "Part of this cannot be read and was left out: each field has one value, the city is the Chinese name of a city in China, age a whole number from 18 to 80, the amount a number.",
        ),
        none: pick("暂时没有符合条件的产品。", "No product fits at the moment."),
    }
}

/// Whole yuan with commas: `50,000`.
fn yuan(cents: i64) -> String {
    let digits = (cents / 100).to_string();
    let comma = |index: usize| index > 0 && (digits.len() - index).is_multiple_of(3);
    digits.char_indices().flat_map(|(index, digit)| comma(index).then_some(',').into_iter().chain([digit])).collect()
}

fn shown(product: ProductRow, channel: &str, locale: Locale) -> Option<Shown> {
    let range = |least: String, most: String| if least == most { least } else { format!("{least} – {most}") };
    let percent = |bp: i64| format!("{}.{:02}%", bp / 100, bp % 100);
    let offered = offered(product, channel);
    Some(Shown {
        link: offered.link?,
        amounts: range(yuan(offered.min_amount_cents), yuan(offered.max_amount_cents)) + locale.pick(" 元", " CNY"),
        terms: range(offered.min_term_months.to_string(), offered.max_term_months.to_string()) + locale.pick(" 个月", " months"),
        rates: match offered.annual_rate_max_bp {
            0 => String::new(),
            most => range(percent(offered.annual_rate_min_bp), percent(most)),
        },
        name: offered.name,
        lender_name: offered.lender_name,
        logo: offered.logo,
        tags: offered.tags,
        requirements: offered.requirements,
    })
}

/// `GET /v/{channel}/products?city=&age=&amount=`: the page. It needs no script.
pub async fn page(
    State(app): State<Arc<App>>,
    Path(code): Path<String>,
    info: axum::Extension<RequestInfo>,
    request: Request,
) -> Response<Body> {
    let said = Said::of(request.uri().query().unwrap_or_default());
    let guest = Guest::of(&app, request);
    let answer = async {
        let Some(channel) = open_channel(&app, &code).await? else { return Ok(gone()) };
        let (facts, is_read) = said.facts();
        let mut products = product::offered(&app.db, &facts, channel.test, guest.at).await?;
        // A product without an address cannot be applied for here.
        products.retain(|product| product.apply_mode.leads_away());
        let person = guest.person(&app, None).await?;
        let visit = VisitContext { channel: Some(&channel), person: &person, at: guest.at };
        guest.count(&app, listed(&app, &visit, &products).await?).await?;
        let nonce = nonce();
        let page = ProductsPage {
            locale: info.locale.tag(),
            nonce: &nonce,
            words: words(info.locale),
            said: &said,
            is_read,
            products: products.into_iter().filter_map(|product| shown(product, &channel.code, info.locale)).collect(),
        };
        let html = page.render().map_err(|error| {
            tracing::error!(%error, "a page of products was not written");
            Fault
        })?;
        let mut response = Response::new(Body::from(html));
        let policy = format!(
            "default-src 'none'; style-src 'nonce-{nonce}'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        );
        for (name, value) in [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(|_| Fault)?),
        ] {
            response.headers_mut().insert(name, value);
        }
        Ok(guest.remembered(response))
    };
    answer.await.unwrap_or_else(Fault::answer)
}

/// `GET /p/{product}/logo`: the logo of a product that is online.
pub async fn logo(State(app): State<Arc<App>>, Path(code): Path<String>) -> Response<Body> {
    let answer = async {
        if !is_code(&code) {
            return Ok(gone());
        }
        let Some(id) = product::logo_of(app.db.read(), &code).await? else { return Ok(gone()) };
        let Ok(mut file) = upload::download(&app, id).await else { return Ok(plain(StatusCode::NOT_FOUND)) };
        file.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
        Ok(file)
    };
    answer.await.unwrap_or_else(Fault::answer)
}
