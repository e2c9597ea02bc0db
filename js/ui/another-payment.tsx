/**
 * The question whether a payment is a different one from the organisation's payments of the same amount. The server refuses such a
 * decision with an error at the field `anotherPayment`, whose text names the others. A lazy chunk.
 */
import * as z from "zod/mini";

import { ApiError } from "../lib/api";
import type { Translate } from "../lib/i18n";
import type { List } from "./actions";
import { unmergeable } from "./conflict";
import type { FormField } from "./form";
import { FormDialog } from "./form-dialog";
import { rules } from "./form-rules";

/** The code of the only box: ticked, the payment is a different one. */
const BOX = ["another"] as const;

/** The answer, as a decision sends it. */
export interface Answer {
  anotherPayment?: boolean;
}

/** The question of the server, with the names of the other payments; undefined for other errors. */
export function questionOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.fields["anotherPayment"] : undefined;
}

/** The box; `anotherPaymentRule` is its rule in a form's schema. */
export function anotherPaymentField(t: Translate): FormField {
  return {
    name: "anotherPayment",
    label: "finance.sameAmount",
    kind: "boxes",
    wide: true,
    choices: BOX.map((value) => ({ value, label: t("finance.anotherPayment") })),
  };
}
export const anotherPaymentRule = (t: Translate) => rules(t).codes(BOX);

/** The answer of the box. */
export const answerOf = (ticked: readonly string[]): Answer => (ticked.length > 0 ? { anotherPayment: true } : {});

interface Decision<Saved> {
  title: string;
  /** Name of the button that decides. */
  submit: string;
  send: (answer: Answer) => Promise<Saved>;
}

/** Sends a decision; if the server returns the question, asks the viewer and sends it again. Undefined if the viewer does not answer. */
export async function sendDecision<Saved>({ t, open }: List, { title, submit, send }: Decision<Saved>): Promise<Saved | undefined> {
  try {
    return await send({});
  } catch (error) {
    const question = questionOf(error);
    if (question === undefined) throw error;
    return open<Saved>((overlay) => (
      <FormDialog
        overlay={overlay}
        title={title}
        note={question}
        submit={submit}
        form={{ schema: z.object({ anotherPayment: anotherPaymentRule(t) }), fields: [anotherPaymentField(t)] }}
        record={{ anotherPayment: [] }}
        save={async ({ anotherPayment }) => {
          try {
            return await send(answerOf(anotherPayment));
          } catch (error) {
            // The decision is about the record as it was read: when it has changed, there is nothing to merge.
            throw unmergeable(error);
          }
        }}
      />
    ));
  }
}
