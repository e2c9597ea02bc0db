//! Nothing is stored that nothing reads. Each column of each table is read by something beside forms, lists, files and
//! histories, and each code of an enumeration has a reader: a rule, a sum, a condition. What people alone read stands in the
//! lists below, with its reason; the lists may only get shorter.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use testing::{ROOT, TestApp, on_both};

/// Columns of every table, for people.
const BOOKKEEPING: &[&str] = &["created_at", "updated_at", "created_by", "updated_by"];
/// Tables of figures. Each of their columns is added up, and shown by a screen: see [`each_figure_is_shown`].
const FIGURES: &[&str] = &["uv_stat_daily", "uv_stat_monthly", "star_stat_daily", "star_stat_monthly"];
/// Files that hold forms and lists, what is imported, and what is shown of records.
const SHOWING: &[&str] = &["form.rs", "list.rs", "model.rs", "table.rs"];
/// Columns, by the reason why they stand here.
type Exceptions = &'static [(&'static [&'static str], &'static str)];

/// Columns that people alone read.
const READ_BY_PEOPLE: Exceptions = &[
    (
        &[
            "applicant.id_no_mask",
            "blacklist_entry.value_mask",
            "channel.old_secret_enc",
            "chat_message.content_enc",
            "chat_transfer.note_enc",
            "organisation.alert_phone_masks",
            "organisation.contact_phone_mask",
            "push_attempt.req_masked",
            "push_attempt.resp_masked",
            "risk_report.detail_enc",
            "risk_report.phone_mask",
            "sub_organisation.phone_enc",
        ],
        "what is encrypted, revealed by a call of its own, and its mask",
    ),
    (
        &[
            "blacklist_entry.last_hit_at",
            "chat_wechat.verified_at",
            "clue.ended_at",
            "clue.pooled_at",
            "clue.signed_by",
            "clue.visited_by",
            "decision.decided_at",
            "export_task.started_at",
            "feedback.handled_at",
            "feedback.sent_to_channel_at",
            "file.sealed_at",
            "lead_return.reviewed_at",
            "match_record.expires_at",
            "org_statement.sent_at",
            "password_history.replaced_at",
            "payment_difference.settled_at",
            "payment_link.used_at",
            "payment_order.known_by",
            "payment_refund.reviewed_at",
            "project_step.at",
            "recharge.credited_at",
            "salesperson.left_at",
            "sms_message.accepted_at",
        ],
        "when something happened, and who did it",
    ),
    (
        &[
            "applicant.invalid_note",
            "blacklist_entry.lift_reason",
            "org_account.status_note",
            "payment_link.remark",
            "payment_order.remark",
            "partner_adjustment.review_note",
            "partner_payout.review_note",
            "payment_refund.review_note",
            "project.remark",
            "risk_report.failure",
            "sms_message.last_error",
        ],
        "words of people, and of programs that refused",
    ),
    (
        &[
            "organisation.contact_name",
            "project.contact_email",
            "project.contact_name",
            "salesperson.job_no",
            "salesperson.wechat",
            "sub_organisation.address",
            "sub_organisation.manager_name",
        ],
        "how people and firms are reached",
    ),
    (
        &[
            "project.callback_url",
            "project.city",
            "project.daily_volume",
            "project.ip_allow",
            "project.landing_url",
            "project.licence_no",
            "project.partner_type",
            "project.settle_mode",
            "project.share_bp",
            "project.start_date",
            "project.unit_price_cents",
        ],
        "an application, for the person who decides and sets up the channel or the organisation",
    ),
    (&["applicant.source_url"], "the page on which an applicant agreed, shown as evidence"),
    (&["channel.type"], "how partners bring applicants; people filter and compare by it"),
    (&["clue_follow.files"], "the history of a clue"),
    (&["feedback_attempt.request"], "what was sent, shown beside the answer"),
    (&["lead_return.proof_files"], "proofs, for the person who decides"),
    (&["match_record.bid_cents"], "the price that was bid, shown in the list"),
    (&["payment_link.reserved_until"], "until when a payer has the link, shown in the pool"),
    (&["payment_order.fee_cents"], "the provider's fee, shown beside the payment"),
];
/// Columns that are read where this test does not see it.
const READ_OTHERWISE: Exceptions = &[
    (&["feedback.callback_attempts"], "numbers the next attempt, in a statement of many columns"),
    (&["invoice.receiver_phone_hash"], "found by a whole phone in the list"),
    (
        &["salesperson.cities", "sub_organisation.cities"],
        "the cities whose clues the salesperson or the team takes, in a statement that names teams and salespeople in turn",
    ),
];
/// Columns of figures that no screen shows.
const NOT_SHOWN: Exceptions = &[
    (
        &["star_stat_daily.computed_at", "star_stat_monthly.computed_at", "uv_stat_monthly.computed_at"],
        "when a row was written last, for the person who looks for a figure that is late",
    ),
    (
        &[
            "star_stat_daily.duplicates",
            "star_stat_daily.failed",
            "star_stat_daily.money_cents",
            "star_stat_daily.refused",
            "star_stat_daily.stars_0",
            "star_stat_daily.stars_1",
            "star_stat_daily.stars_2",
            "star_stat_daily.stars_3",
            "star_stat_monthly.duplicates",
            "star_stat_monthly.failed",
            "star_stat_monthly.money_cents",
            "star_stat_monthly.refused",
            "star_stat_monthly.stars_0",
            "star_stat_monthly.stars_1",
            "star_stat_monthly.stars_2",
            "star_stat_monthly.stars_3",
        ],
        "rows by stars have the columns of the other rows, where these are shown",
    ),
    (
        &["uv_stat_monthly.exposure_uv", "uv_stat_monthly.test_pv", "uv_stat_monthly.test_uv"],
        "rows of months are the sums of the rows of days, by which these are shown",
    ),
];
/// What all lists of this file excuse. Where one gets shorter, this gets lower; it is never raised.
const CEILING: usize = 141;

