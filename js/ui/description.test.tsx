/// <reference types="node" />
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { texts } from "virtual:texts";

import { AppContext } from "../lib/app-context";
import { translator } from "../lib/i18n";
import { Description } from "./description";
import type { Field } from "./field";

interface Account {
  bankName: string;
  mask: string;
}

const fields: readonly Field<Account>[] = [
  { key: "bankName", title: "payee.bankName" },
  { key: "mask", title: "payee.bankAccount", kind: "code" },
];

/** The texts that a description strikes out. */
function struckOut(row: Account, previous: Account, differing: readonly (keyof Account)[] = []): string[] {
  const context = { props: { locale: "en-US" }, t: translator(texts["en-US"]) } as never;
  const html = renderToStaticMarkup(
    <AppContext.Provider value={context}>
      <Description fields={fields} row={row} previous={previous} differing={differing} reveals={{ mask: async () => null }} />
    </AppContext.Provider>,
  );
  return [...html.matchAll(/<del[^>]*>(.*?)<\/del>/g)].map(([, text]) => text!);
}

const account = { bankName: "A", mask: "**** **** 7890" };

test("what differs is struck out, also where both have the same mask", () => {
  assert.deepEqual(struckOut(account, account), []);
  assert.deepEqual(struckOut({ ...account, bankName: "B" }, account), ["A"]);
  assert.deepEqual(struckOut(account, account, ["mask"]), ["**** **** 7890"]);
});

test("nothing is struck out where nothing was before", () => {
  assert.deepEqual(struckOut(account, { bankName: "", mask: "" }, ["mask"]), []);
});
