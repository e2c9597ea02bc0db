//! Compares facts with rules. No database, no clock: the same rules and facts give the same items.

use axum::http::Uri;

use super::model::{CheckItem, CheckResult, RuleKind, RuleParams, RuleRow, Severity};
use super::subject::{Fact, Facts, words_of};
use base::networks::is_public_host;

/// The inputs of a check besides rules and facts.
pub struct Terms {
    /// The highest annual rate in basis points (`compliance.max_rate_bp`).
    pub max_rate_bp: i64,
    /// Today in Shanghai.
    pub today: jiff::civil::Date,
}

/// A note in Chinese and in English.
type Note = (String, String);

fn note(chinese: impl Into<String>, english: impl Into<String>) -> Note {
    (chinese.into(), english.into())
}

/// The result of a rule.
enum Finding {
    Fine(Note),
    Broken(Note),
    /// Broken, but only a warning whatever the rule's severity.
    Soon(Note),
    Nothing,
}

/// Compares one rule with the facts.
pub fn item(rule: &RuleRow, facts: &Facts, terms: &Terms) -> CheckItem {
    let (result, (note_zh, note_en)) = match find(rule.kind, &rule.params, facts, terms) {
        Finding::Fine(note) => (CheckResult::Pass, note),
        Finding::Broken(note) => (if rule.severity == Severity::Fail { CheckResult::Fail } else { CheckResult::Warn }, note),
        Finding::Soon(note) => (CheckResult::Warn, note),
        Finding::Nothing => (CheckResult::Unchecked, note("没有可检测的内容", "There was nothing to check")),
    };
    CheckItem { code: rule.code.clone(), title_zh: rule.title_zh.clone(), title_en: rule.title_en.clone(), result, note_zh, note_en }
}

/// The result of all items together.
pub fn overall(items: &[CheckItem]) -> CheckResult {
    let any = |result| items.iter().any(|item| item.result == result);
    if any(CheckResult::Fail) {
        CheckResult::Fail
    } else if any(CheckResult::Warn) {
        CheckResult::Warn
    } else {
        CheckResult::Pass
    }
}

fn find(kind: RuleKind, params: &RuleParams, facts: &Facts, terms: &Terms) -> Finding {
    match kind {
        RuleKind::Required => required(params, facts),
        RuleKind::NotExpired => not_expired(params, facts, terms),
        RuleKind::ForbiddenWords => forbidden_words(params, facts),
        RuleKind::AnnualRate => annual_rate(facts, terms.max_rate_bp),
        RuleKind::PublicHttps => public_https(params, facts),
        RuleKind::Versioned => versioned(params, facts),
        RuleKind::NamedRecipients => named_recipients(params, facts),
        RuleKind::Masked => masked(facts),
    }
}

fn says_something(fact: &Fact) -> bool {
    match fact {
        Fact::Value(text) | Fact::Day(text) | Fact::Text(text) => !text.trim().is_empty(),
        Fact::List(names) => !names.is_empty(),
    }
}

/// The facts in a rule's `fields` that are not empty.
fn named<'f>(params: &'f RuleParams, facts: &'f Facts) -> impl Iterator<Item = (&'f str, &'f Fact)> {
    params
        .fields
        .iter()
        .filter_map(move |name| facts.get(name.as_str()).map(|fact| (name.as_str(), fact)))
        .filter(|(_, fact)| says_something(fact))
}

/// A value or day of the rule's first field.
fn first<'f>(params: &'f RuleParams, facts: &'f Facts) -> Option<&'f str> {
    named(params, facts).next().and_then(|(_, fact)| match fact {
        Fact::Value(text) | Fact::Day(text) | Fact::Text(text) => Some(text.as_str()),
        Fact::List(_) => None,
    })
}

/// All texts that people read.
fn texts(facts: &Facts) -> Vec<&str> {
    let mut texts = Vec::new();
    for fact in facts.values() {
        if let Fact::Text(text) = fact
            && says_something(fact)
        {
            texts.push(text.as_str());
        }
    }
    texts
}

fn required(params: &RuleParams, facts: &Facts) -> Finding {
    let missing: Vec<&str> =
        params.fields.iter().map(String::as_str).filter(|name| !facts.get(*name).is_some_and(says_something)).collect();
    match missing.is_empty() {
        true => Finding::Fine(note("均已填写", "All filled in")),
        false => {
            let (chinese, english): (Vec<&str>, Vec<&str>) = missing.into_iter().map(words_of).unzip();
            Finding::Broken(note(format!("缺少：{}", chinese.join("、")), format!("Missing: {}", english.join(", "))))
        }
    }
}

