// What threads, lists and the search of the customer chat cost with 1,000,000 messages: a part of `make bench-lists`.
//
// Fills a database with one conversation of 100,000 messages and 20,000 of 45 each, with their customers, in 10 groups of 10
// staff. Measures a thread that is opened, its first older page, the lists of conversations and customers with every filter
// and sort, deep pages too, and the search, as one of the staff and as an administrator, who sees all. On the PostgreSQL
// server that LEADLANE_TEST_POSTGRES_URL names; on SQLite with BENCH_ENGINE=sqlite. Ends with an error where a figure is
// not met; the figures depend on the machine.

import os from "node:os";
import { DAY, POSTGRES, SQLITE, agent, at, conclude, dayStart, dayText, figure, ms, on, row, send, signIn } from "./support.mjs";

/** A part of the whole, for a first look. */
const scale = Number(process.env.BENCH_CHAT ?? 1);
/** Every tenth message is one of the large conversation; the others are 45 of each. */
const MESSAGES = Math.round(20 * scale) * 50_000;
const SMALL = MESSAGES / 50;
/** Conversations that go on at the same time: their messages are next to one another. */
const AT_ONCE = 200;
const GROUPS = 10;
const STAFF = 100;
const DAYS = 365;
/** Conversations that are not closed, at the end of the year. */
const CURRENT = SMALL / 10;
/** Calls of each kind that are measured. */
const TURNS = 50;
const TABLES = ["chat_message", "chat_conversation", "chat_customer"];
/** Milliseconds at p95, at most. */
const PAGE = 50;
const SEARCH = 200;

