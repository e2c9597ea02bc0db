/** The forms of feedback: what became of an applicant, and how the feedback was handled. A lazy chunk. */
import * as z from "zod/mini";

import type { DictOption, FeedbackRow, FeedbackSource, HandleStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { defaultOf } from "../../../lib/dictionary";
import type { Translate } from "../../../lib/i18n";
import { dictionaryLimits, feedbackLimits } from "../../../lib/limits";
import { unmergeable } from "../../../ui/conflict";
import { labelOf } from "../../../ui/field";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { List } from "../../../ui/list-page";
import type { Overlay } from "../../../ui/overlay";
import { stars } from "./fields";

const DISBURSED = "disbursed";
/** The sources of feedback that staff enter. */
const staffSources: readonly FeedbackSource[] = ["staff", "applicant"];

/** The subject: an applicant, or a lead that was sold. */
interface About {
  no: string;
  userId?: number;
  pushId?: number;
}

/** Opens the form of feedback; returns whether feedback was entered. */
export async function enterFeedback(about: About, byStaff: boolean, { t, open }: Pick<List, "t" | "open">): Promise<boolean> {
  const endCodes = await api.get<DictOption[]>("/dict/options", { type: "feedback_end_code" });
  return (await open<FeedbackRow>((overlay) => feedbackDialog({ overlay, t, about, byStaff, endCodes }))) !== undefined;
}

interface FeedbackDialog {
  overlay: Overlay<FeedbackRow>;
  t: Translate;
  about: About;
  /** Whether the viewer is staff of the platform. */
  byStaff: boolean;
  endCodes: readonly DictOption[];
}

function feedbackForm(t: Translate, byStaff: boolean, endCodes: readonly DictOption[]) {
  const rule = rules(t);
  const schema = z
    .object({
      source: rule.oneOf<FeedbackSource>(byStaff ? staffSources : ["buyer"]),
      star: rule.optionalInteger(0, feedbackLimits.mostStars),
      endCode: rule.optional(dictionaryLimits.chosenValue),
      loanCents: rule.optionalMoney(1, feedbackLimits.mostCents),
      content: rule.note(feedbackLimits.text),
    })
    .check(z.refine(({ star, endCode }) => star !== null || endCode !== null, { path: ["star"], error: t("feedback.outcomeNeeded") }));
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      {
        name: "source",
        label: "feedback.source",
        kind: "select",
        required: true,
        when: () => byStaff,
        choices: staffSources.map((value) => ({ value, label: labelOf(t, "FeedbackSource", value) })),
      },
      {
        name: "star",
        label: "feedback.star",
        kind: "select",
        empty: "feedback.noStar",
        choices: stars.map((value) => ({ value, label: labelOf(t, "user.star", value) })),
      },
      { name: "endCode", label: "feedback.endCode", kind: "select", empty: "feedback.noEndCode", choices: endCodes },
      { name: "loanCents", label: "feedback.loan", kind: "money", when: ({ endCode }) => endCode === DISBURSED },
      { name: "content", label: "feedback.content", kind: "area", wide: true, hint: "feedback.contentHint" },
    ],
  };
  return form;
}

/** The dialog of feedback; it closes with it as it was entered. */
function feedbackDialog({ overlay, t, about: { no, userId, pushId }, byStaff, endCodes }: FeedbackDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("feedback.enterTitle", { no })}
      draft={`feedback of ${userId} ${pushId}`}
      form={feedbackForm(t, byStaff, endCodes)}
      record={{ source: byStaff ? "staff" : "buyer", star: null, endCode: defaultOf(endCodes), loanCents: null, content: "" }}
      save={({ loanCents, ...values }) =>
        api.post<FeedbackRow>("/user/feedback", { ...values, userId, pushId, loanCents: values.endCode === DISBURSED ? loanCents : null })
      }
    />
  );
}

interface HandleDialog {
  overlay: Overlay<FeedbackRow>;
  t: Translate;
  row: FeedbackRow;
  status: Exclude<HandleStatus, "open">;
}

const steps = { in_progress: "feedback.begin", done: "feedback.finish", closed: "feedback.close" } as const;

/** The dialog that asks what was done; it closes with the feedback as it is then. */
export function handleDialog({ overlay, t, row: { id, version, userNo, reply }, status }: HandleDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("feedback.handleTitle", { no: userNo, step: t(steps[status]) })}
      draft={`feedback.${status} ${id}`}
      submit={t(steps[status])}
      form={{
        schema: z.object({ reply: rules(t).note(feedbackLimits.text) }),
        fields: [{ name: "reply", label: "feedback.reply", kind: "area", wide: true, hint: "feedback.replyHint" }],
      }}
      record={{ reply }}
      save={async (values) => {
        try {
          return await api.put<FeedbackRow>("/user/feedback/handle", { id, version, status, ...values });
        } catch (error) {
          // The step is about the feedback as it was read: when it has changed, there is nothing to merge.
          throw unmergeable(error);
        }
      }}
    />
  );
}