fn not_expired(params: &RuleParams, facts: &Facts, terms: &Terms) -> Finding {
    let Some(day) = first(params, facts) else { return Finding::Broken(note("没有填写有效期", "No expiry date")) };
    let Ok(last) = day.parse::<jiff::civil::Date>() else {
        return Finding::Broken(note("有效期不是日期", "The expiry date is not a date"));
    };
    let left = i64::from((last - terms.today).get_days());
    match left {
        ..0 => Finding::Broken(note(format!("已于 {day} 到期"), format!("Expired on {day}"))),
        left if left < params.days => {
            Finding::Soon(note(format!("{day} 到期，还有 {left} 天"), format!("Expires on {day}, in {left} days")))
        }
        _ => Finding::Fine(note(format!("有效期至 {day}"), format!("Valid until {day}"))),
    }
}

fn forbidden_words(params: &RuleParams, facts: &Facts) -> Finding {
    let texts = texts(facts);
    if texts.is_empty() {
        return Finding::Nothing;
    }
    // Blanks and line ends between the characters do not hide a word.
    let plain: String = texts.concat().to_lowercase().chars().filter(|character| !character.is_whitespace()).collect();
    let squeezed = |word: &str| word.to_lowercase().chars().filter(|character| !character.is_whitespace()).collect::<String>();
    let found: Vec<&str> = params.words.iter().map(String::as_str).filter(|word| plain.contains(&squeezed(word))).take(10).collect();
    match found.is_empty() {
        true => Finding::Fine(note("没有禁用词", "No forbidden words")),
        false => Finding::Broken(note(format!("含禁用词：{}", found.join("、")), format!("Forbidden words: {}", found.join(", ")))),
    }
}

fn annual_rate(facts: &Facts, max_bp: i64) -> Finding {
    let texts = texts(facts);
    if texts.is_empty() {
        return Finding::Nothing;
    }
    let rates: Vec<i64> = texts.iter().flat_map(|text| annual_rates(text)).collect();
    let percent = |bp: i64| format!("{}.{:02}%", bp / 100, bp % 100);
    match rates.iter().copied().max() {
        None => Finding::Broken(note("没有标明年化利率", "No annual rate is shown")),
        Some(highest) if highest > max_bp => Finding::Broken(note(
            format!("年化利率 {} 高于上限 {}", percent(highest), percent(max_bp)),
            format!("An annual rate of {} is above {}", percent(highest), percent(max_bp)),
        )),
        Some(highest) => Finding::Fine(note(
            format!("标明年化利率，最高 {}", percent(highest)),
            format!("Annual rate shown, at most {}", percent(highest)),
        )),
    }
}

/// Percentages within 40 characters after a word for an annual rate, in basis points.
fn annual_rates(text: &str) -> Vec<i64> {
    const WORDS: &[&str] = &["年化", "年利率", "annual", "apr"];
    let lower = text.to_lowercase().replace('％', "%");
    let mut rates = Vec::new();
    for word in WORDS {
        for (at, _) in lower.match_indices(word) {
            let near: String = lower[at..].chars().take(40).collect();
            for (number, after) in numbers(&near) {
                // In a range such as 7.2-24% the sign is behind the higher number, which counts.
                if after.trim_start().starts_with('%') {
                    rates.push(number);
                }
            }
        }
    }
    rates
}

/// The numbers of a text in hundredths, each with what follows it.
fn numbers(text: &str) -> Vec<(i64, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|character: char| character.is_ascii_digit()) {
        let tail = &rest[start..];
        let end = tail.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(tail.len());
        if let Ok(number) = tail[..end].trim_end_matches('.').parse::<f64>() {
            found.push(((number * 100.0).round().clamp(0.0, 1e12) as i64, &tail[end..]));
        }
        rest = &tail[end..];
    }
    found
}

fn public_https(params: &RuleParams, facts: &Facts) -> Finding {
    let mut looked_at = false;
    for (_, fact) in named(params, facts) {
        let Fact::Value(address) = fact else { continue };
        looked_at = true;
        if let Some(wrong) = not_public_https(address) {
            return Finding::Broken(wrong);
        }
    }
    match looked_at {
        true => Finding::Fine(note("https，公网地址", "https, public address")),
        false => Finding::Nothing,
    }
}

fn not_public_https(address: &str) -> Option<Note> {
    let Ok(uri) = address.parse::<Uri>() else { return Some(note("不是网址", "Not a URL")) };
    if uri.scheme_str() != Some("https") {
        return Some(note("没有使用 https", "Does not use https"));
    }
    let host = uri.host().unwrap_or_default();
    (!is_public_host(host)).then(|| note(format!("{host} 不是公网地址"), format!("{host} is not a public address")))
}

