/** Many returns by one form: a reason, a note and files for each lead, then what became of each. A lazy chunk. */
import * as z from "zod/mini";

import type { DictOption, PushRow, ReturnForm, ReturnRow } from "../../../lib/api-types";
import { ApiError, api } from "../../../lib/api";
import { defaultOf } from "../../../lib/dictionary";
import { money } from "../../../lib/format";
import { type Translate, useT } from "../../../lib/i18n";
import { dictionaryLimits, leadReturnLimits } from "../../../lib/limits";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import type { Form, FormField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Open, Overlay } from "../../../ui/overlay";
import { PastedTable, TABLE, tableField, tableRule } from "../../../ui/pasted-table";
import { needsNote } from "./reason";
import { columnsOf, readReturns } from "./table";

/** The values of the form, by the name of the field with the id of the lead. */
type Values = Record<string, string | number[]>;

/** What became of one lead: its return, or why there is none. */
export interface Asked {
  row: PushRow;
  saved?: ReturnRow;
  refusal?: string;
}

interface Asking {
  t: Translate;
  open: Open;
  rows: readonly PushRow[];
}

/** Asks why leads are given back, requests each return and shows what became of it; returns whether any was requested. */
export async function askMany({ t, open, rows }: Asking): Promise<boolean> {
  const [reasons, ...checked] = await Promise.all([
    api.get<DictOption[]>("/dict/options", { type: "lead_return_reason" }),
    // What the server refuses whatever the reason needs no form.
    ...rows.map((row) => attempt(row, () => api.get<undefined>(`/plan/return/ask/${row.id}`, undefined, { quiet: true }))),
  ]);
  const refused = checked.filter(({ refusal }) => refusal !== undefined);
  let left = checked.filter(({ refusal }) => refusal === undefined).map(({ row }) => row);
  let began: Values = {};
  let any = false;
  while (left.length > 0) {
    const [these, from] = [left, began];
    const form = manyForm(t, these, reasons);
    const done = await open<{ values: Values; results: Asked[] }>((overlay) => (
      <FormDialog
        overlay={overlay}
        title={t("return.manyTitle", { count: these.length })}
        draft={`returns of ${these.map(({ id }) => id).join(" ")}`}
        note={refused.length > 0 ? t("return.manyRefused", { count: refused.length, why: textOf(refused) }) : undefined}
        submit={t("return.ask")}
        form={form}
        record={{ ...blankOf(these, reasons), ...from }}
        layout={(parts) => (
          <>
            {these.length > 1 && (
              <PastedTable
                parts={parts}
                columns={columnsOf(t)}
                read={(text) => readReturns(t, text, these, reasons)}
                take={({ id, reasonCode, note }) => {
                  parts.fill(`reasonCode${id}`, reasonCode);
                  parts.fill(`note${id}`, note);
                }}
                total={these.length}
              />
            )}
            <div className="ll-fields">{form.fields.filter(({ name }) => name !== TABLE).map(({ name }) => parts.control(name))}</div>
          </>
        )}
        save={async (values) => ({ values, results: await request(these, values) })}
      />
    ));
    if (!done) return any;
    any ||= done.results.some(({ saved }) => saved !== undefined);
    const failed = done.results.filter(({ refusal }) => refusal !== undefined);
    const again = await open<boolean>((overlay) => <Results overlay={overlay} results={done.results} mayRepeat={failed.length > 0} />);
    if (!again) return any;
    left = failed.map(({ row }) => row);
    // Files were not kept with a refused return: they are chosen again.
    began = Object.fromEntries(Object.entries(done.values).filter(([name]) => !name.startsWith("proofFileIds")));
  }
  if (refused.length > 0) await open<boolean>((overlay) => <Results overlay={overlay} results={refused} mayRepeat={false} />);
  return any;
}

/** One return after another: those of one organisation are counted one by one. */
async function request(rows: readonly PushRow[], values: Values): Promise<Asked[]> {
  const results: Asked[] = [];
  for (const row of rows) {
    const form = returnOf(row.id, values);
    results.push(await attempt(row, () => api.post<ReturnRow>("/plan/return", form, { quiet: true })));
  }
  return results;
}

