/** The forms of a clue: a follow-up, a return, and why it is reopened. A lazy chunk. */
import * as z from "zod/mini";

import type { ClueRow, ClueStage, DictOption, FollowResult, FollowType, ReturnRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { clueLevelCodes, followResultCodes, followTypeCodes } from "../../../lib/codes";
import { defaultOf } from "../../../lib/dictionary";
import type { Translate } from "../../../lib/i18n";
import { decisionLimits, dictionaryLimits, followUpLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Open, Overlay } from "../../../ui/overlay";
import { loadReturnForm } from "../../plan/share";
import { plannedContact, type ClueChoices } from "./fields";
import { isGivenUp, isOpenStage, stagesFrom } from "./stages";

interface Dialog<Saved> {
  overlay: Overlay<Saved>;
  t: Translate;
}

const choicesOf = (t: Translate, labels: string, codes: readonly string[]) =>
  codes.map((value) => ({ value, label: labelOf(t, labels, value) }));

interface FollowDialog extends Dialog<ClueRow> {
  row: ClueRow;
  choices: ClueChoices;
  /** The stage to begin with. */
  stage?: ClueStage | undefined;
}

function followForm(t: Translate, row: ClueRow, lostReasons: readonly DictOption[]) {
  const rule = rules(t);
  const stages = stagesFrom(row.stage);
  const schema = z
    .object({
      type: rule.oneOf<FollowType>(followTypeCodes),
      result: rule.optional(32),
      note: rule.note(followUpLimits.note),
      status: rule.oneOf<ClueStage>(stages),
      lostReason: rule.optional(dictionaryLimits.chosenValue),
      nextAt: rule.optionalMoment(),
      level: rule.oneOf(clueLevelCodes),
      star: rule.integer(0, followUpLimits.mostStars),
      fileIds: rule.ids(),
    })
    .check(
      z.refine(({ status, lostReason }) => !isGivenUp(status) || lostReason !== null, { path: ["lostReason"], error: t("ui.rule.choose") }),
      // A closed stage has no next contact, and its form does not show one.
      z.refine(({ status, nextAt }) => !isOpenStage(status) || nextAt === null || nextAt > Date.now(), {
        path: ["nextAt"],
        error: t("clue.nextPast"),
      }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "type", label: "clue.type", kind: "select", choices: choicesOf(t, "FollowType", followTypeCodes) },
      {
        name: "result",
        label: "clue.result",
        kind: "select",
        empty: "clue.noResult",
        choices: choicesOf(t, "FollowResult", followResultCodes),
      },
      { name: "note", label: "clue.note", kind: "area", wide: true },
      { name: "status", label: "clue.stageNext", kind: "select", choices: choicesOf(t, "ClueStage", stages) },
      {
        name: "lostReason",
        label: "clue.lostReasonName",
        kind: "select",
        required: true,
        empty: "clue.choose",
        choices: lostReasons,
        when: ({ status }) => isGivenUp(status),
      },
      { name: "nextAt", label: "clue.nextFollowAt", kind: "moment", when: ({ status }) => isOpenStage(status) },
      { name: "level", label: "clue.level", kind: "select", choices: choicesOf(t, "ClueLevel", clueLevelCodes) },
      { name: "star", label: "clue.star", kind: "select", choices: choicesOf(t, "clue.stars", ["0", "1", "2", "3"]) },
      {
        name: "fileIds",
        label: "clue.files",
        kind: "files",
        bizType: "clue_follow",
        max: followUpLimits.mostFiles,
        stored: [],
        wide: true,
      },
    ],
  };
  return form;
}

/** The body of a follow-up, without values that a closed stage does not accept. */
export function progressOf(
  row: Pick<ClueRow, "id" | "version">,
  values: { status: ClueStage; lostReason: string | null; nextAt: number | null; result: string | null },
): object {
  return {
    ...values,
    id: row.id,
    version: row.version,
    result: values.result as FollowResult | null,
    nextAt: isOpenStage(values.status) ? values.nextAt : null,
    lostReason: isGivenUp(values.status) ? values.lostReason : null,
  };
}

/** The dialog of a follow-up; it closes with the clue as it is then. */
export function followDialog({ overlay, t, row, choices, stage }: FollowDialog) {
  const begin = {
    type: "call",
    result: null,
    note: "",
    lostReason: defaultOf(choices.lostReasons),
    nextAt: plannedContact(row),
    level: row.level,
    star: row.star,
    fileIds: [],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("clue.followTitle", { name: row.nameMask, no: row.no })}
      draft={`clue.follow ${row.id}`}
      submit={t("clue.followSave")}
      form={followForm(t, row, choices.lostReasons)}
      record={{ ...begin, status: stage ?? (row.stage === "new" ? "following" : row.stage) }}
      save={async (values) => {
        try {
          return await api.post<ClueRow>("/crm/progress", progressOf(row, values));
        } catch (error) {
          throw unmergeable(error);
        }
      }}
    />
  );
}

interface GiveBack {
  t: Translate;
  open: Open;
  id: number;
  no: string;
}

/** Asks why a lead is given back; returns the requested return. */
export async function giveBackDialog({ t, open, id, no }: GiveBack): Promise<ReturnRow | undefined> {
  // The server refuses a return that is too late, or one too many, before the form is filled in.
  await api.get(`/crm/return/ask/${id}`);
  const [reasons, { askForm }] = await Promise.all([
    api.get<DictOption[]>("/dict/options", { type: "lead_return_reason" }),
    loadReturnForm(),
  ]);
  return open<ReturnRow>((overlay) => (
    <FormDialog
      overlay={overlay}
      title={t("clue.giveBackTitle", { no })}
      draft={`clue.giveBack ${id}`}
      submit={t("return.ask")}
      form={askForm(t, reasons)}
      record={{ reasonCode: defaultOf(reasons), note: "", proofFileIds: [] }}
      save={(values) => api.post<ReturnRow>("/crm/return", { ...values, id })}
    />
  ));
}

/** The dialog that asks why a clue is worked on again. */
export function reopenDialog({ overlay, t, row: { id, version, no } }: Dialog<ClueRow> & { row: ClueRow }) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("clue.reopenTitle", { no })}
      draft={`clue.reopen ${id}`}
      submit={t("clue.reopen")}
      form={{
        schema: z.object({ note: rules(t).text(decisionLimits.reason) }),
        fields: [{ name: "note", label: "clue.note", kind: "area", required: true, wide: true }],
      }}
      record={{ note: "" }}
      save={async ({ note }) => {
        try {
          return await api.put<ClueRow>("/crm/clue/reopen", { id, version, note });
        } catch (error) {
          throw unmergeable(error);
        }
      }}
    />
  );
}