fn versioned(params: &RuleParams, facts: &Facts) -> Finding {
    let Some(version) = first(params, facts) else { return Finding::Broken(note("没有版本号", "No version")) };
    let digits = version.trim_start_matches(['v', 'V']);
    let good = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|character| character.is_ascii_digit() || matches!(character, '.' | '-'));
    match good {
        true => Finding::Fine(note(format!("版本 {version}"), format!("Version {version}"))),
        false => Finding::Broken(note("版本号应如 v1.2 或 2026-03", "A version looks like v1.2 or 2026-03")),
    }
}

fn named_recipients(params: &RuleParams, facts: &Facts) -> Finding {
    let Some(Fact::List(names)) = facts.get("recipients") else { return Finding::Nothing };
    if names.is_empty() {
        return Finding::Broken(note("没有列明接收方", "No recipients named"));
    }
    let vague: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| params.words.iter().any(|word| name.to_lowercase().contains(&word.to_lowercase())))
        .take(10)
        .collect();
    match vague.is_empty() {
        true => Finding::Fine(note(format!("列明 {} 个接收方", names.len()), format!("{} recipients named", names.len()))),
        false => {
            Finding::Broken(note(format!("接收方不明确：{}", vague.join("、")), format!("Not specific recipients: {}", vague.join(", "))))
        }
    }
}

fn masked(facts: &Facts) -> Finding {
    let texts = texts(facts);
    if texts.is_empty() {
        return Finding::Nothing;
    }
    match texts.iter().any(|text| shows_a_number(text)) {
        // The number itself is not repeated.
        true => Finding::Broken(note("含完整的手机号或身份证号", "A full phone or ID number is shown")),
        false => Finding::Fine(note("没有完整的手机号或身份证号", "No full phone or ID number is shown")),
    }
}

