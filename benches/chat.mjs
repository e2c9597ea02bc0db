// Whether chat messages arrive once, in order and soon at all readers while nodes are killed: a part of `make stress`.
//
// 100 staff in 10 groups, a supervisor who sees all, and 10 visitors follow the events of 1,010 open conversations, half of
// the staff by polls and half by streams, each from the last number on, on the other node after a cut. 50 messages a second
// are written: answers and notes of staff, and messages on the visitors' page. A call that is cut, or whose answer is lost,
// is sent again under its number until it is answered. On PostgreSQL with two nodes first one of them is killed every ten
// seconds; then none is, and the time from send to sight is measured. On SQLite one node runs and none is killed. In the end
// the acknowledged messages are compared with those that each reader has seen and with the database. CHAT_SECONDS,
// CHAT_STAFF (a multiple of 10), CHAT_RATE and CHAT_P95 change the run and its bound; CHAT_LOG=1 prints what was refused and
// what differs.

import { spawn } from "node:child_process";
import http from "node:http";
import { POSTGRES, SQLITE, agent, ask, at, binary, end, environmentOf, freePort, ms, on, pace, ready, row, send, signIn } from "./support.mjs";

const SECONDS = Number(process.env.CHAT_SECONDS ?? 60);
const STAFF = Number(process.env.CHAT_STAFF ?? 100);
/** Messages a second. */
const RATE = Number(process.env.CHAT_RATE ?? 50);
/** Milliseconds from send to sight, at most at p95, while no node is killed. */
const P95 = Number(process.env.CHAT_P95 ?? 300);
const GROUPS = STAFF / 10;
const CONVERSATIONS = 1000;
/** Conversations from here on are assigned to staff who are not in their group. */
const OUTSIDE = 900;
/** Visitors. They write a tenth of the messages, each at a visitor's limit of one in two seconds; staff answer them with another tenth. */
const VISITORS = Math.ceil(RATE / 5);
/** Conversations that get every second message, those of visitors among them. */
const BUSY = 40;
/** Milliseconds between two kills. */
const PAUSE = 10_000;
/** Milliseconds after the last answer until what was not seen counts as late. */
const GRACE = 2000;
/** One call in so many loses its answer and is repeated on the other node. */
const LOST = 13;
/** Calls for one message, at most. */
const TRIES = 200;

/** Keeps a connection for each reader. */
const followers = new http.Agent({ keepAlive: true });
const wait = (milliseconds) => new Promise((tick) => setTimeout(tick, milliseconds));
const any = (list) => list[Math.floor(Math.random() * list.length)];

/** Groups, staff with their accounts, and open conversations with a first message each. */
function filling(now) {
  const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  const group = (number) => `(SELECT id FROM chat_group WHERE page_key = 'bench' || ((${number}) % ${GROUPS}))`;
  const staff = (number) => `(SELECT id FROM chat_staff WHERE nickname = 'chat' || ((${number}) % ${STAFF}))`;
  return [
    "UPDATE chat_reply SET status = 'disabled'",
    `${numbers(GROUPS)} INSERT INTO chat_group (name, page_key, assign_mode, status, created_at, updated_at) SELECT 'bench ' || i, 'bench' || i, 'manual', 'enabled', ${now}, ${now} FROM n`,
    `${numbers(STAFF)} INSERT INTO administrator (username, password_hash, real_name, status, pwd_changed_at, active_role_id, created_at, updated_at)
       SELECT 'chat' || i, (SELECT password_hash FROM administrator WHERE username = 'service'), 'chat ' || i, 'enabled', ${now}, (SELECT id FROM role WHERE code = 'service'), 0, 0 FROM n`,
    "INSERT INTO admin_role (admin_id, role_id) SELECT id, active_role_id FROM administrator WHERE real_name LIKE 'chat %'",
    `INSERT INTO chat_staff (admin_id, nickname, max_open, presence, status, created_at, updated_at)
       SELECT id, username, 100, 'online', 'enabled', ${now}, ${now} FROM administrator WHERE real_name LIKE 'chat %' ORDER BY id`,
    `${numbers(STAFF)} INSERT INTO chat_staff_group (staff_id, group_id) SELECT ${staff("i")}, ${group("i")} FROM n`,
    // Every fifth is in a second group.
    ...(GROUPS > 1 ? [`${numbers(STAFF)} INSERT INTO chat_staff_group (staff_id, group_id) SELECT ${staff("i")}, ${group("i + 1")} FROM n WHERE i % 5 = 0`] : []),
    `${numbers(CONVERSATIONS)} INSERT INTO chat_customer (source, nickname, visit_key_hash, status, created_at, updated_at) SELECT 'web', 'bench ' || i, 'bench' || i, 'active', ${now}, ${now} FROM n`,
    `${numbers(CONVERSATIONS)} INSERT INTO chat_conversation (customer_id, group_id, staff_id, status, waiting_since, last_message_at, last_text, created_at, updated_at)
       SELECT (SELECT id FROM chat_customer WHERE visit_key_hash = 'bench' || i), ${group("i")}, ${staff(`CASE WHEN i < ${OUTSIDE} THEN i ELSE i + 1 END`)}, 'open', ${now}, ${now}, 'first', ${now}, ${now} FROM n`,
    `INSERT INTO chat_message (conversation_id, direction, kind, content, client_msg_id, at)
       SELECT c.id, 'in', 'text', 'first', 'bench-first', ${now} FROM chat_conversation c JOIN chat_customer k ON k.id = c.customer_id WHERE k.visit_key_hash LIKE 'bench%'`,
  ].map((statement) => `${statement};`);
}

