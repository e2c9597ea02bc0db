//! The demo's own list in the dictionary: kinds of complaints, one of them the default and one no longer offered.

use base::clock::DAY;
use base::db::Connection;
use frame::access::audit::Stamp;
use frame::dict::{DictStatus, NewDictItem, NewDictType, TagColor, insert_item, insert_type};

/// Kinds of complaints: value, labels, colour, and whether the kind is offered.
const KINDS: [(&str, &str, &str, TagColor, DictStatus); 4] = [
    ("harassing_call", "电话骚扰", "Harassing calls", TagColor::Red, DictStatus::Enabled),
    ("fee", "收费争议", "Fees", TagColor::Orange, DictStatus::Enabled),
    ("privacy", "个人信息", "Personal data", TagColor::Purple, DictStatus::Enabled),
    ("slow_page", "页面打不开", "Page does not open", TagColor::Gray, DictStatus::Disabled),
];

/// Adds it.
pub async fn insert(tx: &mut Connection, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let stamp = Stamp { admin_id: by, at: now - 300 * DAY };
    let list = NewDictType {
        code: "complaint_kind".to_owned(),
        name_zh: "投诉类型".to_owned(),
        name_en: "Kinds of complaints".to_owned(),
        remark: "客服登记投诉时选用".to_owned(),
        sort: 900,
    };
    let type_id = insert_type(tx, &list, stamp).await?;
    for ((value, label_zh, label_en, tag_color, status), sort) in KINDS.into_iter().zip(1..) {
        let item = NewDictItem {
            type_id,
            value: value.to_owned(),
            label_zh: label_zh.to_owned(),
            label_en: label_en.to_owned(),
            sort: sort * 10,
            tag_color,
            is_default: sort == 1,
            status,
        };
        insert_item(tx, &item, stamp).await?;
    }
    Ok(())
}
