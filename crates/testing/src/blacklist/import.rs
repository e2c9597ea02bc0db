//! A table of entries.

use serde_json::Value;

use crate::Actor;

pub const PATH: &str = "/blacklist/import";
pub const TAKE: &[(&str, &str)] = &[("dryRun", "false"), ("acceptUnused", "true")];

pub async fn bring(actor: &Actor, how: &[(&str, &str)], table: &str) -> Value {
    actor.upload(PATH, how, "名单.csv", table.as_bytes()).await.ok()
}

/// Good, known and wrong lines of a report.
pub fn counts(report: &Value) -> [i64; 4] {
    ["total", "good", "duplicate", "wrong"].map(|name| report[name].as_i64().unwrap())
}

/// Seven lines: three good ones, two that are there already or twice, two that are wrong.
pub const TABLE: &str = "类型,名单值,原因,范围,渠道或机构编码,来源,到期时间,别的\n\
    手机号,13812340002,投诉,,,,,x\n\
    手机号,+86 138-1234-0002,投诉,全局,,,,x\n\
    身份证号,11010519491231002x,多头借贷,渠道,north-h5-1,风控,2099/12/31,x\n\
    IP 地址,203.0.113.9,=1+1,机构,north,,2099-12-31 18:00,x\n\
    手机号,13812340001,已有,,,,,x\n\
    手机号,=cmd|1,,,,,,x\n\
    邮箱,a@example.com,投诉,,,,,x\n";
