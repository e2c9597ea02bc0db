//! Tables as people have them: saved by office programs, made by form tools, downloaded from Alipay and WeChat Pay.

use rust_xlsxwriter::{Format, Workbook, Worksheet};
use serde_json::{Value, json};

use testing::lead::{channel, phone};
use testing::pay::{channel as payee_channel, confirmed};
use testing::plan::begin;
use testing::{Actor, TestApp, on_both};

fn write(sheet: &mut Worksheet, row: u32, cells: &[&str]) {
    for (column, text) in cells.iter().enumerate() {
        sheet.write_string(row, column as u16, *text).unwrap();
    }
}

fn counts(report: &Value) -> [i64; 4] {
    ["total", "good", "duplicate", "wrong"].map(|name| report[name].as_i64().unwrap())
}

on_both!(a_blacklist_that_an_office_program_saved);
async fn a_blacklist_that_an_office_program_saved(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let mut book = Workbook::new();
    let choices = book.add_worksheet().set_name("选项").unwrap();
    choices.set_hidden(true);
    write(choices, 0, &["类型", "名单值", "原因"]);
    write(choices, 1, &["手机号", "身份证号", "IP 地址"]);
    let sheet = book.add_worksheet().set_name("名单").unwrap().set_active(true);
    sheet.merge_range(0, 0, 0, 4, "黑名单（2027 年 1 月）", &Format::new().set_bold()).unwrap();
    write(sheet, 1, &["*类型", "*名单值", "*原因（必填）", "范围", "到期时间"]);
    write(sheet, 2, &["手机号", "", "投诉", "全局"]);
    sheet.write_number(2, 1, 13_812_340_002.0).unwrap();
    sheet.write_number_with_format(2, 4, 73_050.0, &Format::new().set_num_format("yyyy\"年\"m\"月\"d\"日\"")).unwrap();
    write(sheet, 3, &["手机号", "13812340003", "投诉", "#N/A"]);
    write(sheet, 4, &["手机号", "13812340004", "投诉", "全局"]);
    write(sheet, 5, &["手机号", "13812340005", "投诉", ""]);
    sheet.merge_range(4, 3, 5, 3, "全局", &Format::new()).unwrap();
    let report = operator.upload("/blacklist/import", &[("dryRun", "false")], "名单.xlsx", &book.save_to_buffer().unwrap()).await.ok();
    assert_eq!((counts(&report), &report["sheet"], &report["unusedColumns"]), ([4, 2, 0, 2], &json!("名单"), &json!([])));
    let places: Vec<_> = report["wrongCells"].as_array().unwrap().iter().map(|cell| (&cell["row"], &cell["column"])).collect();
    assert_eq!(places, [(&json!(4), &json!("范围")), (&json!(6), &json!("范围"))], "{report}");
}

