/** /user/feedback-list: what became of applicants, how it is handled, and whether their channels were informed. */
import type { FeedbackDetail, FeedbackRow, HandleStatus } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { feedbackFields, feedbackFilters } from "./fields";

export default function FeedbackList() {
  return (
    <ListPage
      title="feedback.title"
      empty="feedback.empty"
      api="/user/feedback"
      points="user/feedback-list"
      fields={feedbackFields}
      filters={feedbackFilters}
      actions={actions}
    />
  );
}

const actions: readonly RowAction<FeedbackRow>[] = [
  { label: "feedback.view", point: "view", run: view },
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

/** The program has stopped informing the channel, and a person has to decide. */
function waits({ callbackStatus }: FeedbackRow) {
  return callbackStatus === "failed" || callbackStatus === "unconfirmed";
}

async function view({ id }: FeedbackRow, { open }: List) {
  const [{ showFeedback }, detail] = await Promise.all([import("./detail"), api.get<FeedbackDetail>(`/user/feedback/${id}`)]);
  await open((overlay) => showFeedback({ overlay, detail }));
}

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
