//! The refusals of a file that is no table, or none that can be imported.

use crate::api::{ApiError, Say, say};
use crate::upload::{NoTable, NoText};

/// A refusal of the file.
pub(super) fn wrong(message: Say) -> ApiError {
    ApiError::field("file", message)
}

/// A refusal of a file that is no table, which says what to do.
pub(super) fn no_table(why: NoTable) -> ApiError {
    match why {
        NoTable::Text(why) => no_text(why),
        NoTable::CutWorkbook => ApiError::WrongType(say(
            "工作簿不完整，可能没有下载或保存完，请重新下载或另存后再导入",
            "The workbook is incomplete: download it again, or save it again and import that",
        )),
        NoTable::OldWorkbook => ApiError::WrongType(say(
            "这是旧版 Excel（XLS）或加密的文件，请在表格软件中去掉密码并另存为 XLSX",
            "This is a file of an old Excel (XLS), or one with a password: save it as XLSX without a password",
        )),
        NoTable::Other => ApiError::WrongType(say("请上传 XLSX 或 CSV 文件", "Upload an XLSX or CSV file")),
    }
}

/// A refusal of a file that is no text of lines.
pub(super) fn no_text(why: NoText) -> ApiError {
    ApiError::WrongType(match why {
        NoText::Blank => return wrong(say("文件里只有空白", "The file holds only blanks")),
        NoText::Page => say(
            "这是网页（HTML）或 XML，不是表格；请在表格软件中打开并另存为 XLSX",
            "This is a web page (HTML) or XML, not a table: open it in a spreadsheet program and save it as XLSX",
        ),
        NoText::Encoding { row } => say(
            format!("第 {row} 行的文字编码无法识别，文件可能混用了多种编码；请在表格软件中核对后另存为 XLSX 或 UTF-8 的 CSV"),
            format!(
                "Row {row}: an unknown encoding, or several in one file: check it in a spreadsheet program and save it as XLSX or as CSV in UTF-8"
            ),
        ),
        NoText::Control { row, character } => {
            let code = format!("U+{:04X}", u32::from(character));
            say(
                format!("第 {row} 行含有控制字符（{code}），表格里不应有；请在表格软件中打开并另存为 XLSX"),
                format!(
                    "Row {row} holds a control character ({code}), which no table has: open it in a spreadsheet program and save it as XLSX"
                ),
            )
        }
    })
}

/// A file that is no proper one of its kind.
pub(super) fn broken() -> ApiError {
    wrong(say("文件已损坏，无法读取", "The file is damaged and cannot be read"))
}

/// A refusal of a file that goes on after the sums at its end, as two files in one do.
pub(super) fn after_the_sums(row: usize) -> ApiError {
    wrong(say(
        format!("第 {row} 行：汇总数据之后还有内容，请导入原文件，一次一个"),
        format!("Row {row}: the file goes on after its sums: import the original files, one at a time"),
    ))
}