async function attempt(row: PushRow, call: () => Promise<ReturnRow | undefined>): Promise<Asked> {
  try {
    const saved = await call();
    return saved ? { row, saved } : { row };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { row, refusal: Object.values(error.fields)[0] ?? error.desc };
  }
}

const textOf = (refused: readonly Asked[]) => refused.map(({ row, refusal }) => `${row.no}: ${refusal}`).join("; ");

/** The return of one lead, from the values of the form. */
export function returnOf(pushId: number, values: Values): ReturnForm {
  return {
    pushId,
    reasonCode: values[`reasonCode${pushId}`] as string,
    note: values[`note${pushId}`] as string,
    proofFileIds: values[`proofFileIds${pushId}`] as number[],
  };
}

function blankOf(rows: readonly PushRow[], reasons: readonly DictOption[]): object {
  const usual = defaultOf(reasons);
  const fields = rows.flatMap(({ id }) => [
    [`reasonCode${id}`, usual],
    [`note${id}`, ""],
    [`proofFileIds${id}`, []],
  ]);
  return { [TABLE]: "", ...Object.fromEntries(fields) };
}

/** Three fields for each lead, and one for the table that fills them in. */
export function manyForm(t: Translate, rows: readonly PushRow[], reasons: readonly DictOption[]): Form<Values> {
  const rule = rules(t);
  const texts = rows.flatMap(({ id }) => [
    [`reasonCode${id}`, rule.text(dictionaryLimits.chosenValue)] as const,
    [`note${id}`, rule.note(leadReturnLimits.note)] as const,
  ]);
  const files = rows.map(({ id }) => [`proofFileIds${id}`, rule.ids()] as const);
  const shape = { ...Object.fromEntries(texts), ...Object.fromEntries(files), [TABLE]: tableRule(t) };
  const noted = rows.map(({ id }) =>
    z.refine<Values>((values) => !needsNote(values[`reasonCode${id}`]) || values[`note${id}`] !== "", {
      path: [`note${id}`],
      error: t("ui.rule.required"),
    }),
  );
  return { schema: z.object(shape).check(...noted), fields: [tableField, ...rows.flatMap((row) => fieldsOf(t, row, reasons))] };
}

function fieldsOf(t: Translate, { id, no, nameMask, priceCents }: PushRow, reasons: readonly DictOption[]): FormField[] {
  const text = (label: "return.reason" | "return.note" | "return.proofs") => `${no} ${t(label)}`;
  return [
    {
      name: `reasonCode${id}`,
      label: "return.reason",
      text: `${text("return.reason")} (${nameMask}, ${money(priceCents)})`,
      kind: "select",
      required: true,
      empty: "return.choose",
      choices: reasons,
    },
    { name: `note${id}`, label: "return.note", text: text("return.note"), kind: "text" },
    {
      name: `proofFileIds${id}`,
      label: "return.proofs",
      text: text("return.proofs"),
      kind: "files",
      bizType: "return_proof",
      max: leadReturnLimits.mostProofs,
      stored: [],
      wide: true,
    },
  ];
}

interface ResultsProps {
  overlay: Overlay<boolean>;
  results: readonly Asked[];
  /** Offers the form again for those that were refused. */
  mayRepeat: boolean;
}

function Results({ overlay, results, mayRepeat }: ResultsProps) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={t("return.manyResult")} shape="wide">
      <div className="ll-dialog-body">
        <div className="ll-table-box" role="group" aria-label={t("return.manyResult")} tabIndex={0}>
          <table className="ll-table ll-compact">
            <thead>
              <tr>
                <th scope="col">{t("push.no")}</th>
                <th scope="col">{t("return.result")}</th>
              </tr>
            </thead>
            <tbody>
              {results.map(({ row, saved, refusal }) => (
                <tr key={row.id}>
                  <th scope="row">{row.no}</th>
                  <td>{refusal ?? t(saved?.status === "approved" ? "return.approvedAtOnce" : "return.asked")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close(false)}>{t("ui.close")}</Button>
        {mayRepeat && (
          <Button look="primary" onClick={() => overlay.close(true)}>
            {t("return.repeatRefused")}
          </Button>
        )}
      </footer>
    </Dialog>
  );
}