on_both!(applicants_of_a_form_tool);
async fn applicants_of_a_form_tool(app: TestApp) {
    begin(&app);
    channel(&app, json!({})).await;
    let admin = app.sign_in("admin").await;
    let titles = "*渠道编码\t*手机号\t*姓名（必填）\t授权书编码\t授权书版本\t授权书摘要\t授权时间\t接收方\t身份证号码\t申请金额";
    let line = format!("lead-chan\t{}\t张小三\tLOAN\t3\t{}\t2027/1/6 9:05\t全部合作机构\t\t\"12,000\"", phone(1), "A".repeat(64));
    let table = format!("贷款申请表 导出时间：2027-01-06\r\n{titles}\r\n{line}\r\n");
    let unicode_text: Vec<u8> = format!("\u{feff}{table}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let take = async |name: &str, content: &[u8]| admin.upload("/user/import", &[("dryRun", "false")], name, content).await.ok();
    let report = take("申请.txt", &unicode_text).await;
    assert_eq!((counts(&report), &report["unusedColumns"]), ([1, 1, 0, 0], &json!([])), "{report}");
    let again = take("申请.csv", encoding_rs::GBK.encode(&table.replace('\t', ";")).0.as_ref()).await;
    assert_eq!(counts(&again), [1, 0, 1, 0], "the same line in another form of file");
    let rows = admin.post("/user/page", json!({})).await.ok();
    assert_eq!((&rows["total"], &rows["list"][0]["amountCents"]), (&json!(1), &json!(1_200_000)));
}

async fn bring(app: &TestApp, actor: &Actor, id: i64, columns: &[(&str, &str)], name: &str, content: &[u8]) -> testing::Answer {
    let (id, day) = (id.to_string(), base::clock::day(app.now()).to_string());
    let fields = [&[("payeeChannelId", id.as_str()), ("day", day.as_str())], columns].concat();
    actor.upload("/payStatement/import", &fields, name, content).await
}

const ALIPAY: &str = "#支付宝业务明细查询\r\n\
    #账号：[20880000000000000156]\r\n\
    #起始日期：[2027年01月06日 00:00:00]   终止日期：[2027年01月07日 00:00:00]\r\n\
    #-----------------------------------------业务明细列表----------------------------------------\r\n\
    支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,对方账户,订单金额（元）,商家实收（元）,服务费（元）,备注\r\n\
    B-0\t,PO1\t,交易\t,充值,2027-01-06 08:00:00,2027-01-06 08:00:01,*三(100****0001)\t,5000.00,5000.00,0.00,\r\n\
    2027010622001400000000000002\t,PO2\t,交易\t,充值,2027-01-06 09:00:00,2027-01-06 09:00:01,*四(100****0002)\t,12.00,12.00,0.00,\r\n\
    2027010622001400000000000002\t,PO2\t,退款\t,充值,2027-01-06 09:10:00,2027-01-06 09:10:01,*四(100****0002)\t,-2.00,-2.00,0.00,\r\n\
    #-----------------------------------------业务明细列表结束------------------------------------\r\n\
    #交易合计：2笔，商家实收共5012.00元，商家优惠共0.00元\r\n\
    #退款合计：1笔，商家实收退款共-2.00元，商家优惠退款共0.00元\r\n\
    #导出时间：[2027年01月07日 10:00:00]\r\n";

on_both!(a_bill_of_alipay_as_it_is_downloaded);
async fn a_bill_of_alipay_as_it_is_downloaded(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = confirmed(&app, json!({})).await["payeeChannelId"].as_i64().unwrap();
    let columns: &[(&str, &str)] = &[("numberColumn", "支付宝交易号"), ("amountColumn", "订单金额（元）")];
    let send = async |text: &str| bring(&app, &operator, id, columns, "账单.csv", &encoding_rs::GB18030.encode(text).0).await;
    let row = send(ALIPAY).await.ok();
    assert_eq!((&row["matchedCount"], &row["theirCount"], &row["theirCents"]), (&json!(1), &json!(3), &json!(501_000)));
    // The titles of its provider's bills are the first that are tried.
    let alipay = payee_channel(&app, "alipay", "", json!({"gatewayUrl": ""})).await["id"].as_i64().unwrap();
    let kept = operator.get(&format!("/payStatement/columns/{alipay}")).await.ok();
    assert_eq!(kept, json!({"numberColumn": "支付宝交易号", "amountColumn": "订单金额（元）", "refundColumn": null}));
    let row = bring(&app, &operator, alipay, &[], "账单.csv", &encoding_rs::GB18030.encode(ALIPAY).0).await.ok();
    assert_eq!(row["theirCents"], json!(501_000));
    // The same where what is received is the amount.
    let received: &[(&str, &str)] = &[("numberColumn", "支付宝交易号"), ("amountColumn", "商家实收（元）")];
    let row = bring(&app, &operator, id, received, "账单.csv", &encoding_rs::GB18030.encode(ALIPAY).0).await.ok();
    assert_eq!(row["theirCents"], json!(501_000));

    let line = ALIPAY.lines().nth(6).unwrap();
    let cut = ALIPAY.replace(&format!("{line}\r\n"), "");
    let said = send(&cut).await.wrong("file");
    assert_eq!(said, "第 9 行：文件写明 2 笔，实际读到 1 笔；文件可能不完整或被改动，请重新下载");
    let changed = ALIPAY.replace(",12.00,12.00,", ",12.00,11.00,");
    let said = send(&changed).await.wrong("file");
    assert!(said.starts_with("第 10 行：“交易合计”写明 5012.00 元，各行相加为 5011.00 元"), "{said}");
    // Saved again by a spreadsheet, numbers have lost their digits.
    let said = send(&ALIPAY.replace("2027010622001400000000000002\t", "2.02701E+27")).await.wrong("file");
    assert!(said.starts_with("第 7 行：“支付宝交易号”数字已被表格软件改为科学记数"), "{said}");
    let said = send(&ALIPAY.replace("2027010622001400000000000002\t", "2027010622001400000000000000")).await.wrong("file");
    assert!(said.starts_with("第 7 行：流水号的末尾数字已被表格软件改为 0"), "{said}");
    let said = send(&ALIPAY.replace(",订单金额（元）,", ",金额,")).await.wrong("file");
    assert!(said.starts_with("第 5 行：缺少列：订单金额（元）；该行的其他列名：") && said.contains("、金额、服务费（元）、"), "{said}");
}

const WECHAT: &str = "\u{feff}交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,\
    微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注\r\n\
    `2027-01-06 08:00:00,`wx0,`1900000001,`0,`,`B-0,`PO1,`o0,`NATIVE,`SUCCESS,`OTHERS,`CNY,`5000.00,`0.00,`0,`0,`0.00,`0.00,`,`,\"`充值,一次\",`,`30.00000,`0.60%,`5000.00,`0.00,`\r\n\
    `2027-01-06 09:00:00,`wx0,`1900000001,`0,`,`4200000000202701060000000002,`PO2,`o1,`NATIVE,`REFUND,`OTHERS,`CNY,`0.00,`0.00,`5030000000202701060000000002,`PR2,`2.00,`0.00,`ORIGINAL,`SUCCESS,`充值,`,`-0.01000,`0.60%,`0.00,`2.00,`\r\n\
    总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额\r\n\
    `2,`5000.00,`2.00,`0.00,`29.99000,`5000.00,`2.00\r\n";

on_both!(a_bill_of_wechat_pay_as_it_is_downloaded);
async fn a_bill_of_wechat_pay_as_it_is_downloaded(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = confirmed(&app, json!({})).await["payeeChannelId"].as_i64().unwrap();
    let columns: &[(&str, &str)] = &[("numberColumn", "微信订单号"), ("amountColumn", "应结订单金额"), ("refundColumn", "退款金额")];
    let send = async |text: &str| bring(&app, &operator, id, columns, "账单.csv", text.as_bytes()).await;
    let row = send(WECHAT).await.ok();
    assert_eq!((&row["matchedCount"], &row["theirCount"], &row["theirCents"]), (&json!(1), &json!(2), &json!(499_800)));
    let wechat = payee_channel(&app, "wechat", "", json!({"gatewayUrl": ""})).await["id"].as_i64().unwrap();
    let row = bring(&app, &operator, wechat, &[], "账单.csv", WECHAT.as_bytes()).await.ok();
    assert_eq!(row["theirCents"], json!(499_800));
    let said = send(&WECHAT.replace("`2,`5000.00,`2.00,", "`3,`5000.00,`2.00,")).await.wrong("file");
    assert_eq!(said, "第 5 行：文件写明 3 笔，实际读到 2 笔；文件可能不完整或被改动，请重新下载");
    let said = send(&WECHAT.replace("`2,`5000.00,`2.00,", "`2,`5000.00,`3.00,")).await.wrong("file");
    assert!(said.starts_with("第 5 行：“退款总金额”写明 3.00 元，各行相加为 2.00 元"), "{said}");
}

const FUND_BILL: &str = "\u{feff}记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额（元）,账户结余（元）,资金变更提交申请人,备注,业务凭证号\r\n\
    `2027-01-06 08:00:00,`B-0,`F1,`交易,`交易,`收入,`5000.00,`5000.00,`system,`,`PO1\r\n\
    `2027-01-06 08:00:00,`B-0,`F2,`扣除交易手续费,`扣除交易手续费,`支出,`30.00,`4970.00,`system,`,`PO1\r\n\
    `2027-01-06 09:00:00,`5030000000202701060000000002,`F3,`退款,`退款,`支出,`2.00,`4968.00,`admin,`退款总金额2.00元,`PR2\r\n\
    `2027-01-06 09:30:00,`5030000000202701060000000003,`F4,`退款,`退款,`收入,`1.00,`4969.00,`system,`退款失败退回,`PR3\r\n\
    资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额\r\n\
    `4,`2,`5001.00,`2,`32.00\r\n";

on_both!(money_out_of_a_fund_bill_is_no_money_in);
async fn money_out_of_a_fund_bill_is_no_money_in(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = confirmed(&app, json!({})).await["payeeChannelId"].as_i64().unwrap();
    let columns: &[(&str, &str)] = &[("numberColumn", "微信支付业务单号"), ("amountColumn", "收支金额（元）")];
    let send = async |text: &str| bring(&app, &operator, id, columns, "资金账单.csv", text.as_bytes()).await;
    let row = send(FUND_BILL).await.ok();
    assert_eq!((&row["matchedCount"], &row["theirCount"], &row["theirCents"]), (&json!(1), &json!(4), &json!(496_900)));
    for (what, changed, place) in [
        ("the count", FUND_BILL.replace("`4,`2,", "`5,`2,"), "第 7 行：文件写明 5 笔，实际读到 4 笔"),
        ("the count of what came in", FUND_BILL.replace("`4,`2,", "`4,`3,"), "第 7 行：文件写明 3 笔，实际读到 2 笔"),
        ("what came in", FUND_BILL.replace("`5001.00", "`5033.00"), "第 7 行：“收入金额”写明 5033.00 元，各行相加为 5001.00 元"),
        ("what went out", FUND_BILL.replace("`32.00", "`31.00"), "第 7 行：“支出金额”写明 31.00 元，各行相加为 32.00 元"),
        ("an unknown word", FUND_BILL.replace("`支出,`30.00", "`冻结,`30.00"), "第 3 行：“收支类型”应为收入或支出"),
        ("no word", FUND_BILL.replace("`支出,`30.00", "`,`30.00"), "第 3 行：“收支类型”应为收入或支出"),
        ("two files in one", format!("{FUND_BILL}{}", FUND_BILL.trim_start_matches('\u{feff}')), "第 8 行：汇总数据之后还有内容"),
        ("no sums", FUND_BILL.rsplit_once("`4,").unwrap().0.to_owned(), "第 6 行：文件末尾缺少汇总数据"),
    ] {
        let said = send(&changed).await.wrong("file");
        assert!(said.starts_with(place), "{what}: {said}");
    }
}

on_both!(debits_of_a_bank_are_no_credits);
async fn debits_of_a_bank_are_no_credits(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = confirmed(&app, json!({})).await["payeeChannelId"].as_i64().unwrap();
    let columns: &[(&str, &str)] = &[("numberColumn", "流水号"), ("amountColumn", "金额")];
    let send = async |text: &str| bring(&app, &operator, id, columns, "流水.csv", text.as_bytes()).await;
    for (title, credit, debit) in [
        ("借贷标志", "贷", "借"),
        ("收/支", "收入", "支出"),
        ("收支", "收", "支"),
        ("方向", "入账", "出账"),
        ("Dr/Cr", "CR", "Dr"),
        ("借贷方向", "贷方", "借方"),
    ] {
        let rows = format!("B-0,{credit},5000\nB-1,{debit},3\nB-2,{debit},-4\nB-3,{credit},-5\n合计,,4988\n");
        let row = send(&format!("流水号,{title},金额\n{rows}")).await.ok();
        assert_eq!((&row["matchedCount"], &row["theirCount"], &row["theirCents"]), (&json!(1), &json!(4), &json!(498_800)), "{title}");
    }
    let said = send("流水号,收支,借贷标志,金额\nB-0,收,借,5000\n").await.wrong("file");
    assert_eq!(said, "第 2 行：“借贷标志”与另一列的收支方向相反");
}

on_both!(no_row_of_a_statement_is_passed_over);
async fn no_row_of_a_statement_is_passed_over(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = confirmed(&app, json!({})).await["payeeChannelId"].as_i64().unwrap();
    let columns: &[(&str, &str)] = &[("numberColumn", "流水号"), ("amountColumn", "金额"), ("refundColumn", "退款")];
    let send =
        async |text: &str| bring(&app, &operator, id, columns, "流水.csv", format!("流水号,说明,金额,退款\n{text}").as_bytes()).await;
    for good in [
        // Pages with their sums, and the sum of all.
        "B-0,x,5000,\n,小计,5000,\nB-1,x,3,\nB-2,x,4,1\n,本页小计：,7,1\n合计（3笔）,,5007,1\n",
        // Sums of all pages so far.
        "B-0,x,5000,\n,小计,5000,\nB-1,x,3,\n,小计,5003,\n",
        "B-0,合计付款,5000,\n,以上为全部流水,,\n",
        "B-0,,5000,\n合计20270106,,3,\n",
        "B-0,,5000,\nB-1,,0.00,0\n,,5000,0\n,打印人：李,,\n",
    ] {
        send(good).await.ok();
    }
    for (bad, place) in [
        ("B-0,x,5000,\n,小计,5001,\nB-1,x,3,\n", "第 3 行：“金额”写明 5001.00 元，各行相加为 5000.00 元"),
        ("B-0,x,5000,\n,,5000,\nB-1,x,3,\n", "第 3 行：有金额，没有流水号"),
        ("B-0,x,5000,\n,本页面付款,3,\n", "第 3 行：有金额，没有流水号"),
        ("B-0,x,5000,\n,合计付款,3,\n", "第 3 行：有金额，没有流水号"),
        ("B-0,x,5000,\nB-1,x,,\n", "第 3 行：有流水号，没有金额"),
        ("B-0,x,0,\n,x,,\n", "文件里没有一笔有金额的流水"),
    ] {
        let said = send(bad).await.wrong("file");
        assert!(said.starts_with(place), "{bad}: {said}");
    }
    let remarks = format!("B-0,x,5000,\n{}", "#x,,,\n".repeat(1001));
    let said = send(&remarks).await.wrong("file");
    assert_eq!(said, "第 1003 行：说明和合计行最多 1000 行");
}

on_both!(sums_of_a_bank_are_compared);
async fn sums_of_a_bank_are_compared(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = confirmed(&app, json!({})).await["payeeChannelId"].as_i64().unwrap();
    let columns: &[(&str, &str)] = &[("numberColumn", "流水号"), ("amountColumn", "金额")];
    let send = async |text: &str| bring(&app, &operator, id, columns, "流水.csv", text.as_bytes()).await;
    for good in ["B-0,充值,5000\nB-1,x,-3\n,合计,4997\n", "B-0,充值,5000\n,,5000.00\n,以上为全部流水,\n", "B-0,充值,5000\n合计：,,5000\n"]
    {
        send(&format!("流水号,说明,金额\n{good}")).await.ok();
    }
    let said = send("流水号,说明,金额\nB-0,充值,5000\n,合计,5012\n").await.wrong("file");
    assert!(said.starts_with("第 3 行：“金额”写明 5012.00 元，各行相加为 5000.00 元"), "{said}");
    let said = send("流水号,说明,金额\nB-0,充值,5000\n,利息,12\n").await.wrong("file");
    assert_eq!(said, "第 3 行：有金额，没有流水号");
    let said = send("流水号,说明,金额\nB-0,充值,#REF!\n").await.wrong("file");
    assert!(said.starts_with("第 2 行：“金额”是错误值 #REF!"), "{said}");
}

on_both!(a_file_says_why_it_is_no_table);
async fn a_file_says_why_it_is_no_table(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let mut book = Workbook::new();
    write(book.add_worksheet(), 0, &["类型", "名单值", "原因"]);
    let book = book.save_to_buffer().unwrap();
    let head = "类型,名单值,原因\n手机号,13812340011,投诉\n";
    let mixed = [head.as_bytes(), b"ip,1.2.3.4,", &encoding_rs::GBK.encode("投诉很多次").0, b"\xff\n"].concat();
    for (name, content, words) in [
        ("a.csv", format!("{head}ip,1.2.3.4\u{1},投诉\n").into_bytes(), "第 3 行含有控制字符（U+0001）"),
        ("a.csv", mixed, "第 3 行的文字编码无法识别"),
        ("a.xlsx", book[..book.len() / 2].to_vec(), "工作簿不完整"),
        ("a.xls", b"<html><table></table></html>".to_vec(), "这是网页（HTML）或 XML"),
    ] {
        let answer = operator.upload("/blacklist/import", &[("dryRun", "true")], name, &content).await;
        answer.refused("4013");
        assert!(answer.desc().starts_with(words), "{name}: {}", answer.desc());
    }
    let blank = operator.upload("/blacklist/import", &[("dryRun", "true")], "a.csv", b" \r\n").await.wrong("file");
    assert_eq!(blank, "文件里只有空白");
    let unmarked: Vec<u8> = head.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, content) in [("a.xlsx", head.as_bytes()), ("a.csv", &unmarked), ("a.xls", head.as_bytes())] {
        let report = operator.upload("/blacklist/import", &[("dryRun", "true")], name, content).await.ok();
        assert_eq!(counts(&report), [1, 1, 0, 0], "{name}: {report}");
    }
}

