/** What is done with feedback, in the list and on its own page. */
import type { FeedbackRow, HandleStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { List, RowAction } from "../../../ui/actions";
import { waits } from "./state";

export const feedbackActions: readonly RowAction<FeedbackRow>[] = [
  {
    label: "feedback.begin",
    point: "handle",
    when: ({ handleStatus }) => handleStatus === "open" || handleStatus === "done",
    run: stepTo("in_progress"),
  },
  {
    label: "feedback.finish",
    point: "handle",
    when: ({ handleStatus }) => handleStatus === "open" || handleStatus === "in_progress",
    run: stepTo("done"),
  },
  { label: "feedback.close", point: "handle", when: ({ handleStatus }) => handleStatus !== "closed", run: stepTo("closed") },
  { label: "feedback.resend", point: "handle", when: waits, run: resend },
  { label: "feedback.giveUp", point: "handle", when: waits, run: giveUp },
];

function stepTo(status: Exclude<HandleStatus, "open">): RowAction<FeedbackRow>["run"] {
  return async (row, { t, open, reload }) => {
    const { handleDialog } = await import("./form");
    if (await open<FeedbackRow>((overlay) => handleDialog({ overlay, t, row, status }))) await reload("feedback.handled");
  };
}

async function resend({ id, version, channelName }: FeedbackRow, { t, confirm, reload }: List) {
  const title = t("feedback.resendTitle", { channel: channelName });
  if (!(await confirm({ title, text: t("feedback.resendText"), confirm: t("feedback.resend") }))) return;
  await api.put("/user/feedback/resend", { id, version });
  await reload("feedback.resendDone");
}

async function giveUp({ id, version, channelName }: FeedbackRow, { t, confirm, reload }: List) {
  const title = t("feedback.giveUpTitle", { channel: channelName });
  if (!(await confirm({ title, text: t("feedback.giveUpText"), confirm: t("feedback.giveUp"), danger: true }))) return;
  await api.put("/user/feedback/giveUp", { id, version });
  await reload("feedback.giveUpDone");
}