/** Faults in the database, which must not exist: each with the statement that counts it. */
const FAULTS = {
  "numbers of the feed without an event": "SELECT number - (SELECT COUNT(*) FROM chat_event) FROM chat_feed",
  "events after the last number of the feed": "SELECT COUNT(*) FROM chat_event WHERE number > (SELECT number FROM chat_feed)",
  "messages without exactly one event": `SELECT COUNT(*) FROM chat_message m WHERE m.id > %FIRST% AND (SELECT COUNT(*) FROM chat_event e JOIN chat_conversation c ON c.id = e.conversation_id
    WHERE e.conversation_id = m.conversation_id AND e.message_id = m.id AND e.kind = 'message' AND e.group_id = c.group_id) <> 1`,
  "conversations whose last text is not that of the customer's last message": `SELECT COUNT(*) FROM chat_conversation c WHERE EXISTS (SELECT 1 FROM chat_message m WHERE m.conversation_id = c.id AND m.id > %FIRST%)
    AND c.last_text <> (SELECT m.content FROM chat_message m WHERE m.conversation_id = c.id AND m.direction = 'in' ORDER BY m.id DESC LIMIT 1)`,
};

const lines = (database, sql) => database.ask(sql).split("\n").filter(Boolean).map((line) => line.split("\t"));
/** The expression of a line of columns. */
const tabbed = (...columns) => columns.map((column) => `COALESCE(CAST(${column} AS TEXT), '')`).join(" || '\t' || ");

/** Reads a stream of events until it ends. */
function stream(port, path, headers, signal, take) {
  return new Promise((done, fail) => {
    const request = http.request({ port, host: "127.0.0.1", path, headers, agent: followers, signal }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("error", fail);
      answer.on("data", (piece) => {
        text += piece;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const data = text.slice(0, end).split("\n").find((line) => line.startsWith("data: "));
          text = text.slice(end + 2);
          if (data) take(JSON.parse(data.slice("data: ".length)));
        }
      });
      answer.on("end", () => done(answer.statusCode === 200 ? undefined : text));
    });
    request.on("error", fail);
    request.end();
  });
}

const KINDS = ["staff by polls", "staff by streams", "visitors"];

/** Follows the events for one of the staff or a visitor; see `staffReader` and `visitorReader` for what differs. */
function follow(reader, nodes, note) {
  const ending = new AbortController();
  const followed = (async () => {
    for (let turn = reader.slot; !ending.signal.aborted; turn++) {
      try {
        const refused = await reader.read(nodes[turn % nodes.length].port, ending.signal);
        if (!refused) continue;
        reader.refused++;
        note(refused);
      } catch {
        // Cut, or ended: goes on at the other node.
        if (!ending.signal.aborted) reader.cuts++;
      }
      await wait(100);
    }
  })();
  return async () => {
    ending.abort();
    await followed;
  };
}