/// The room of a path below `crates/`: a crate with several rooms has a file or folder for each.
fn room_of(path: &str) -> &str {
    let mut parts = path.split('/').skip(1);
    let name = parts.next().unwrap_or_default();
    match name {
        "base" | "frame" | "lead" | "server" | "site" | "trade" => parts.nth(1).unwrap_or_default(),
        name => name,
    }
}

/// A Rust source without comments and tests: its words, and its texts.
pub struct Source {
    path: String,
    text: String,
    strings: Vec<String>,
}

impl Source {
    fn room(&self) -> &str {
        room_of(&self.path)
    }

    fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    fn is_of(&self, names: &[&str]) -> bool {
        names.contains(&self.path.rsplit('/').next().unwrap_or_default())
    }

    /// The fields that are read by `.name`, or taken out of a record: `let Account { name, .. }`.
    fn fields(&self) -> HashSet<&str> {
        let mut fields = HashSet::new();
        for before in self.text.split(".. }").filter_map(|before| before.rsplit_once('{')) {
            fields.extend(before.1.split(|character: char| !is_word(character)));
        }
        let mut rest = self.text.as_str();
        while let Some((_, after)) = rest.split_once('.') {
            let end = after.find(|character: char| !is_word(character)).unwrap_or(after.len());
            if !after[end..].starts_with('(') {
                fields.insert(&after[..end]);
            }
            rest = after;
        }
        fields
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// All sources but those of the demo and of the tests.
pub fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<Source>) {
        let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            let name = path.strip_prefix(ROOT).unwrap().to_string_lossy().replace('\\', "/");
            if path.is_dir() && !["crates/demo", "crates/testing"].contains(&&*name) && !name.ends_with("/tests") {
                walk(&path, found);
            } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
                found.push(parsed(name, &std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["crates", "src"] {
        walk(&Path::new(ROOT).join(folder), &mut found);
    }
    found
}

/// Takes the texts, comments and tests out of a source.
fn parsed(path: String, content: &str) -> Source {
    let content = content.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let content = content.split("#[cfg(test)]\npub").next().unwrap_or_default();
    let (mut text, mut strings) = (String::new(), Vec::new());
    let mut characters = content.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '/' if characters.peek() == Some(&'/') => {
                characters.by_ref().find(|next| *next == '\n');
            }
            // A character: `'"'`, `'\\'`.
            '\'' => {
                let rest: String = characters.clone().take(3).collect();
                let length = match rest.as_bytes() {
                    [b'\\', _, b'\''] => 3,
                    [_, b'\'', ..] => 2,
                    _ => 0,
                };
                characters.by_ref().take(length).for_each(drop);
            }
            '"' => {
                let mut string = String::new();
                while let Some(next) = characters.next() {
                    match next {
                        '"' => break,
                        '\\' => match characters.next() {
                            Some('\n') => string.push(' '),
                            Some(escaped) => string.push(escaped),
                            None => {}
                        },
                        other => string.push(other),
                    }
                }
                text.push(' ');
                strings.push(string);
            }
            other => text.push(other),
        }
    }
    Source { path, text, strings }
}

/// The words and signs of a statement.
fn tokens(sql: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = sql.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) { rest.find(|character: char| !is_word(character)).unwrap_or(rest.len()) } else { first.len_utf8() };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

const KEYWORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "JOIN",
    "LEFT",
    "INNER",
    "CROSS",
    "WHERE",
    "AND",
    "OR",
    "ON",
    "ORDER",
    "GROUP",
    "BY",
    "HAVING",
    "SET",
    "VALUES",
    "INSERT",
    "INTO",
    "UPDATE",
    "DELETE",
    "RETURNING",
    "LIMIT",
    "UNION",
    "AS",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "CONFLICT",
    "DO",
    "NOTHING",
    "DEFAULT",
    "FOR",
    "ALL",
    "EXISTS",
    "NOT",
    "IN",
    "DISTINCT",
    "WITH",
    "RECURSIVE",
    "OFFSET",
    "SKIP",
    "USING",
];

