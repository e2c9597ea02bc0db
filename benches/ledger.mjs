// How long the check of the books takes over a million entries and their transfers in the journal, and whether it names an entry that
// was changed, removed or inserted: a part of `make bench-lists`.
//
// On SQLite, and on the PostgreSQL server that LEADLANE_TEST_POSTGRES_URL names. Ends with an error where a figure is not
// met; the figures depend on the machine.

import { spawnSync } from "node:child_process";
import { createHmac, hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { POSTGRES, SQLITE, binary, conclude, figure, on, row } from "./support.mjs";

const ACCOUNTS = 100;
const ENTRIES = 10_000;
/** Rows of one statement. */
const BATCH = 1_000;
/** The demo has closed the months before this one. */
const BEGIN = Date.now();

/** Accounts of organisations of their own, each with a balance of its entries of one yuan. */
const ACCOUNT_ROWS = [
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${ACCOUNTS})
   INSERT INTO organisation (code, name, short_name, type, licence_no, licence_expire_on, bill_mode, credit_limit_cents, mode, status, version, created_at, updated_at)
   SELECT 'ledger' || i, '机构 ' || i, '机构 ' || i, 'other', 'BENCH', '2099-12-31', 'prepaid', 0, 'live', 'active', 1, 0, 0 FROM n`,
  `INSERT INTO org_account (org_id, balance_cents, total_recharge_cents, seq, status, created_at, updated_at)
   SELECT id, ${ENTRIES * 100}, ${ENTRIES * 100}, ${ENTRIES}, 'normal', 0, 0 FROM organisation WHERE code LIKE 'ledger%'`,
];

/** The transfers of these entries. */
const TRANSFERS = `INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, idem_key, begun_at, at)
  SELECT 'cash', 0, 'org_paid', a.org_id, l.amount_cents, 'posted', l.ref_type, l.ref_id, l.idem_key, l.at, l.at
  FROM account_ledger l JOIN org_account a ON a.id = l.account_id WHERE l.ref_type = 'bench';`;

/** The key of the ledger's hashes, made of the data key as the program makes it. */
function ledgerKey(data) {
  const dataKey = Buffer.from(readFileSync(join(data, "data.key"), "utf8").trim(), "hex");
  const lookups = createHmac("sha256", dataKey).update("leadlane look-up hash").digest();
  return Buffer.from(hkdfSync("sha256", lookups, Buffer.alloc(0), "leadlane ledger", 32));
}

/** The statements that add the entries of an account, chained as the program chains them. */
function entries(accountId, key) {
  const statements = [];
  let hash = "";
  for (let first = 1; first <= ENTRIES; first += BATCH) {
    const rows = [];
    for (let seq = first; seq < first + BATCH; seq++) {
      const [at, idemKey] = [BEGIN + seq * 1_000, `bench-${accountId}-${seq}`];
      const text = JSON.stringify([hash, [accountId, seq, 100, 0, seq * 100, seq, at], ["recharge", "bench", idemKey, "bench"], null]);
      hash = `1.${createHmac("sha256", key).update(text).digest("hex")}`;
      rows.push(`(${accountId},${seq},'recharge',100,${seq * 100},'bench',${seq},'${idemKey}','bench',${at},'${hash}')`);
    }
    statements.push(`INSERT INTO account_ledger (account_id,seq,type,amount_cents,balance_after_cents,ref_type,ref_id,idem_key,remark,at,hash) VALUES ${rows.join(",")};`);
  }
  return statements;
}

/** Drops the triggers that protect the ledger and the journal from changes by hand. */
const UNGUARDED = (engine) =>
  [["account_ledger", "fixed"], ["account_ledger", "kept"], ["account_ledger", "keyed"], ["journal_transfer", "fixed"]].map(
    ([table, name]) => `DROP TRIGGER ${table}_${name}${engine === POSTGRES ? ` ON ${table}` : ""};`,
  );

async function measure(engine) {
  await on(engine, async ({ database, run, env }) => {
    run("demo", "--days", "0", "--users", "0", "--channels", "5");
    database.run(ACCOUNT_ROWS.map((statement) => `${statement};`));
    const ids = database.ask("SELECT a.id FROM org_account a JOIN organisation o ON o.id = a.org_id WHERE o.code LIKE 'ledger%' ORDER BY a.id").split("\n");
    const key = ledgerKey(env.LEADLANE_DATA);
    for (const id of ids) database.run(entries(Number(id), key));
    database.run([TRANSFERS]);
    const verify = () => {
      const began = performance.now();
      const { status, stdout } = spawnSync(binary, ["ledger", "verify"], { env, encoding: "utf8" });
      return { seconds: (performance.now() - began) / 1000, status, stdout };
    };
    console.log(`\n${engine.name}: ${database.ask("SELECT COUNT(*) FROM account_ledger")} entries, ${database.ask("SELECT COUNT(*) FROM journal_transfer")} transfers`);
    const whole = verify();
    if (whole.status !== 0) throw new Error(`the books do not agree: ${whole.stdout}`);
    figure("ledger verify", whole.seconds, { most: 20, unit: " s" }, `${whole.seconds.toFixed(1)} s`);
    database.run(UNGUARDED(engine));
    const middle = (account) => `account_id = ${ids[account]} AND seq = ${ENTRIES / 2}`;
    const idOf = (condition) => database.ask(`SELECT id FROM account_ledger WHERE ${condition}`);
    const named = { changed: idOf(middle(1)), removed: idOf(`account_id = ${ids[2]} AND seq = ${ENTRIES / 2 + 1}`) };
    database.run([
      `UPDATE account_ledger SET remark = 'x' WHERE ${middle(1)};`,
      `UPDATE journal_transfer SET amount_cents = 101 WHERE idem_key = 'bench-${ids[4]}-1';`,
      `DELETE FROM account_ledger WHERE ${middle(2)};`,
      `INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, at) SELECT account_id, seq + 1, 'recharge', 1, 1, 'bench', 1, 'by hand', at FROM account_ledger WHERE account_id = ${ids[3]} AND seq = ${ENTRIES};`,
    ]);
    named.inserted = idOf("idem_key = 'by hand'");
    const broken = verify();
    figure("ledger verify with three entries tampered with", broken.seconds, { most: 20, unit: " s" }, `${broken.seconds.toFixed(1)} s`);
    const journal = broken.stdout.split("\n").filter((line) => line.includes("journal")).length;
    figure("transfers that agree with no entry", journal, { least: 2 }, `${journal}`);
    for (const [what, id] of Object.entries(named)) {
      const found = broken.stdout.includes(`entry ${id} `);
      row(`the ${what} entry is named`, found ? "yes" : "no");
      figure(`the ${what} entry`, Number(found), { least: 1 });
    }
  });
}

console.log(`The check of the books, ${os.cpus()[0].model}, ${os.cpus().length} cores`);
await measure(SQLITE);
if (process.env.LEADLANE_TEST_POSTGRES_URL) await measure(POSTGRES);
else console.log("\nPostgreSQL: LEADLANE_TEST_POSTGRES_URL names no server");
conclude();