/** A reader for a member of the staff, from a number on. `sees` returns whether they may see a conversation. */
function staffReader(person, after, isStream, headers, sees) {
  const reader = { kind: isStream ? KINDS[1] : KINDS[0], slot: person.index, staffId: person.staffId, seen: [], unordered: 0, resets: 0, refused: 0, cuts: 0, sees };
  let last = after;
  const take = ({ events, reset, next }) => {
    const now = performance.now();
    if (reset) reader.resets++;
    for (const { number, conversationId, message } of events) {
      if (number <= last) reader.unordered++;
      last = number;
      if (message) reader.seen.push({ number, conversationId, id: message.id, text: message.content, at: now });
    }
    after = next;
  };
  const poll = async (port, signal, more = "") => {
    const { text } = await ask(port, "GET", `/api/chat/events?after=${after}${more}`, undefined, headers, { agent: followers, signal });
    const { code, data } = JSON.parse(text);
    if (code !== "0000") return text;
    take(data);
  };
  reader.read = isStream ? (port, signal) => stream(port, `/api/chat/events?mode=stream&after=${after}`, { ...headers, accept: "text/event-stream" }, signal, take) : poll;
  /** Reads the remaining events up to a number. */
  reader.finish = async (port, number) => {
    while (after < number) {
      const refused = await poll(port, undefined, "&wait=1");
      if (refused) throw new Error(refused);
    }
  };
  return reader;
}

/** A reader for a visitor, from a message and a number on: visitors see the messages of both sides of their conversation. */
function visitorReader(visitor, index, after, event) {
  const reader = { kind: KINDS[2], slot: index, seen: [], unordered: 0, resets: 0, refused: 0, cuts: 0, sees: ({ id }, { direction }) => id === visitor.conversation.id && direction !== "note" };
  reader.read = async (port, signal) => {
    const { status, text } = await ask(port, "GET", `/talk/${visitor.page}/events?after=${after}&event=${event}`, undefined, { cookie: visitor.headers.cookie }, { agent: followers, signal });
    if (status !== 200) return `a visitor was answered ${status} ${text}`;
    const news = JSON.parse(text);
    const now = performance.now();
    for (const { id, text } of news.lines) {
      if (id <= after) reader.unordered++;
      after = id;
      reader.seen.push({ conversationId: visitor.conversation.id, id, text, at: now });
    }
    event = news.event;
  };
  reader.finish = async (port) => {
    // A question about the past is answered at once.
    event = 0;
    const refused = await reader.read(port);
    if (refused) throw new Error(refused);
  };
  return reader;
}

async function race(engine, processes) {
  let found = 0;
  await on(engine, async ({ database, run: runOnce, env }) => {
    runOnce("demo", "--days", "0", "--users", "0", "--channels", "5");
    database.run(filling(Date.now()));
    const nodes = [];
    const start = async (slot) => {
      const port = await freePort();
      // Each visitor has an address of their own.
      const child = spawn(binary, ["serve"], { env: { ...env, ...environmentOf(port), LEADLANE_TRUSTED_PROXIES: "127.0.0.1" }, stdio: ["ignore", "ignore", process.env.CHAT_LOG ? "inherit" : "ignore"] });
      nodes[slot] = { port, child };
      await ready(port, child);
    };
    try {
      for (let slot = 0; slot < processes; slot++) await start(slot);
      const place = await prepare(database, nodes);
      if (processes > 1) found += await talk(database, nodes, place, "with kills", async (until) => {
        let kills = 0;
        for (let due = Date.now() + PAUSE; due <= until; due += PAUSE) {
          await wait(due - Date.now());
          const slot = kills++ % processes;
          await end(nodes[slot].child, "SIGKILL");
          await start(slot);
        }
        return kills;
      });
      found += await talk(database, nodes, place, "without kills");
      await Promise.all(nodes.map((node) => end(node.child)));
      console.log("  the database afterwards");
      for (const [name, sql] of Object.entries(FAULTS)) found += fault(name, Number(database.ask(sql.replaceAll("%FIRST%", place.first))));
    } finally {
      for (const { child } of nodes) child.kill("SIGKILL");
    }
  });
  return found;
}

/** Prints how often a fault was found, and returns it. */
function fault(name, number) {
  row(name, number);
  return number;
}