/// What a statement reads in conditions, orders, sums and the right sides of assignments, or selects as one of a few columns: each
/// with the name before its point.
fn reads(words: &[&str]) -> Vec<(Option<String>, String)> {
    const FEW: usize = 5;
    let mut found = Vec::new();
    let mut is_read = false;
    // Within how many brackets a sum or the greatest is asked for.
    let (mut depth, mut sum_depth) = (0_i32, None);
    for (index, word) in words.iter().enumerate() {
        match *word {
            "(" => depth += 1,
            ")" => {
                depth -= 1;
                if sum_depth.is_some_and(|sum| depth <= sum) {
                    sum_depth = None;
                }
            }
            "SELECT" => {
                let end = words[index..].iter().position(|word| *word == "FROM").map_or(words.len(), |at| index + at);
                is_read = is_few(&words[index + 1..end], FEW);
            }
            "FROM" | "JOIN" | "INTO" | "UPDATE" | "VALUES" | "LIMIT" | "INSERT" | "DELETE" => is_read = false,
            "SET" => is_read = false,
            "WHERE" | "ON" | "BY" | "HAVING" | "WHEN" | "CASE" | "RETURNING" | "AND" | "OR" => is_read = true,
            "SUM" | "MAX" | "MIN" | "AVG" => sum_depth = sum_depth.or(Some(depth)),
            "=" if !is_read => is_read = true,
            "," if depth == 0 && words[..index].contains(&"SET") && !words[..index].contains(&"WHERE") => is_read = false,
            word if word.chars().all(is_word) && !KEYWORDS.contains(&word) => {
                let is_qualifier = words.get(index + 1) == Some(&".");
                if !is_qualifier && (is_read || sum_depth.is_some()) {
                    let qualifier = (index >= 2 && words[index - 1] == ".").then(|| words[index - 2].to_owned());
                    found.push((qualifier, word.to_owned()));
                }
            }
            _ => {}
        }
    }
    found
}

fn is_few(selected: &[&str], most: usize) -> bool {
    let mut depth = 0;
    let commas = selected.iter().filter(|word| {
        depth += i32::from(**word == "(") - i32::from(**word == ")");
        **word == "," && depth == 0
    });
    commas.count() < most
}

/// The tables of a statement by the names that it gives them.
fn tables<'w>(words: &[&'w str], known: &BTreeMap<String, Vec<String>>) -> BTreeMap<&'w str, &'w str> {
    let mut found = BTreeMap::new();
    for (index, word) in words.iter().enumerate() {
        if !matches!(*word, "FROM" | "JOIN" | "INTO" | "UPDATE" | ",") {
            continue;
        }
        let Some(table) = words.get(index + 1).filter(|table| known.contains_key(**table)) else { continue };
        found.insert(*table, *table);
        let next = index + 2 + usize::from(words.get(index + 2) == Some(&"AS"));
        if let Some(alias) = words.get(next).filter(|alias| alias.chars().all(is_word) && !KEYWORDS.contains(alias)) {
            found.insert(*alias, *table);
        }
    }
    found
}

