// The yardstick of a whole page: a server of Bun or Node with nothing but what the page needs. For each request it checks the
// token, runs the three statements of the channel list, renders the same HTML from plain components, and sends it with its
// data. BARE_PORT, BARE_TOKEN, BARE_HTML (a file) and BARE_DATABASE_URL say what it serves.

import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import { plainPage } from "../plain-page.mjs";

const { BARE_PORT: port, BARE_TOKEN: token, BARE_HTML: file, BARE_DATABASE_URL: url } = process.env;
const render = plainPage(readFileSync(file, "utf8"));
const KEY = "bench";
const [head, claims] = token.split(".");
const { sid, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
/** The token as this server would have signed it. */
const signature = createHmac("sha256", KEY).update(`${head}.${claims}`).digest();

const SESSION = `SELECT s.id AS session_id, s.admin_id, s.role_id, s.ip, s.created_at, s.last_seen_at, a.username, a.real_name, a.avatar, a.org_id,
  a.sub_org_id, a.must_change_pwd, a.pwd_changed_at, o.name AS org_name, r.code AS role_code, r.version AS role_version, f.confirmed_at,
  (SELECT string_agg(v.name || ' ' || CAST(v.version AS TEXT), ' ') FROM table_version v) AS versions
  FROM admin_session s JOIN administrator a ON a.id = s.admin_id AND a.status = 'enabled' AND a.deleted_at IS NULL
  JOIN admin_role ar ON ar.admin_id = s.admin_id AND ar.role_id = s.role_id
  JOIN role r ON r.id = s.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL
  LEFT JOIN organisation o ON o.id = a.org_id LEFT JOIN second_factor f ON f.admin_id = a.id
  WHERE s.revoked_at IS NULL AND s.expires_at > $1 AND s.id IN ($2, $3)`;
const ROWS = `WITH page AS (SELECT c.id, c.code, c.name, c.type, c.settle_mode, c.unit_price_cents, c.share_bp, c.landing_url, c.app_key,
  c.old_secret_until, c.ip_allow, c.callback_url, c.mode, c.status, c.dedup_days, c.dedup_scope, c.required_fields,
  (SELECT '[' || string_agg('{"window":"' || k."window" || '","maxCount":' || COALESCE(CAST(k.max_count AS TEXT), 'null') || '}', ',') || ']'
    FROM cap_rule k WHERE k.subject_type = 'channel' AND k.subject_id = c.id) AS caps,
  c.owner_admin_id, a.real_name AS owner, c.version, c.created_at, c.updated_at
  FROM channel c LEFT JOIN administrator a ON a.id = c.owner_admin_id WHERE c.deleted_at IS NULL ORDER BY c.created_at DESC, c.id DESC LIMIT $1 OFFSET $2)
  SELECT page.*, (SELECT COUNT(*) FROM channel c WHERE c.deleted_at IS NULL) AS page_total FROM page`;
const used = (count) => `SELECT k.id, k.subject_id, k."window", k.weekday, k.max_count, k.max_cents, COALESCE(c.used_count, 0) AS used_count,
  COALESCE(c.used_cents, 0) AS used_cents FROM cap_rule k LEFT JOIN cap_counter c ON c.rule_id = k.id AND c.window_start =
  CASE k."window" WHEN 'hour' THEN $1::BIGINT WHEN 'day' THEN $2::BIGINT WHEN 'week' THEN $3::BIGINT WHEN 'month' THEN $4::BIGINT ELSE 0 END
  WHERE k.subject_type = $5 AND k.subject_id IN (${Array.from({ length: count }, (_, i) => `$${i + 6}`).join(", ")})`;

const ask = await connect();

/** A function that runs a statement on one of sixteen connections. */
async function connect() {
  if (globalThis.Bun) {
    const sql = new Bun.SQL(url, { max: 16 });
    return (text, values) => sql.unsafe(text, values);
  }
  const { default: postgres } = await import("postgres");
  const sql = postgres(url, { max: 16 });
  return (text, values) => sql.unsafe(text, values, { prepare: true });
}

function isSigned(cookie) {
  const [, given] = /token=([^;]+)/.exec(cookie ?? "") ?? [];
  const [itsHead, itsClaims] = (given ?? "").split(".");
  return timingSafeEqual(createHmac("sha256", KEY).update(`${itsHead}.${itsClaims}`).digest(), signature);
}

async function page(cookie) {
  if (!isSigned(cookie)) return null;
  const now = Date.now();
  const [viewer] = await ask(SESSION, [now, 0, Number(sid)]);
  if (Number(viewer?.admin_id) !== Number(sub)) return null;
  const rows = await ask(ROWS, [20, 0]);
  const ids = rows.map(({ id }) => id);
  const usage = await ask(used(ids.length), [now, now, now, now, "channel", ...ids]);
  const data = JSON.stringify({ viewer, rows: [...rows], usage: [...usage] }).replaceAll("<", "\\u003c");
  return `<!doctype html><html lang="zh-CN"><body><div id="root">${render()}</div><script type="application/json">${data}</script></body></html>`;
}

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
if (globalThis.Bun) {
  Bun.serve({
    port: Number(port),
    hostname: "127.0.0.1",
    async fetch(request) {
      const html = await page(request.headers.get("cookie"));
      return new Response(html ?? "", { status: html === null ? 401 : 200, headers: HEADERS });
    },
  });
} else {
  const server = http.createServer((request, response) => {
    page(request.headers.cookie).then((html) => {
      const body = Buffer.from(html ?? "");
      response.writeHead(html === null ? 401 : 200, { ...HEADERS, "content-length": body.length });
      response.end(body);
    });
  });
  server.listen(Number(port), "127.0.0.1");
}
