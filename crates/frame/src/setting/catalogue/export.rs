//! Settings of exports.

use crate::setting::model::SettingGroup::Export;
use crate::setting::model::SettingUnit::{Days, Rows};
use crate::setting::model::{About, Setting};

settings! {
    /// Read by `api::export`.
    EXPORT_ROW_CAP: i64 = Setting::int(Export, "export.row_cap", 50_000, (1000, 1_000_000), Rows).labelled(
        ("单次导出上限", "Maximum rows per export"),
        ("超过该行数须缩小查询范围", "Above this, the filters must be narrowed"),
    );
    /// Read by `export::plain`.
    EXPORT_PLAIN_ROWS: i64 = Setting::int(Export, "export.plain_rows", 2_000, (1, 100_000), Rows).labelled(
        ("含完整号码的导出上限", "Maximum rows per export with whole numbers"),
        ("超过该行数须缩小查询范围；显示的记录另计入每日查看明文次数", "Above this, the filters must be narrowed; the records shown also count towards the reveals per day"),
    );
    /// Read by `export::worker`.
    EXPORT_KEEP_DAYS: i64 = Setting::int(Export, "export.keep_days", 7, (1, 90), Days).labelled(
        ("导出文件保留", "Keep export files for"),
        ("到期后文件被删除，须重新导出", "After this time the file is deleted and must be exported again"),
    );
}