/// The columns that nothing but forms, lists, files and histories reads, by their tables.
fn unread(columns: &BTreeMap<String, Vec<String>>, sources: &[Source], showing: &[&str], bookkeeping: &[&str]) -> BTreeSet<String> {
    let mut read: BTreeSet<(String, String)> = BTreeSet::new();
    // The folders that write a table, and pieces of statements by room.
    let mut homes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut pieces: BTreeSet<(&str, String)> = BTreeSet::new();
    for source in sources {
        for string in &source.strings {
            let words = tokens(string);
            for pair in words.windows(2).filter(|pair| pair[0] == "INTO") {
                homes.entry(pair[1]).or_default().insert(source.folder());
            }
            let named = tables(&words, columns);
            if named.is_empty() {
                // `name = $1`, put into a statement.
                let is_condition = words.len() > 3 && words[1] == "=" && words[2] == "$";
                if is_condition {
                    pieces.insert((source.room(), words[0].to_owned()));
                }
                let is_piece =
                    words.first().is_some_and(|first| ["AND", "OR", "WHERE", "ON", "(", "LEFT", "JOIN", "ORDER"].contains(first));
                if is_piece || words.contains(&"CASE") {
                    pieces.extend(reads(&words).into_iter().map(|(_, column)| (source.room(), column)));
                }
                continue;
            }
            for (qualifier, column) in reads(&words) {
                match qualifier {
                    Some(name) => match named.get(name.as_str()) {
                        Some(table) => drop(read.insert(((*table).to_owned(), column))),
                        // Of a table that the beginning of the statement names.
                        None => drop(pieces.insert((source.room(), column))),
                    },
                    None => read.extend(named.values().map(|table| ((*table).to_owned(), column.clone()))),
                }
            }
        }
    }
    let readers: Vec<(&Source, HashSet<&str>)> = sources
        .iter()
        .filter(|source| !source.is_of(showing) && !source.is_of(&["store.rs"]))
        .map(|source| (source, source.fields().into_iter().chain(source.strings.iter().map(String::as_str)).collect()))
        .collect();
    // What is read in a room, and in sources that name it.
    let mut near: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
    for home in homes.values().flatten() {
        let room = room_of(home);
        let own = home.split('/').nth(1).unwrap_or_default();
        let named = if own == room { vec![format!("{room}::")] } else { vec![format!("crate::{room}"), format!("{own}::{room}")] };
        near.entry(room).or_insert_with(|| {
            let is_near = |source: &Source| source.room() == room || named.iter().any(|named| source.text.contains(named));
            readers.iter().filter(|(source, _)| is_near(source)).flat_map(|(_, words)| words.iter().copied()).collect()
        });
    }
    let mut left = BTreeSet::new();
    for (table, names) in columns.iter().filter(|(table, _)| !FIGURES.contains(&table.as_str())) {
        let homes = homes.get(table.as_str()).cloned().unwrap_or_default();
        let rooms: BTreeSet<&str> = homes.iter().map(|home| room_of(home)).collect();
        for column in names {
            let is_read = read.contains(&(table.clone(), column.clone()))
                || rooms.iter().any(|room| pieces.contains(&(*room, column.clone())))
                || rooms.iter().any(|room| near[room].contains(column.as_str()))
                // In a source that selects from the table.
                || readers.iter().any(|(source, words)| {
                    let selects = |text: &String| ["FROM", "JOIN"].iter().any(|verb| text.contains(&format!("{verb} {table} ")));
                    words.contains(column.as_str()) && source.strings.iter().any(selects)
                });
            if !bookkeeping.contains(&column.as_str()) && !is_read {
                left.insert(format!("{table}.{column}"));
            }
        }
    }
    left
}

/// Takes what exceptions excuse out of what is left, and says which of them excuse nothing.
fn excused(left: &mut BTreeSet<String>, exceptions: &[Exceptions]) -> Vec<String> {
    let mut idle = Vec::new();
    for (names, reason) in exceptions.concat() {
        assert!(!reason.is_empty());
        let unneeded = names.iter().filter(|name| !left.remove(**name));
        idle.extend(unneeded.map(|name| format!("{name} is read now, or gone: take it from the list, and lower the ceiling")));
    }
    idle
}

