//! The built-in lists, in their initial state. Changes by operators stay.

use std::collections::HashSet;

use sqlx::Row;

use super::model::TagColor::{self, Blue, Cyan, Gray, Green, Orange, Red};
use super::{FEEDBACK_END_CODE, LEAD_LOST_REASON, LEAD_RETURN_REASON, OCCUPATION, PROJECT_RETURN_REASON};
use base::db::Db;

/// A list: code, name in Chinese and in English, items.
type BuiltinType = (&'static str, &'static str, &'static str, &'static [BuiltinItem]);
/// An item: value, label in Chinese and in English, colour.
type BuiltinItem = (&'static str, &'static str, &'static str, TagColor);

const TYPES: &[BuiltinType] = &[
    (
        LEAD_RETURN_REASON,
        "线索退单原因",
        "Reasons for returning a lead",
        &[
            ("dead_number", "空号", "Dead number", Red),
            ("suspended", "停机", "Suspended number", Red),
            ("duplicate", "重复", "Duplicate", Orange),
            ("wrong_person", "非本人", "Wrong person", Orange),
            ("out_of_area", "地区不符", "Out of area", Orange),
            ("not_as_targeted", "条件不符", "Conditions not met", Orange),
            ("never_applied", "未申请", "Never applied", Red),
            ("other", "其他", "Other", Gray),
        ],
    ),
    (
        LEAD_LOST_REASON,
        "线索流失原因",
        "Reasons for losing a lead",
        &[
            ("no_need", "无需求", "No need", Gray),
            ("unreachable", "联系不上", "Unreachable", Orange),
            ("unqualified", "资质不符", "Not qualified", Orange),
            ("too_expensive", "费用或利率过高", "Too expensive", Orange),
            ("chose_another", "选择了其他机构", "Chose another lender", Red),
            ("complained", "客户投诉", "Complained", Red),
            ("other", "其他", "Other", Gray),
        ],
    ),
    (
        OCCUPATION,
        "职业",
        "Occupations",
        &[
            ("employee", "上班族", "Employee", Blue),
            ("owner", "企业主", "Business owner", Cyan),
            ("self_employed", "个体户", "Self-employed", Cyan),
            ("civil_servant", "公务员", "Civil servant", Green),
            ("freelance", "自由职业", "Freelance", Gray),
            ("other", "其他", "Other", Gray),
        ],
    ),
    (
        FEEDBACK_END_CODE,
        "反馈结果",
        "Feedback outcomes",
        &[
            ("first_no_answer", "首拨未接", "First call not answered", Gray),
            ("no_answer", "多次未接", "Several calls not answered", Orange),
            ("dead_number", "空号", "Dead number", Red),
            ("duplicate", "重复", "Duplicate", Orange),
            ("no_need", "无需求", "No need", Gray),
            ("city_limit", "城市限制", "City not served", Orange),
            ("unqualified", "资质不符", "Not qualified", Orange),
            ("considering", "考虑中", "Considering", Blue),
            ("submitted", "已提交", "Submitted", Cyan),
            ("signed", "已签约", "Signed", Green),
            ("disbursed", "已放款", "Disbursed", Green),
            ("refused", "客户拒绝", "Refused by the customer", Red),
        ],
    ),
    (
        PROJECT_RETURN_REASON,
        "项目退回原因",
        "Reasons for returning a project",
        &[
            ("domain_unregistered", "当前域名未备案", "The current domain name has not been registered", Red),
            ("group_unauthorised", "用户组没有进行此操作的权限", "The user group lacks authority for this operation", Red),
            ("licence_mismatch", "营业执照信息与合作方名称不符", "The business licence does not match the partner's name", Red),
            ("callback_unreachable", "回调地址无法访问", "The callback URL cannot be reached", Orange),
            ("terms_unclear", "合作条款不明确", "The terms are unclear", Orange),
            ("incomplete", "材料不全", "Documents missing", Orange),
            ("incorrect", "信息有误", "Details incorrect", Orange),
            ("unclear", "说明不清", "Unclear description", Orange),
            ("not_compliant", "不符合合规要求", "Not compliant", Red),
            ("not_approved", "领导未批准", "Not approved", Red),
            ("other", "其他", "Other", Gray),
        ],
    ),
];

/// Adds the built-in lists and items that are missing. Several nodes may do it at the same time. A database that has them
/// all is only read, in one statement.
pub async fn seed(db: &Db, now: i64) -> Result<(), sqlx::Error> {
    if has_all(db).await? {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    db.lock(&mut tx, "dictionary").await?;
    for (position, (code, chinese, english, items)) in (1..).zip(TYPES) {
        sqlx::query(
            "INSERT INTO dict_type (code, name_zh, name_en, builtin, sort, created_at, updated_at) VALUES ($1, $2, $3, 1, $4, $5, $6) \
             ON CONFLICT (code) DO NOTHING",
        )
        .bind(code)
        .bind(chinese)
        .bind(english)
        .bind(position * 10)
        .bind(now)
        .bind(now)
        .execute(&mut *tx)
        .await?;
        let row = sqlx::query("SELECT id FROM dict_type WHERE code = $1").bind(code).fetch_one(&mut *tx).await?;
        let type_id: i64 = row.try_get("id")?;
        for (position, (value, chinese, english, color)) in (1..).zip(items.iter()) {
            sqlx::query(
                "INSERT INTO dict_item (type_id, value, label_zh, label_en, sort, tag_color, builtin, created_at, updated_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8) ON CONFLICT (type_id, value) DO NOTHING",
            )
            .bind(type_id)
            .bind(value)
            .bind(chinese)
            .bind(english)
            .bind(position * 10)
            .bind(<&str>::from(*color))
            .bind(now)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        }
    }
    tx.commit().await
}

/// Whether the database has every built-in list with its items.
async fn has_all(db: &Db) -> Result<bool, sqlx::Error> {
    // A list without items has a row, too.
    const KNOWN: &str = "SELECT type.code, item.value FROM dict_type type LEFT JOIN dict_item item ON item.type_id = type.id";
    let rows = sqlx::query(KNOWN).fetch_all(db.read()).await?;
    let mut known = HashSet::with_capacity(rows.len());
    for row in &rows {
        known.insert((row.try_get::<&str, _>("code")?, row.try_get::<Option<&str>, _>("value")?));
    }
    let has_list = |code: &str, items: &[BuiltinItem]| match items {
        [] => known.iter().any(|(known, _)| *known == code),
        items => items.iter().all(|(value, ..)| known.contains(&(code, Some(*value)))),
    };
    Ok(TYPES.iter().all(|(code, .., items)| has_list(code, items)))
}