/** The statements that fill the database: one text for both engines. Conversation 0 is the large one. */
function filling(now) {
  const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  const first = (table, condition) => `(SELECT MIN(id) FROM ${table} WHERE ${condition})`;
  const any = (prime, of) => `(CAST(i AS BIGINT) * ${prime} % 1299709 % ${of})`;
  const pick = (prime, texts) => `CASE ${any(prime, texts.length)} ${texts.map((text, index) => `WHEN ${index} THEN '${text}'`).join(" ")} END`;
  const customer = first("chat_customer", "visit_key_hash = 'bench0'");
  const staff = `${first("chat_staff", "nickname LIKE 'chat%'")} + ${any(104_729, STAFF)}`;
  const when = (i, count) => `${now} - (${count} - (${i})) * CAST(${Math.floor((DAYS * DAY) / 1000)} AS BIGINT) / ${count} * 1000`;
  // The conversation of message i: of the k-th that is not one of the large conversation, within its block of those at the same time.
  const k = "(i - i / 10 - 1)";
  const conversation = `CASE i % 10 WHEN 0 THEN 0 ELSE 1 + ${k} / ${AT_ONCE * 45} * ${AT_ONCE} + ${k} % ${AT_ONCE} END`;
  const isIn = `CASE i % 10 WHEN 0 THEN i / 10 % 2 ELSE ${k} / ${AT_ONCE} % 2 END = 0`;
  const content = `${pick(7919, ["您好，想了解一下贷款的利率", "请问您需要多少金额，用途是什么", "我已催办，顾问今天会与您联系", "Hello, what documents are needed", "好的，谢谢"])} || ' ' || i || ' '
    || ${pick(611_953, ["公积金交了三年", "装修用，十万左右", "机构正在审核，一般一个工作日内有结果，请留意电话", "尾号已查到", "明白了"])} || CASE ${any(350_377, 10_007)} WHEN 7 THEN ' Needle' ELSE '' END`;
  // The last tenth is current: a few queued and snoozed, the others open.
  const isCurrent = `(i = 0 OR i > ${SMALL - CURRENT})`;
  const status = `CASE WHEN NOT ${isCurrent} THEN 'resolved' WHEN i % 10 = 3 THEN 'queued' WHEN i % 20 = 7 THEN 'snoozed' ELSE 'open' END`;
  const isOpen = `(${isCurrent} AND i % 10 <> 3)`;
  return [
    `${numbers(GROUPS)} INSERT INTO chat_group (name, page_key, assign_mode, status, created_at, updated_at) SELECT 'bench ' || i, 'bench' || i, 'manual', 'enabled', i, i FROM n`,
    `${numbers(STAFF)} INSERT INTO administrator (username, password_hash, real_name, status, pwd_changed_at, active_role_id, created_at, updated_at)
       SELECT 'chat' || i, (SELECT password_hash FROM administrator WHERE username = 'service'), 'chat ' || i, 'enabled', ${now}, (SELECT id FROM role WHERE code = 'service'), i, i FROM n`,
    "INSERT INTO admin_role (admin_id, role_id) SELECT id, active_role_id FROM administrator WHERE real_name LIKE 'chat %'",
    `INSERT INTO chat_staff (admin_id, nickname, max_open, presence, status, created_at, updated_at)
       SELECT id, username, 100, 'online', 'enabled', 0, 0 FROM administrator WHERE real_name LIKE 'chat %' ORDER BY id`,
    `${numbers(STAFF)} INSERT INTO chat_staff_group (staff_id, group_id) SELECT ${first("chat_staff", "nickname LIKE 'chat%'")} + i, ${first("chat_group", "page_key = 'bench0'")} + i % ${GROUPS} FROM n`,
    `${numbers(SMALL + 1)} INSERT INTO chat_customer (source, nickname, visit_key_hash, phone_hash, phone_mask, remark, tags, status, consented_at, last_inbound_at, created_at, updated_at)
       SELECT 'web', ${pick(224_737, ["陈先生", "李女士", "王先生", "张女士", "刘先生", "赵女士", "Visitor"])} || ' ' || i, 'bench' || i, 'bench-phone-hash-000000000000000000000000' || i, '100****0000', '',
       CASE ${any(49_979_687, 5)} WHEN 0 THEN '["公积金"]' WHEN 1 THEN '["有房","有车"]' ELSE '[]' END, CASE i % 50 WHEN 9 THEN 'blocked' ELSE 'active' END,
       ${when("i", SMALL + 1)}, ${when("i", SMALL + 1)}, ${when("i", SMALL + 1)}, ${when("i", SMALL + 1)} FROM n`,
    `${numbers(SMALL + 1)} INSERT INTO chat_conversation (customer_id, group_id, staff_id, status, priority, unread, waiting_since, first_reply_at, snoozed_until,
         last_message_at, last_text, closed_by, closed_at, rating, created_at, updated_at)
       SELECT ${customer} + i, ${first("chat_group", "page_key = 'bench0'")} + ${any(104_729, STAFF)} % ${GROUPS}, CASE WHEN ${isOpen} OR NOT ${isCurrent} THEN ${staff} END, ${status}, ${any(15_485_863, 4)},
       CASE WHEN ${isCurrent} THEN i % 4 ELSE 0 END, CASE WHEN ${isCurrent} AND i % 4 > 0 THEN ${when("i", SMALL + 1)} END, ${when("i", SMALL + 1)}, CASE WHEN ${status} = 'snoozed' THEN ${now + 30 * DAY} END,
       ${when("i", SMALL + 1)}, 'bench', CASE WHEN NOT ${isCurrent} THEN ${staff} END, CASE WHEN NOT ${isCurrent} THEN ${when("i", SMALL + 1)} END,
       CASE WHEN NOT ${isCurrent} AND i % 2 = 0 THEN 1 + ${any(32_452_843, 5)} END, ${when("i", SMALL + 1)}, ${when("i", SMALL + 1)} FROM n`,
    `${numbers(MESSAGES)} INSERT INTO chat_message (conversation_id, direction, kind, content, staff_id, client_msg_id, at)
       SELECT ${first("chat_conversation", `customer_id = ${customer}`)} + ${conversation}, CASE WHEN ${isIn} THEN 'in' ELSE 'out' END, 'text', ${content},
       CASE WHEN ${isIn} THEN NULL ELSE ${staff} END, 'bench-' || i, ${when("i", MESSAGES)} FROM n`,
    // Conversations end in the order of their messages.
    `UPDATE chat_conversation SET last_message_at = (SELECT MAX(m.at) FROM chat_message m WHERE m.conversation_id = chat_conversation.id),
       staff_read_id = (SELECT MAX(m.id) FROM chat_message m WHERE m.conversation_id = chat_conversation.id) WHERE last_text = 'bench'`,
  ].map((statement) => `${statement};`);
}