/// The tables of the application, each with its columns.
async fn stored(app: &TestApp) -> BTreeMap<String, Vec<String>> {
    let mut tables = app.app.db.tables().await.unwrap();
    tables.retain(|table, _| !table.starts_with("_sqlx"));
    assert!(tables.len() > 100, "{}", tables.len());
    tables
}

// A migration may have a part for one engine alone, so both have their columns read.
on_both!(each_column_is_read_beside_forms_and_lists);
async fn each_column_is_read_beside_forms_and_lists(app: TestApp) {
    let columns = stored(&app).await;
    let sources = sources();
    let all = unread(&columns, &sources, SHOWING, BOOKKEEPING);
    let mut left = all.clone();
    let mut wrong = excused(&mut left, &[READ_BY_PEOPLE, READ_OTHERWISE]);
    wrong.extend(left.iter().map(|name| format!("{name} is stored, and nothing reads it")));
    // A file or a column that stands in a list and excuses nothing hides what comes later.
    let but = |list: &[&'static str], one: &str| list.iter().copied().filter(|other| *other != one).collect::<Vec<_>>();
    let idle = SHOWING.iter().filter(|one| unread(&columns, &sources, &but(SHOWING, one), BOOKKEEPING) == all);
    wrong.extend(idle.map(|one| format!("{one} reads no column that nothing else reads: take it from the list")));
    let idle = BOOKKEEPING.iter().filter(|one| unread(&columns, &sources, SHOWING, &but(BOOKKEEPING, one)) == all);
    wrong.extend(idle.map(|one| format!("{one} is read in every table: take it from the list")));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn no_list_of_exceptions_gets_longer() {
    let named = |exceptions: Exceptions| exceptions.iter().map(|(names, _)| names.len()).sum::<usize>();
    let columns: usize = [READ_BY_PEOPLE, READ_OTHERWISE, NOT_SHOWN].into_iter().map(named).sum();
    let others = FIGURES.len() + KEYS.len() + SHOWING.len() + BOOKKEEPING.len() + FOR_READERS.len() + THE_OTHER.len();
    assert_eq!(columns + others, CEILING, "a list may only get shorter, and the ceiling lower");
}

/// Columns by which rows of figures are found.
const KEYS: &[&str] = &["id", "day", "month", "subject_type", "subject_id", "channel_id", "system", "org_id", "star"];

/// The content of a source file.
fn content(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// The part of a text after one mark and before another.
fn between<'t>(text: &'t str, after: &str, before: &str) -> &'t str {
    let (_, rest) = text.split_once(after).unwrap_or_else(|| panic!("{after} is there"));
    rest.split_once(before).map_or(rest, |(part, _)| part)
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !is_word(character)).filter(|word| !word.is_empty())
}

/// `twoWords` of `two_words`.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |camel, part| camel + &part[..1].to_uppercase() + &part[1..])
}

/// The figures of statistics: the key of each, and the columns that it is made of.
fn figures() -> BTreeMap<String, Vec<String>> {
    let content = content("crates/stats/src/figure.rs");
    let mut figures = BTreeMap::new();
    for line in between(&content, "\nfigures! {", "\n}").lines() {
        let parts: Vec<&str> = line.split('"').collect();
        let [_, key, rest] = parts[..] else { continue };
        let columns = between(rest, " of ", " = ").split(", ").map(str::to_owned).collect();
        figures.insert(key.to_owned(), columns);
    }
    figures
}