/// Whether a text contains a mainland mobile number or an identity number, digit by digit.
fn shows_a_number(text: &str) -> bool {
    let runs = text.split(|character: char| !character.is_ascii_digit() && !matches!(character, 'x' | 'X'));
    runs.into_iter().any(|run| {
        // An identity number may end with an X; an X elsewhere is beside the number, not in it.
        let run = run.trim_start_matches(['x', 'X']);
        let digits = run.trim_end_matches(['x', 'X']);
        let phone = digits.len() == 11 && digits.starts_with('1') && digits[1..].starts_with(|second| ('3'..='9').contains(&second));
        phone || digits.len() == 18 || digits.len() == 17 && run.len() > 17
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compliance::model::RuleStatus;

    fn rule(kind: RuleKind, fields: &[&str], words: &[&str], days: i64) -> RuleRow {
        let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        RuleRow {
            id: 1,
            code: "rule".into(),
            title_zh: "规则".into(),
            title_en: "Rule".into(),
            target_types: vec![],
            kind,
            params: RuleParams { fields: owned(fields), words: owned(words), days },
            severity: Severity::Fail,
            status: RuleStatus::Enabled,
            builtin: false,
            sort: 1,
            version: 1,
            created_at: 0,
            updated_at: 0,
        }
    }

    fn result(rule: &RuleRow, facts: &[(&'static str, Fact)]) -> CheckResult {
        let terms = Terms { max_rate_bp: 2400, today: jiff::civil::date(2026, 3, 1) };
        item(rule, &facts.iter().cloned().collect(), &terms).result
    }

    fn text(text: &str) -> [(&'static str, Fact); 1] {
        [("text", Fact::Text(text.to_owned()))]
    }

    fn value(name: &'static str, value: &str) -> [(&'static str, Fact); 1] {
        [(name, Fact::Value(value.to_owned()))]
    }

    #[test]
    fn what_is_required_must_say_something() {
        let rule = rule(RuleKind::Required, &["name", "landingUrl"], &[], 0);
        assert_eq!(result(&rule, &value("name", "x")), CheckResult::Fail);
        assert_eq!(result(&rule, &[value("name", "x"), value("landingUrl", "y")].concat()), CheckResult::Pass);
        assert_eq!(result(&rule, &[value("name", "x"), value("landingUrl", " ")].concat()), CheckResult::Fail);
    }

    #[test]
    fn a_licence_is_good_to_its_last_day_and_warns_before_it() {
        let rule = rule(RuleKind::NotExpired, &["licenceExpireOn"], &[], 30);
        let day = |day: &str| [("licenceExpireOn", Fact::Day(day.to_owned()))];
        assert_eq!(result(&rule, &day("2026-02-28")), CheckResult::Fail);
        assert_eq!(result(&rule, &day("2026-03-01")), CheckResult::Warn);
        assert_eq!(result(&rule, &day("2026-03-30")), CheckResult::Warn);
        assert_eq!(result(&rule, &day("2026-03-31")), CheckResult::Pass);
        assert_eq!(result(&rule, &day("2028-01-01")), CheckResult::Pass);
        assert_eq!(result(&rule, &day("soon")), CheckResult::Fail);
        assert_eq!(result(&rule, &[]), CheckResult::Fail);
    }

    #[test]
    fn forbidden_words_are_found_in_any_case_and_spacing() {
        let rule = rule(RuleKind::ForbiddenWords, &[], &["包过", "Guaranteed approval"], 0);
        for bad in ["我们包过", "我们包 过", "guaranteed  APPROVAL!"] {
            assert_eq!(result(&rule, &text(bad)), CheckResult::Fail, "{bad}");
        }
        assert_eq!(result(&rule, &text("如实申请，审核为准")), CheckResult::Pass);
        assert_eq!(result(&rule, &value("name", "包过")), CheckResult::Unchecked, "a name is no text");
    }

    #[test]
    fn an_annual_rate_is_shown_and_not_above_the_setting() {
        let rule = rule(RuleKind::AnnualRate, &[], &[], 0);
        for good in ["年化利率 7.2%-24%", "综合年化 18％ 起", "annual rate 24%", "年化利率7.2~23.9%，期限 36 期"] {
            assert_eq!(result(&rule, &text(good)), CheckResult::Pass, "{good}");
        }
        for bad in ["月息 1%", "年化利率 36%", "年化 7.2%-24.01%", "APR 30 %", "年化利率低"] {
            assert_eq!(result(&rule, &text(bad)), CheckResult::Fail, "{bad}");
        }
    }

    #[test]
    fn addresses_are_https_and_public() {
        let rule = rule(RuleKind::PublicHttps, &["landingUrl"], &[], 0);
        for bad in [
            "http://a.example",
            "https://localhost/x",
            "https://10.0.0.1",
            "https://192.168.1.1:8443/a",
            "https://[::1]/",
            "https://intranet",
            "https://a.internal",
            "ftp://a.example",
            "x",
        ] {
            assert_eq!(result(&rule, &value("landingUrl", bad)), CheckResult::Fail, "{bad}");
        }
        assert_eq!(result(&rule, &value("landingUrl", "https://a.example/loan?x=1")), CheckResult::Pass);
        assert_eq!(result(&rule, &[]), CheckResult::Unchecked);
    }

    #[test]
    fn agreements_have_versions_and_name_their_recipients() {
        let version = rule(RuleKind::Versioned, &["version"], &[], 0);
        for (text, expected) in
            [("v1.2", CheckResult::Pass), ("2026-03", CheckResult::Pass), ("latest", CheckResult::Fail), ("v", CheckResult::Fail)]
        {
            assert_eq!(result(&version, &value("version", text)), expected, "{text}");
        }
        assert_eq!(result(&version, &[]), CheckResult::Fail);
        let named = rule(RuleKind::NamedRecipients, &["recipients"], &["合作机构", "第三方"], 0);
        let list = |names: &[&str]| [("recipients", Fact::List(names.iter().map(ToString::to_string).collect()))];
        assert_eq!(result(&named, &list(&["北辰金融"])), CheckResult::Pass);
        assert_eq!(result(&named, &list(&["北辰金融", "我们的合作机构"])), CheckResult::Fail);
        assert_eq!(result(&named, &list(&[])), CheckResult::Fail);
    }

    #[test]
    fn whole_numbers_are_not_shown_and_not_repeated() {
        let rule = rule(RuleKind::Masked, &[], &[], 0);
        for bad in ["请联系13800138000", "x13800138000x", "身份证 11010119900307123X", "110101199003071234。"] {
            let terms = Terms { max_rate_bp: 2400, today: jiff::civil::date(2026, 3, 1) };
            let found = item(&rule, &text(bad).into_iter().collect(), &terms);
            assert_eq!(found.result, CheckResult::Fail, "{bad}");
            assert!(!found.note_zh.chars().any(|character| character.is_ascii_digit()));
        }
        for good in ["138****8000", "订单 202603010001234567890", "400-800-1234"] {
            assert_eq!(result(&rule, &text(good)), CheckResult::Pass, "{good}");
        }
    }

    #[test]
    fn the_worst_item_decides_and_a_light_rule_warns() {
        let light = RuleRow { severity: Severity::Warn, ..rule(RuleKind::Required, &["name"], &[], 0) };
        assert_eq!(result(&light, &[]), CheckResult::Warn);
        let item = |result| CheckItem {
            code: String::new(),
            title_zh: String::new(),
            title_en: String::new(),
            result,
            note_zh: String::new(),
            note_en: String::new(),
        };
        let all = |results: &[CheckResult]| overall(&results.iter().map(|result| item(*result)).collect::<Vec<_>>());
        assert_eq!(all(&[CheckResult::Pass, CheckResult::Warn, CheckResult::Fail]), CheckResult::Fail);
        assert_eq!(all(&[CheckResult::Pass, CheckResult::Warn]), CheckResult::Warn);
        assert_eq!(all(&[CheckResult::Unchecked]), CheckResult::Pass);
    }
}
