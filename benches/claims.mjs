// Whether clues are claimed once and within the limits, and never without an owner or a pool: a part of `make stress`.
//
// 200 salespeople claim the same 100 clues at once, on two nodes where the engine allows it. Then clues come due for
// reclaiming while their owners follow them up in the same seconds, release them and claim others, and a manager
// assigns them. Afterwards rows are counted. CLAIMS_PEOPLE and CLAIMS_SECONDS make it shorter.

import { spawn } from "node:child_process";
import { POSTGRES, SQLITE, agent, binary, end, environmentOf, freePort, on, organisation, organisationId, ready, row, send, signIn } from "./support.mjs";

const PEOPLE = Number(process.env.CLAIMS_PEOPLE ?? 200);
const SECONDS = Number(process.env.CLAIMS_SECONDS ?? 60);
const CLUES = 100;
/** The most clues that a salesperson may claim a day, and hold; fewer than they try to claim. */
const CLAIMS = 3;
const HOLDS = 2;
const APPLICANTS = 20;

const org = organisationId("claims");
const OPEN = "k.stage NOT IN ('disbursed', 'invalid', 'lost')";

function filling(now) {
  const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})`;
  return [
    organisation("claims", 0),
    `INSERT INTO clue_pool (org_id, name, claim_per_day, former_owner_days, new_delay_minutes, reclaim_days, remind_days, status, created_at, updated_at)
       VALUES (${org}, 'claims', ${CLAIMS}, 0, 0, 7, 1, 'enabled', 0, 0)`,
    `${numbers(PEOPLE)} INSERT INTO administrator (username, password_hash, real_name, org_id, status, pwd_changed_at, active_role_id, created_at, updated_at)
       SELECT 'claims' || i, (SELECT password_hash FROM administrator WHERE username = 'north.sales1'), 'claims ' || i, ${org}, 'enabled', ${now},
       (SELECT id FROM role WHERE code = CASE i WHEN 0 THEN 'org_manager' ELSE 'org_sales' END), 0, 0 FROM n`,
    "INSERT INTO admin_role (admin_id, role_id) SELECT id, active_role_id FROM administrator WHERE username LIKE 'claims%'",
    `INSERT INTO salesperson (id, org_id, level, status, private_cap, receiving, created_at, updated_at)
       SELECT id, org_id, 'middle', 'active', ${HOLDS}, 0, 0, 0 FROM administrator WHERE username LIKE 'claims%'`,
    // About applicants of the demo: a follow-up needs a person.
    `${numbers(CLUES)} INSERT INTO clue (no, user_id, org_id, pool_id, pooled_at, claimable_at, name_mask, phone_mask, city, stage, created_at, updated_at)
       SELECT 'CLAIM-' || i, (SELECT MIN(id) FROM applicant) + i % ${APPLICANTS}, ${org}, (SELECT id FROM clue_pool WHERE name = 'claims'), 0, 0, '***', '***', '', 'new', 0, 0 FROM n`,
  ].map((statement) => `${statement};`);
}

/** Faults, which must not exist: each with the statement that counts it. */
const FAULTS = {
  "clues without an owner or a pool, or with both": `SELECT COUNT(*) FROM clue k WHERE k.org_id = ${org} AND (k.owner_id IS NULL) = (k.pool_id IS NULL)`,
  "salespeople whose count is not that of their clues": `SELECT COUNT(*) FROM salesperson s WHERE s.org_id = ${org} AND s.held <> (SELECT COUNT(*) FROM clue k WHERE k.owner_id = s.id AND ${OPEN})`,
  "salespeople who hold more than they may": `SELECT COUNT(*) FROM salesperson s WHERE s.org_id = ${org} AND s.private_cap < (SELECT COUNT(*) FROM clue k WHERE k.owner_id = s.id AND ${OPEN})`,
  "salespeople who claimed more than they may": `SELECT COUNT(*) FROM (SELECT l.to_owner FROM clue_owner_log l JOIN clue k ON k.id = l.clue_id AND k.org_id = ${org} WHERE l.way = 'claim' GROUP BY l.to_owner HAVING COUNT(*) > ${CLAIMS}) AS found`,
  "claims that are counted otherwise": `SELECT COUNT(*) FROM crm_day_count d WHERE d.kind = 'claims' AND d.used <> (SELECT COUNT(*) FROM clue_owner_log l WHERE l.way = 'claim' AND l.to_owner = d.subject_id)`,
  "clues claimed twice in a row": `SELECT COUNT(*) FROM clue_owner_log l JOIN clue k ON k.id = l.clue_id AND k.org_id = ${org}
    WHERE l.way = 'claim' AND l.from_owner IS NOT NULL`,
  "clues whose owner is not the last of the log": `SELECT COUNT(*) FROM clue k WHERE k.org_id = ${org}
    AND EXISTS (SELECT 1 FROM clue_owner_log l WHERE l.clue_id = k.id) AND COALESCE(k.owner_id, 0) <> (SELECT COALESCE(l.to_owner, 0) FROM clue_owner_log l WHERE l.clue_id = k.id ORDER BY l.id DESC LIMIT 1)`,
  "followed up by one who did not have it": `SELECT COUNT(*) FROM clue_follow f JOIN clue k ON k.id = f.clue_id AND k.org_id = ${org}
    WHERE NOT EXISTS (SELECT 1 FROM clue_owner_log l WHERE l.clue_id = f.clue_id AND l.to_owner = f.admin_id)`,
};

/** Prints each fault with how often it is found, and returns how many there are. */
function faults(database, when) {
  let found = 0;
  console.log(`  ${when}:`);
  for (const [name, sql] of Object.entries(FAULTS)) {
    const number = Number(database.ask(sql));
    found += number;
    row(name, number);
  }
  return found;
}

const any = (list) => list[Math.floor(Math.random() * list.length)];
const shuffled = (list) => list.map((item) => [Math.random(), item]).sort((a, b) => a[0] - b[0]).map(([, item]) => item);

async function race(engine, processes) {
  let found = 0;
  await on(engine, async ({ database, run, env }) => {
    run("demo", "--days", "0", "--users", String(APPLICANTS));
    const now = Date.now();
    database.run(filling(now));
    const nodes = [];
    for (let node = 0; node < processes; node++) {
      const port = await freePort();
      const child = spawn(binary, ["serve"], { env: { ...env, ...environmentOf(port) }, stdio: ["ignore", "ignore", "inherit"] });
      nodes.push({ port, child });
      await ready(port, child);
    }
    const ids = database.ask(`SELECT id FROM clue WHERE org_id = ${org}`).split("\n").map(Number);
    const people = [];
    for (let person = 0; person < PEOPLE; person++) people.push(await signIn(nodes[person % processes].port, `claims${person}`));
    const call = (person, method, path, body) => send(any(nodes).port, method, `/api${path}`, body && JSON.stringify(body), people[person]).then(({ data }) => data, () => undefined);

    // All at once.
    const claimed = await Promise.all(
      people.map(async (_, person) => {
        let got = 0;
        for (const id of shuffled(ids)) if (await call(person, "POST", "/crm/clue/claim", { id })) got++;
        return got;
      }),
    );
    row("clues claimed by people", `${claimed.reduce((sum, got) => sum + got, 0)} of ${CLUES} by ${claimed.filter(Boolean).length}`);
    if (claimed.reduce((sum, got) => sum + got, 0) !== Math.min(CLUES, PEOPLE * HOLDS)) {
      found++;
      row("clues left in the pool that someone could have claimed", 1);
    }
    found += faults(database, "after the claims");

    // Reclaimed, followed up, released, claimed and assigned in the same seconds, with new counts of the day.
    database.run([`UPDATE crm_day_count SET used = 0;`, "DELETE FROM clue_owner_log WHERE way = 'claim';", `INSERT INTO clue_owner_log (clue_id, to_owner, way, at) SELECT id, owner_id, 'assign', ${now} FROM clue WHERE org_id = ${org} AND owner_id IS NOT NULL;`]);
    let over = false;
    const done = { assigned: 0, released: 0, claimed: 0, "followed up": 0, due: 0 };
    const worker = async (person) => {
      while (!over) {
        const id = any(ids);
        const what = Math.random();
        if (what < 0.4) {
          if (await call(person, "POST", "/crm/clue/claim", { id })) done.claimed++;
        } else if (what < 0.6) {
          if (await call(person, "POST", "/crm/release", { ids: [id] })) done.released++;
        } else if (await call(person, "POST", "/crm/progress", { id, type: "call", level: "a" })) done["followed up"]++;
      }
    };
    const manager = async () => {
      while (!over) {
        const sales = database.ask(`SELECT id FROM salesperson WHERE org_id = ${org}`).split("\n").map(Number);
        const answer = await call(0, "POST", "/crm/assign", { ids: shuffled(ids).slice(0, 5), salespersonIds: shuffled(sales).slice(0, 3) });
        done.assigned += answer?.done ?? 0;
      }
    };
    const clock = async () => {
      while (!over) {
        await new Promise((tick) => setTimeout(tick, 1000));
        // Half of them come due while salespeople work on them.
        await database.change(`UPDATE clue SET reclaim_at = ${Date.now()} WHERE org_id = ${org} AND owner_id IS NOT NULL AND id % 2 = 0`).then(() => done.due++, () => {});
      }
    };
    const ends = setTimeout(() => (over = true), SECONDS * 1000);
    await Promise.all([
      // The first is the manager, who follows up what others have.
      ...Array.from({ length: Math.min(16, PEOPLE - 1) }, (_, person) => worker(person + 1)),
      manager(),
      clock(),
    ]);
    clearTimeout(ends);
    await Promise.all(nodes.map(({ child }) => end(child)));
    const reclaimed = Number(database.ask(`SELECT COUNT(*) FROM clue_owner_log WHERE way = 'reclaim'`));
    row("then", `${Object.entries({ ...done, reclaimed }).map(([name, times]) => `${name} ${times}`).join(", ")}`);
    found += faults(database, "at the end");
  });
  return found;
}

const ENGINES = { sqlite: () => race(SQLITE, 1), postgres: () => race(POSTGRES, 2) };
let guilty = 0;
for (const name of (process.env.STRESS_ENGINES ?? "sqlite,postgres").split(",").filter((name) => name !== "postgres" || process.env.LEADLANE_TEST_POSTGRES_URL)) {
  console.log(`\nclaims, ${name}`);
  guilty += await ENGINES[name]();
}
console.log(guilty === 0 ? "not guilty: no clue was claimed twice, over a limit, or left without an owner or a pool" : `guilty: ${guilty} faults`);
process.exitCode = guilty === 0 ? 0 : 1;
agent.destroy();