/** Signs the staff in and begins the visitors' conversations, which staff take by answering. */
async function prepare(database, nodes) {
  const { port } = nodes[0];
  const admin = await signIn(port, "admin");
  await send(port, "PUT", "/api/setting", JSON.stringify({ changes: [{ key: "security.reads_minute", value: 1_000_000, version: 0 }] }), admin);
  const people = `SELECT ${tabbed("s.id", "a.username")} FROM chat_staff s JOIN administrator a ON a.id = s.admin_id WHERE a.real_name LIKE 'chat %' ORDER BY s.id`;
  const staff = lines(database, people).map(([id, username]) => ({ staffId: Number(id), username }));
  for (const [index, person] of staff.entries()) Object.assign(person, { index, headers: await signIn(nodes[index % nodes.length].port, person.username) });
  const byId = new Map(staff.map((person) => [person.staffId, person]));
  const groups = new Map();
  for (const [group, id] of lines(database, `SELECT ${tabbed("group_id", "staff_id")} FROM chat_staff_group`)) {
    if (byId.has(Number(id))) groups.set(Number(group), [...(groups.get(Number(group)) ?? []), byId.get(Number(id))]);
  }
  const conversation = ([id, group, assigned]) => ({ id: Number(id), members: groups.get(Number(group)), assigned: byId.get(Number(assigned)), after: Promise.resolve() });
  const source = "FROM chat_conversation c JOIN chat_customer k ON k.id = c.customer_id WHERE";
  const conversations = lines(database, `SELECT ${tabbed("c.id", "c.group_id", "c.staff_id")} ${source} k.visit_key_hash LIKE 'bench%' ORDER BY c.id`).map(conversation);
  const visitors = [];
  for (let index = 0; index < VISITORS; index++) {
    const headers = { "x-forwarded-for": `203.0.113.${index + 1}`, "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
    const page = `bench${index % GROUPS}`;
    const first = await ask(port, "GET", `/talk?g=${page}`, undefined, headers);
    headers.cookie = first.headers["set-cookie"][0].split(";")[0];
    const visitor = { page, headers };
    const form = new URLSearchParams({ nickname: `talk ${index}`, content: "first", consent: /name="consent" value="(\w+)"/.exec(first.text)[1] }).toString();
    const { status, text } = await ask(port, "POST", `/talk?g=${page}`, form, headers);
    if (status !== 303) throw new Error(`a first message was answered ${status} ${text}`);
    const [begun] = lines(database, `SELECT ${tabbed("c.id", "c.group_id")} ${source} k.nickname = 'talk ${index}'`);
    const person = staff[index];
    await send(port, "POST", "/api/chat/send", JSON.stringify({ conversationId: Number(begun[0]), clientMsgId: "bench-take", content: "first" }), person.headers);
    visitor.conversation = { ...conversation([...begun, person.staffId]), visitor };
    visitors.push(visitor);
  }
  const all = new Map([...conversations, ...visitors.map((visitor) => visitor.conversation)].map((one) => [one.id, one]));
  return { admin, staff, visitors, conversations: all, first: Number(database.ask("SELECT MAX(id) FROM chat_message")) };
}

/** Writes messages for a while and compares what was seen. `trouble` kills nodes meanwhile and returns how many; without it the time to
 * sight is bounded. Returns how many faults there are. */
async function talk(database, nodes, { admin, staff, visitors, conversations }, name, trouble) {
  const [message, number] = lines(database, `SELECT ${tabbed("(SELECT MAX(id) FROM chat_message)", "(SELECT number FROM chat_feed)")}`)[0].map(Number);
  const refusals = new Map();
  const note = (text) => void refusals.set(text.slice(0, 200), (refusals.get(text.slice(0, 200)) ?? 0) + 1);
  const isMember = (person, conversation) => conversation.assigned === person || conversation.members.includes(person);
  const readers = [
    ...staff.map((person) => staffReader(person, number, Math.floor(person.index / nodes.length) % 2 === 1, person.headers, (conversation) => isMember(person, conversation))),
    staffReader({ index: 0 }, number, true, admin, () => true),
    ...visitors.map((visitor, index) => visitorReader(visitor, index, message, number)),
  ];
  const stops = readers.map((reader) => follow(reader, nodes, note));
  // Every wait has begun before the first message.
  await wait(1000);

  const all = [...conversations.values()];
  const busy = all.slice(-BUSY);
  const sent = [];
  let [refused, unanswered, repeated] = [0, 0, 0];
  /** Repeats a call until it is answered; `answered` reads the answer and returns nothing for a refusal. */
  const insist = async (one, call, answered) => {
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const answer = await call(nodes[(one.index + tries) % nodes.length].port);
        if (tries === 0 && one.index % LOST === 0) throw new Error("the answer is lost");
        if (answered(answer)) return;
        refused++;
        note(answer.text);
      } catch {
        repeated++;
      }
      await wait(100);
    }
    unanswered++;
  };
  const byStaff = (one, person) => {
    one.staffId = person.staffId;
    const body = JSON.stringify({ conversationId: one.conversation.id, clientMsgId: one.clientMsgId, content: one.text, note: one.direction === "note" });
    const answered = ({ text }) => {
      const { code, data } = JSON.parse(text);
      if (code === "0000") one.id = data.id;
      return code === "0000";
    };
    return insist(one, (port) => ask(port, "POST", "/api/chat/send", body, { "content-type": "application/json", ...person.headers }), answered);
  };
  const byVisitor = (one) => {
    const { page, headers } = one.conversation.visitor;
    const form = new URLSearchParams({ content: one.text, number: one.clientMsgId }).toString();
    const answered = ({ status, text }) => status === 200 && JSON.parse(text).error === null && (one.id = true);
    return insist(one, (port) => ask(port, "POST", `/talk/${page}`, form, headers), answered);
  };
  const write = async (index) => {
    const isVisitors = index % 10 === 9;
    const isToVisitors = index % 10 === 2;
    const conversation = isVisitors || isToVisitors ? visitors[Math.floor(index / 10) % VISITORS].conversation : any(index % 2 === 0 ? busy : all);
    const direction = isVisitors ? "in" : index % 10 === 4 ? "note" : "out";
    const one = { index, conversation, direction, clientMsgId: `bench-${name}-${index}`, text: `message ${index} of the run ${name}: 您好，资料已经收到，请稍候，我们正在核对。` };
    sent.push(one);
    // The next message of a conversation is written after the answer to the one before.
    const before = conversation.after;
    conversation.after = before.then(() => {
      one.order = (conversation.written = (conversation.written ?? 0) + 1);
      one.begun = performance.now();
      if (isVisitors) return byVisitor(one);
      return byStaff(one, direction === "note" ? any(conversation.members) : conversation.assigned);
    });
    await conversation.after;
  };
  const began = Date.now();
  const [kills] = await Promise.all([trouble?.(began + SECONDS * 1000), pace(RATE, SECONDS, write)]);
  const took = (Date.now() - began) / 1000;
  await wait(GRACE);
  await Promise.all(stops.map((stop) => stop()));
  const last = Number(database.ask("SELECT number FROM chat_feed"));
  for (const reader of readers) await reader.finish(nodes[0].port, last);

  const kept = new Map();
  const event = "(SELECT MIN(e.number) FROM chat_event e WHERE e.conversation_id = m.conversation_id AND e.message_id = m.id)";
  const columns = tabbed("m.id", "m.conversation_id", "m.direction", event, "m.content");
  for (const [id, conversationId, direction, number, text] of lines(database, `SELECT ${columns} FROM chat_message m WHERE m.id > ${message}`)) {
    kept.set(text, [...(kept.get(text) ?? []), { id: Number(id), conversationId: Number(conversationId), direction, number: Number(number) }]);
  }
  const faults = {
    "messages answered and not there exactly once": 0,
    "messages there and never sent": 0,
    "messages not seen": 0,
    "messages seen twice": 0,
    "messages seen by staff or visitors who may not see them": 0,
    "messages seen with another number or text": 0,
    "messages seen out of order": 0,
  };
  const different = (what, detail) => {
    faults[what]++;
    if (process.env.CHAT_LOG) console.log(`${what}: ${JSON.stringify(detail)}`);
  };
  const byText = new Map(sent.map((one) => [one.text, one]));
  for (const one of sent) {
    const there = kept.get(one.text) ?? [];
    const isRight = there.length === 1 && there[0].conversationId === one.conversation.id && there[0].direction === one.direction && (one.id === true || one.id === there[0].id);
    if (!isRight) different("messages answered and not there exactly once", { text: one.text, id: one.id, there });
    [one.kept] = there;
  }
  for (const [text, there] of kept) if (!byText.has(text)) different("messages there and never sent", { text, there });
  const times = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  const slowest = new Map();
  for (const reader of readers) {
    const seen = new Map();
    const orders = new Map();
    for (const one of reader.seen) {
      const written = byText.get(one.text);
      const who = { reader: reader.kind, staffId: reader.staffId, ...one };
      if (!written?.kept || written.kept.id !== one.id || written.conversation.id !== one.conversationId || (one.number !== undefined && one.number !== written.kept.number)) {
        different("messages seen with another number or text", who);
        continue;
      }
      if (seen.has(one.id)) different("messages seen twice", who);
      seen.set(one.id, one);
      if (!reader.sees(written.conversation, written)) different("messages seen by staff or visitors who may not see them", who);
      if (written.order < (orders.get(one.conversationId) ?? 0)) different("messages seen out of order", who);
      orders.set(one.conversationId, written.order);
      const isOwn = reader.kind === KINDS[2] ? written.direction === "in" : written.staffId !== undefined && written.staffId === reader.staffId;
      if (isOwn) continue;
      times[reader.kind].push(one.at - written.begun);
      slowest.set(written, Math.max(slowest.get(written) ?? 0, one.at - written.begun));
    }
    for (const one of sent) {
      if (one.kept && reader.sees(one.conversation, one) && !seen.has(one.kept.id)) different("messages not seen", { reader: reader.kind, staffId: reader.staffId, text: one.text, ...one.kept });
    }
  }
  const sum = (what) => readers.reduce((total, reader) => total + reader[what], 0);
  Object.assign(faults, {
    "messages never answered": unanswered,
    "messages refused": refused,
    "kinds of readers that saw nothing": KINDS.filter((kind) => times[kind].length === 0).length,
    "events out of order": sum("unordered"),
    "readers whose number was too old": sum("resets"),
    "calls of readers refused": sum("refused"),
  });

  console.log(`  ${name}: ${sent.length} messages in ${took.toFixed(0)} s, kill ${kills ?? 0}, sent again ${repeated}, cuts of readers ${sum("cuts")}`);
  const figures = (list) => {
    const sorted = list.toSorted((a, b) => a - b);
    return { p50: at(sorted, 0.5), p95: at(sorted, 0.95), most: sorted.at(-1) };
  };
  const shown = (figures) => [figures.p50, figures.p95, figures.most].map((value) => (value === undefined ? "none" : ms(value))).join(", ");
  for (const kind of KINDS) row(`${times[kind].length} sights of ${kind}, median, p95, longest`, shown(figures(times[kind])));
  row("the last sight of each message, median, p95, longest", shown(figures([...slowest.values()])));
  const { p95 } = figures(Object.values(times).flat());
  row("p95 from send to sight", ms(p95));
  if (trouble) faults["runs in which no node was killed"] = kills > 0 ? 0 : 1;
  else faults[`p95 from send to sight over ${P95} ms`] = p95 <= P95 ? 0 : 1;
  if (process.env.CHAT_LOG && refusals.size > 0) console.log([...refusals].sort((a, b) => b[1] - a[1]).map(([text, times]) => `${times} ${text}`).join("\n"));
  return Object.entries(faults).reduce((total, [what, times]) => total + fault(what, times), 0);
}

const ENGINES = { sqlite: () => race(SQLITE, 1), postgres: () => race(POSTGRES, 2) };
let guilty = 0;
for (const name of (process.env.STRESS_ENGINES ?? "sqlite,postgres").split(",").filter((name) => name !== "postgres" || process.env.LEADLANE_TEST_POSTGRES_URL)) {
  console.log(`\nchat, ${name}`);
  guilty += await ENGINES[name]();
}
console.log(guilty === 0 ? "not guilty: every message was seen once and in order, and in time" : `guilty: ${guilty} faults`);
process.exitCode = guilty === 0 ? 0 : 1;
agent.destroy();
followers.destroy();