on_both!(our_own_file_of_wrong_lines_comes_back_without_a_question);
async fn our_own_file_of_wrong_lines_comes_back_without_a_question(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let take = async |content: &[u8]| operator.upload("/blacklist/import", &[("dryRun", "false")], "名单.csv", content).await;
    let report = take("类型,名单值,原因\n手机号,1381234,投诉\n".as_bytes()).await.ok();
    let file = operator.get(&format!("/common/file/{}", report["errorFile"]["id"])).await;
    let mended = String::from_utf8_lossy(&file.body).replacen("1381234,", "13812340012,", 1);
    assert!(mended.lines().next().unwrap().ends_with("行号,错误"), "{mended}");
    let report = take(mended.as_bytes()).await.ok();
    assert_eq!((counts(&report), &report["unusedColumns"]), ([1, 1, 0, 0], &json!([])));
    // Two such columns elsewhere are a person's own.
    take("行号,错误,类型,名单值,原因,备注\n1,x,手机号,13812340013,投诉,x\n".as_bytes()).await.wrong("acceptUnused");
}

on_both!(rows_that_a_filter_hides_are_counted);
async fn rows_that_a_filter_hides_are_counted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("说明").unwrap();
    write(sheet, 0, &["请看下一页"]);
    sheet.set_row_hidden(0).unwrap();
    let sheet = book.add_worksheet().set_name("名单 & 原因").unwrap();
    write(sheet, 0, &["类型", "名单值", "原因"]);
    for row in 1..4 {
        write(sheet, row, &["手机号", &format!("1381234002{row}"), "投诉"]);
    }
    sheet.set_row_hidden(2).unwrap().set_row_hidden(7).unwrap();
    let content = book.save_to_buffer().unwrap();
    let report = operator.upload("/blacklist/import", &[("dryRun", "true")], "名单.xlsx", &content).await.ok();
    assert_eq!((counts(&report), &report["hiddenRows"]), ([3, 3, 0, 0], &json!(1)));
}
