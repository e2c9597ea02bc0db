/** The decisions about a project: on to the next step, back to its applicant, or given up. A lazy chunk. */
import * as z from "zod/mini";

import type { DictOption, ProjectRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { defaultsOf } from "../../../lib/dictionary";
import type { MessageKey, Translate } from "../../../lib/i18n";
import { projectLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import { confirm, type Open } from "../../../ui/overlay";

/** What a decision works with; a list and a project's own page both have it. */
export interface Desk {
  t: Translate;
  open: Open;
  reload: (done?: MessageKey) => Promise<void>;
}

/** The decision is about the project as it was read: when it has changed, there is nothing to merge. */
async function decide(row: ProjectRow, decision: object): Promise<ProjectRow> {
  try {
    return await api.put<ProjectRow>("/project/audit", { id: row.id, version: row.version, ...decision });
  } catch (error) {
    throw unmergeable(error);
  }
}

function noteForm(t: Translate): Form<{ note: string }> {
  return {
    schema: z.object({ note: rules(t).note(projectLimits.note) }),
    fields: [{ name: "note", label: "project.approveNote", kind: "area", wide: true }],
  };
}

/** Ends the step that the project is in. */
export async function approve(row: ProjectRow, { t, open, reload }: Desk): Promise<void> {
  const done = await open<ProjectRow>((overlay) => (
    <FormDialog
      overlay={overlay}
      title={t("project.approveTitle", { step: t(`ProjectStage.${row.stage}`) })}
      draft={`project.approve ${row.id} ${row.version}`}
      submit={t("project.approve")}
      form={noteForm(t)}
      record={{ note: "" }}
      save={({ note }) => decide(row, { decision: "approve", note })}
    />
  ));
  await reload(done && "project.approved");
}

/** Returns the project to its applicant, with what has to be corrected. */
export async function sendBack(row: ProjectRow, { t, open, reload }: Desk): Promise<void> {
  const rule = rules(t);
  const choices = await api.get<DictOption[]>("/dict/options", { type: "project_return_reason" });
  const codes = choices.map(({ value }) => value);
  const schema = z
    .object({ reasons: rule.codes(codes, 1), note: rule.note(projectLimits.note) })
    .check(
      z.refine(({ reasons, note }) => note !== "" || !reasons.includes("other"), { path: ["note"], error: t("project.otherNeedsNote") }),
    );
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "reasons",
        label: "project.reasons",
        kind: "boxes",
        required: true,
        wide: true,
        choices,
      },
      { name: "note", label: "project.returnNote", kind: "area", wide: true, hint: "project.returnNoteHint" },
    ],
  };
  const done = await open<ProjectRow>((overlay) => (
    <FormDialog
      overlay={overlay}
      title={t("project.returnTitle", { name: row.name })}
      draft={`project.return ${row.id} ${row.version}`}
      submit={t("project.return")}
      form={form}
      record={{ reasons: defaultsOf(choices), note: "" }}
      save={(values) => decide(row, { decision: "return", ...values })}
    />
  ));
  await reload(done && "project.returned");
}

/** Gives the project up. */
export async function withdraw({ id, version, name }: ProjectRow, { t, open, reload }: Desk): Promise<void> {
  const question = {
    title: t("project.withdrawTitle", { name: name || t("project.unnamed") }),
    text: t("project.withdrawText"),
    confirm: t("project.withdraw"),
    danger: true,
  };
  if (!(await confirm(open, question))) return;
  await api.put("/project/withdraw", { id, version });
  await reload("project.withdrawn");
}
