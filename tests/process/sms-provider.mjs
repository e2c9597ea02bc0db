// A provider of short messages, as a process of its own: it checks each call as docs/partner-api.md tells
// providers to, keeps a book of the messages that it took, and treats each phone as its plan says.
//
//     node sms-provider.mjs BOOK PORT ACCOUNT KEY PLAN
//
// BOOK is a file of JSON lines that outlives it; PORT 0 is any. PLAN says for each phone what becomes of its
// calls one after the other, the last word for all that follow: {"13800000001": ["500", "accept"]}. `accept`
// takes the message, `500` and `refuse` do not; `hang` takes it and never answers, `die` takes it and ends
// the process. A number that it has taken is taken once. `POST /report {"to": base}` reports all it has.
import { createHash, createHmac, randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";

const [book, port, account, key, plan] = process.argv.slice(2);
const behaviours = JSON.parse(plan);
const lines = () => (existsSync(book) ? readFileSync(book, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line)) : []);
const note = (line) => appendFileSync(book, `${JSON.stringify(line)}\n`);

const signature = (path, timestamp, nonce, body) =>
  createHmac("sha256", key)
    .update(["POST", path, account, timestamp, nonce, createHash("sha256").update(body).digest("hex")].join("\n"))
    .digest("hex");

/** What is wrong with a call, if anything is. */
function wrong({ pathname, searchParams }, headers, body, no) {
  const told = (name) => searchParams.get(name) ?? "";
  if (told("appId") !== account) return "account";
  if (Math.abs(Date.now() - Number(told("timestamp"))) > 300_000) return "time";
  if (lines().some(({ nonce }) => nonce === told("nonce"))) return "nonce";
  if (told("sign") !== signature(pathname, told("timestamp"), told("nonce"), body)) return "signature";
  return headers["idempotency-key"] === no ? null : "number";
}

function take(url, headers, body, answer) {
  const { no, phone, text, template, params } = JSON.parse(body);
  const fault = wrong(url, headers, body, no);
  if (fault) {
    note({ fault });
    return answer(401, { code: "401", msg: fault });
  }
  const calls = lines().filter((line) => line.phone === phone && line.call).length;
  const behaviour = (behaviours[phone] ?? ["accept"])[Math.min(calls, (behaviours[phone]?.length ?? 1) - 1)];
  note({ call: true, no, phone, behaviour, nonce: url.searchParams.get("nonce") });
  if (behaviour === "500") return answer(500, {});
  if (behaviour === "refuse") return answer(200, { code: "17", msg: "no such number" });
  if (!lines().some((line) => line.taken === no)) note({ taken: no, phone, text, template, params });
  if (behaviour === "die") process.exit(1);
  if (behaviour !== "hang") answer(200, { code: "0000", no: `P-${no}` });
}

/** Reports everything taken as delivered, and answers what was heard. */
async function report({ to }, answer) {
  const reports = lines().filter(({ taken }) => taken).map(({ taken }) => ({ no: taken, state: "delivered", at: Date.now() }));
  const [path, timestamp, nonce, body] = ["/open/sms/report", Date.now(), randomBytes(12).toString("hex"), JSON.stringify({ reports })];
  const query = new URLSearchParams({ appId: account, timestamp, nonce, sign: signature(path, timestamp, nonce, body) });
  const heard = await fetch(`${to}/api${path}?${query}`, { method: "POST", headers: { "content-type": "application/json" }, body });
  answer(200, await heard.json());
}

const server = createServer((request, response) => {
  const answer = (status, data) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data));
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    const url = new URL(request.url, "http://provider");
    if (url.pathname === "/report") void report(JSON.parse(body), answer);
    else take(url, request.headers, body, answer);
  });
});
server.listen(Number(port), "127.0.0.1", () => console.log(server.address().port));