/** Filters of the lists, by path, with their sorts. */
function lists(database, now) {
  const month = { createdFrom: dayText(dayStart(now) - 30 * DAY), createdTo: dayText(dayStart(now)) };
  const [groupId, staffId] = ["SELECT MIN(id) + 3 FROM chat_group WHERE page_key LIKE 'bench%'", "SELECT MIN(id) + 13 FROM chat_staff WHERE nickname LIKE 'chat%'"].map((sql) => Number(database.ask(sql)));
  return [
    ["/chat/user", ["lastMessageAt", "createdAt", "waitingSince", "rating"], {
      mine: { box: "mine" }, unassigned: { box: "unassigned" }, all: { box: "all" }, waiting: { state: "waiting" }, "mine, waiting": { box: "mine", state: "waiting" }, snoozed: { status: "snoozed" }, closed: { status: "resolved" },
      "mine, closed": { box: "mine", status: "resolved" }, group: { groupId }, "group, closed": { groupId, status: "resolved" }, staff: { staffId }, "staff, closed": { staffId, status: "resolved" }, rated: { rating: 2 }, month,
      name: { keyword: "陈先生 77" }, "name, closed": { keyword: "陈先生", status: "resolved" },
    }],
    ["/chat/client", ["lastInboundAt", "createdAt", "nickname"], {
      none: {}, month, status: { status: "blocked" }, source: { source: "web" }, tag: { tag: "有房" }, name: { keyword: "陈先生" }, "name, blocked": { keyword: "李女士", status: "blocked" },
    }],
  ];
}

/** What is searched for, and whether there is any. */
const WORDS = [["a common word", "利率", true], ["Latin letters", "DOCUMENTS", true], ["a rare word", "needle", true], ["an absent word", "zebra", false], ["a number", "7777", true]];

/** The median and p95 of a call that is made so often, each time with another number. */
async function measured(call, turns = TURNS) {
  await call(0);
  const times = [];
  for (let turn = 0; turn < turns; turn++) times.push((await call(turn)).time);
  times.sort((a, b) => a - b);
  return { p50: at(times, 0.5), p95: at(times, 0.95) };
}

const bounded = (name, { p50, p95 }, most) => figure(`${name}, median, p95`, p95, { most, unit: " ms" }, `${ms(p50)}, ${ms(p95)}`);

