/** Text messages to the person of a clue: a preview, those that were sent, and the opt-out. */
import { useState } from "react";

import type { ClueDetail, ClueMessage, ClueMessages, ClueText } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { minute } from "../../../lib/format";
import { useT } from "../../../lib/i18n";
import { usePageData, useReload } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { Button } from "../../../ui/button";
import { reported } from "../../../ui/description";
import { confirm, useOverlay } from "../../../ui/overlay";
import { EnumTag } from "../../../ui/tag";
import { isOpenStage } from "./stages";

export function ClueTexts({ clue }: { clue: ClueDetail }) {
  const t = useT();
  const [overlays, open] = useOverlay();
  const [busy, setBusy] = useState(false);
  const runLoads = useReload();
  const { data: messages, desc } = usePageData<ClueMessages | null>("texts");
  if (!messages) return <p className="ll-quiet">{desc}</p>;
  const { previews, history, leftToday, optedOut } = messages;
  const withdrawn = clue.applicant.consentWithdrawnAt !== null;
  const sends = !optedOut && !withdrawn && leftToday > 0 && clue.ownerId !== null && isOpenStage(clue.stage);
  const run = (work: () => Promise<unknown>) => {
    setBusy(true);
    work()
      .then(runLoads, reported)
      .finally(() => setBusy(false));
  };
  const send = async (template: ClueText, text: string) => {
    if (!(await confirm(open, { title: t("clue.sendTitle"), text, confirm: t("clue.send") }))) return;
    run(async () => {
      await api.post<ClueMessage>("/crm/sendMsg", { id: clue.id, template });
      notify("success", t("clue.sent"));
    });
  };
  return (
    <>
      <p className="ll-lead">
        {withdrawn ? t("clue.withdrawnNote") : optedOut ? t("clue.optedOutNote") : t("clue.leftToday", { count: leftToday })}
      </p>
      <ul className="mb-4 grid gap-2">
        {previews.map(({ template, text }) => (
          <li key={template} className="boxed px-4 py-3">
            <b>{t(`ClueText.${template}`)}</b>
            <p className="mt-1 mb-2">{text}</p>
            {sends && (
              <Button small busy={busy} onClick={() => void send(template, text)}>
                {t("clue.send")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button busy={busy} onClick={() => run(() => api.put("/crm/optOut", { id: clue.id, optedOut: !optedOut }))}>
        {t(optedOut ? "clue.optIn" : "clue.optOut")}
      </Button>
      <h3 className="ll-details-title">{t("clue.sentTexts")}</h3>
      {history.length === 0 && <p className="ll-quiet">{t("clue.noTexts")}</p>}
      <ol className="ll-timeline">
        {history.map(({ id, template, text, adminName, state, at }) => (
          <li key={id}>
            <p>
              <strong>{t(`ClueText.${template}`)}</strong> {adminName} {state && <EnumTag labels="SmsState" value={state} />}{" "}
              <time dateTime={new Date(at).toISOString()}>{minute(at)}</time>
            </p>
            <p className="my-1 wrap-anywhere whitespace-pre-wrap">{text}</p>
          </li>
        ))}
      </ol>
      {overlays}
    </>
  );
}