/// The keys of the figures of screens: of those by stars, and of the others.
fn screens() -> [BTreeSet<String>; 2] {
    let content = content("crates/stats/src/screen.rs");
    let mut screens = [BTreeSet::new(), BTreeSet::new()];
    for line in between(&content, "\nscreens! {", "\n}").lines().filter(|line| line.contains(": ")) {
        let parts: Vec<&str> = line.split(", ").collect();
        let list = between(&content, &format!("const {}: &[&str] = &[", parts[3]), "];");
        let by_star = usize::from(parts[1] != "Star");
        screens[by_star].extend(list.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    screens
}

on_both!(each_figure_is_shown);
async fn each_figure_is_shown(app: TestApp) {
    let columns = stored(&app).await;
    let (figures, [by_stars, others]) = (figures(), screens());
    assert!(figures.len() > 30 && by_stars.len() > 15 && others.len() > 30, "{} {} {}", figures.len(), by_stars.len(), others.len());
    let mut wrong: Vec<String> = Vec::new();
    let shown = |key: &String| by_stars.contains(key) || others.contains(key);
    wrong.extend(figures.keys().filter(|key| !shown(key)).map(|key| format!("{key} is a figure, and no screen shows it")));
    let stat = content("crates/trade/src/visit/stat.rs");
    let summed: BTreeSet<&str> = words_of(between(&stat, "\nfigures! {", "\n}")).collect();
    // Returns by the day of the decision take the place of others.
    let by_decision: BTreeSet<&str> = words_of(between(&stat, "fn by_decision", "\n    }")).collect();
    let lists = content("crates/trade/src/visit/list.rs");
    let mut left = BTreeSet::new();
    for table in FIGURES {
        let is_by_stars = table.starts_with("star_");
        let keys = if is_by_stars { &by_stars } else { &others };
        let made_of: BTreeSet<&str> = keys.iter().filter_map(|key| figures.get(key)).flatten().map(String::as_str).collect();
        for column in columns.get(*table).unwrap_or_else(|| panic!("{table} is there")).iter().filter(|one| !KEYS.contains(&one.as_str())) {
            let is_shown = made_of.contains(column.as_str()) && summed.contains(column.as_str());
            let is_decided = by_decision.contains(column.as_str());
            let is_listed = *table == "uv_stat_daily" && lists.contains(&format!("column(\"{}\"", camel(column)));
            if !is_shown && !is_decided && !is_listed {
                left.insert(format!("{table}.{column}"));
            }
        }
    }
    wrong.extend(excused(&mut left, &[NOT_SHOWN]));
    wrong.extend(left.iter().map(|name| format!("{name} is counted, and no screen shows it")));
    let of_figures: BTreeSet<&str> = FIGURES.iter().flat_map(|table| &columns[*table]).map(String::as_str).collect();
    wrong.extend(KEYS.iter().filter(|key| !of_figures.contains(**key)).map(|key| format!("{key} is gone: take it from the list")));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn each_list_of_the_dictionary_is_asked_for() {
    let declared = content("crates/frame/src/dict/mod.rs");
    let lists: Vec<(&str, &str)> = declared
        .lines()
        .filter_map(|line| line.strip_prefix("pub const ")?.split_once(": &str = "))
        .map(|(name, code)| (name, code.trim_matches(['"', ';'])))
        .collect();
    assert!(lists.len() >= 5, "{lists:?}");
    let sources = sources();
    let readers: Vec<&Source> = sources.iter().filter(|source| source.room() != "dict" && !source.is_of(&["list.rs"])).collect();
    let terms: serde_json::Value = serde_json::from_str(&content("js/terms.json")).unwrap();
    let is_fields = |code: &str| terms["fields"].as_array().unwrap().iter().any(|field| field["dictionary"] == code);
    for (name, code) in lists {
        let path = format!("dict::{name}");
        // The choices of a field of applicants.
        let is_read = is_fields(code) || readers.iter().any(|source| source.text.contains(&path));
        assert!(is_read, "nothing asks for the dictionary's {code}");
        let builtin = content("crates/frame/src/dict/builtin.rs");
        assert!(builtin.contains(&format!("        {name},\n")), "{code} is there from the beginning");
    }
}

/// Enumerations whose codes people choose and read, and which change nothing but what they say.
const FOR_READERS: &[(&str, &str)] = &[
    ("BlacklistSource", "where an entry comes from"),
    ("ChannelType", "how a partner brings applicants; figures are compared by it"),
    ("ClueLevel", "how promising a clue is, as its salesperson sees it"),
    ("FollowResult", "what came of a contact"),
    ("FollowType", "how a contact was made"),
    ("OrgType", "what kind of lender an organisation is"),
    ("ProductCategory", "what a loan is given on"),
    ("SalesLevel", "a pool asks for a least level, by their order"),
];
/// Codes that nothing names, since it asks about the others, or about what stands beside them.
const THE_OTHER: &[&str] = &[
    "ApplyMode::Api",
    "ApplyMode::Lead",
    "ChatPresence::Busy",
    "CustomerStatus::Blocked",
    "DedupScope::Site",
    "FeedbackSource::Applicant",
    "InvalidReason::NoDemand",
    "InvoiceKind::Plain",
    "KnownBy::Notice",
    "MoneyType::Deposit",
    "OutOfSchedule::Skip",
    "ReceiptType::Settlement",
    "SalesEmployed::Yes",
    "SalesReceiving::Off",
];
/// The enumerations of `codes!` blocks: name, codes, and their declaration.
fn enumerations(sources: &[Source]) -> Vec<(String, Vec<String>, &str)> {
    let mut found = Vec::new();
    for source in sources {
        for block in source.text.split("codes! {").skip(1) {
            let Some((head, body)) = block.split_once(" enum ").and_then(|(_, rest)| rest.split_once('{')) else { continue };
            let body = body.split_once("\n    }").map_or(body, |(body, _)| body);
            let lines = body.lines().map(str::trim);
            let codes = lines.filter_map(|line| line.split_once('(')).map(|(code, _)| code.to_owned());
            let codes = codes.filter(|code| !code.is_empty() && code.chars().all(is_word)).collect();
            // `Module: camelCase` is the enumeration `Module`.
            let (name, _) = head.split_once(':').unwrap_or((head, ""));
            found.push((name.trim().to_owned(), codes, body));
        }
    }
    found
}

/// The codes of one enumeration as they are stored; none where there is no such enumeration.
pub fn codes_of(sources: &[Source], name: &str) -> Vec<String> {
    let head = format!(" enum {name} {{");
    let Some((_, body)) = sources.iter().find_map(|source| source.text.split_once(&head)) else { return Vec::new() };
    let lines = body.lines().map(str::trim).take_while(|line| *line != "}");
    let codes = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()));
    codes.map(|line| snake(line.split(|character: char| !is_word(character)).next().unwrap_or_default())).collect()
}

/// `two_words` of `TwoWords`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (index, character) in name.char_indices() {
        if character.is_ascii_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

#[test]
fn each_code_has_a_reader() {
    let sources = sources();
    let enumerations = enumerations(&sources);
    assert!(enumerations.len() > 80, "{}", enumerations.len());
    let quoted: HashSet<&str> =
        sources.iter().flat_map(|source| &source.strings).flat_map(|string| string.split('\'').skip(1).step_by(2)).collect();
    // The words after a path, such as `PlanStatus::`.
    let after = |text: &str, path: &str| -> HashSet<String> {
        let ends = text.match_indices(path).filter(|(at, _)| !text[..*at].ends_with(is_word)).map(|(at, _)| &text[at + path.len()..]);
        ends.map(|rest| rest[..rest.find(|character: char| !is_word(character)).unwrap_or(rest.len())].to_owned()).collect()
    };
    let mut idle: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, codes, declaration) in &enumerations {
        let path = format!("{name}::");
        let mut named = HashSet::new();
        for source in &sources {
            named.extend(after(&source.text, &path));
            // Where codes are used under their own names.
            if source.text.contains(&format!("{path}{{")) {
                named.extend(words_of(&source.text).map(str::to_owned));
            }
            if source.text.contains(declaration) {
                named.extend(after(&source.text, "Self::"));
            }
        }
        let idle_of = codes.iter().filter(|code| !named.contains(*code) && !quoted.contains(snake(code).as_str()));
        let idle_of: Vec<String> = idle_of.map(|code| format!("{path}{code}")).collect();
        if !idle_of.is_empty() {
            idle.insert(name, idle_of);
        }
    }
    let mut wrong = Vec::new();
    for (name, reason) in FOR_READERS {
        assert!(!reason.is_empty());
        if idle.remove(*name).is_none() {
            wrong.push(format!("{name} has a reader now, or is gone: take it from the list"));
        }
    }
    let mut idle: BTreeSet<String> = idle.into_values().flatten().collect();
    wrong
        .extend(THE_OTHER.iter().filter(|path| !idle.remove(**path)).map(|path| format!("{path} has a reader now: take it from the list")));
    wrong.extend(idle.into_iter().map(|path| format!("{path} is chosen, and nothing asks about it")));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