async function measure(engine) {
  await on(engine, async ({ database, run, serve }) => {
    run("demo", "--days", "0", "--users", "0", "--channels", "5");
    const now = Date.now();
    const began = performance.now();
    // Indexes last; the messages of a conversation are looked up by theirs before.
    const statements = filling(now);
    const indexes = database.indexes(TABLES);
    database.run([...indexes.map(({ name }) => `DROP INDEX ${name};`), ...statements.slice(0, -1), ...indexes.map(({ text }) => `${text};`)]);
    database.run(statements.slice(-1));
    const rows = database.ask("SELECT (SELECT COUNT(*) FROM chat_message) || ' messages of ' || (SELECT COUNT(*) FROM chat_conversation) || ' conversations'");
    console.log(`\n${engine.name}: ${rows}, ${(database.size() / 2 ** 30).toFixed(1)} GB, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const { port, token } = await serve();
    const get = (path, as) => send(port, "GET", `/api${path}`, undefined, as);
    const post = (path, body, as) => send(port, "POST", `/api${path}`, JSON.stringify(body), as);
    const large = Number(database.ask("SELECT c.id FROM chat_conversation c JOIN chat_customer k ON k.id = c.customer_id WHERE k.visit_key_hash = 'bench0'"));
    const visible = (condition) => database.ask(`SELECT c.id FROM chat_conversation c WHERE c.id > ${large} AND ${condition} ORDER BY c.id * 7919 % 10007 LIMIT ${TURNS}`).split("\n").map(Number);
    const group = `c.group_id = (SELECT id FROM chat_group WHERE page_key = 'bench0')`;
    // The large conversation is one of the first group.
    for (const [name, as, ids] of [["staff", await signIn(port, "chat0"), visible(group)], ["admin", token, visible("1 = 1")]]) {
      if ((await post("/chat/user/page", { box: name === "staff" ? "mine" : "unassigned" }, as)).data.list.length === 0) throw new Error("a list is empty");
      for (const [what, id] of [["the large thread", () => large], ["a thread", (turn) => ids[turn % ids.length]]]) {
        bounded(`${name}: ${what}`, await measured((turn) => get(`/chat/thread?id=${id(turn)}`, as)), PAGE);
        const firsts = new Map();
        for (let turn = 0; turn < TURNS; turn++) firsts.set(id(turn), (await get(`/chat/thread?id=${id(turn)}`, as)).data.messages.list[0].id);
        bounded(`${name}: ${what}, its first older page`, await measured((turn) => get(`/chat/getRecord?conversationId=${id(turn)}&before=${firsts.get(id(turn))}`, as)), PAGE);
      }
      const middle = Number(database.ask(`SELECT MIN(id) + ${MESSAGES / 2} FROM chat_message`));
      bounded(`${name}: the large thread, a page in its middle`, await measured((turn) => get(`/chat/getRecord?conversationId=${large}&before=${middle + turn * 10}`, as)), PAGE);

      let worst = ["", 0];
      for (const [path, sorts, filters] of lists(database, now)) {
        for (const [filter, fields] of Object.entries(filters)) {
          const cells = [];
          for (const sort of sorts) {
            const page = (turn) => ({ ...fields, sort, order: turn % 4 === 3 ? "asc" : "desc", current: [1, 3, 100, 1, 500][turn % 5] });
            const { p95 } = await measured((turn) => post(`${path}/page`, page(turn), as));
            cells.push(`${sort} ${p95.toFixed(1)}`);
            if (p95 > worst[1]) worst = [`${path}, ${filter}, by ${sort}`, p95];
          }
          row(`${name}: ${path}/page, ${filter}`, `${cells.join("; ")} ms`);
        }
      }
      figure(`${name}: slowest list: ${worst[0]}`, worst[1], { most: PAGE, unit: " ms" }, ms(worst[1]));

      for (const [what, keyword, isThere] of WORDS) {
        let found;
        const search = async (body) => {
          const answer = await post("/chat/search", { keyword, ...body }, as);
          found = answer.data;
          return answer;
        };
        bounded(`${name}: search, ${what}`, await measured(() => search({})), SEARCH);
        // Staff see too few messages for a rare word where only a part is measured.
        if (isThere ? name === "admin" && found.list.length === 0 : found.list.length > 0) throw new Error(`${keyword} was found ${found.list.length} times`);
        bounded(`${name}: search in the large thread, ${what}`, await measured(() => search({ conversationId: large })), SEARCH);
        // One call finds a part, and returns where the next begins.
        const times = [];
        let before;
        do {
          times.push((await search(before ? { before } : {})).time);
          before = found.before;
        } while (before && times.length < TURNS);
        const p95 = at(times.sort((a, b) => a - b), 0.95);
        figure(`${name}: search, all parts, ${what}, p95 of ${times.length}`, p95, { most: SEARCH, unit: " ms" }, ms(p95));
      }
    }
  });
}

console.log(`Chat, ${os.cpus()[0].model}, ${os.cpus().length} cores`);
if (process.env.BENCH_ENGINE === "sqlite") await measure(SQLITE);
else if (process.env.LEADLANE_TEST_POSTGRES_URL) await measure(POSTGRES);
else console.log("\nPostgreSQL: LEADLANE_TEST_POSTGRES_URL names no server");
agent.destroy();
conclude();
