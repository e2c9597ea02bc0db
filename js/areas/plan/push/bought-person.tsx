/** The person of a lead that was bought: name, phone and answers, once they are revealed. */
import { useState } from "react";

import type { BoughtContact } from "../../../lib/api-types";
import { saidOf } from "../../../lib/applicant";
import { api } from "../../../lib/api";
import { useLocale, useT } from "../../../lib/i18n";
import { Button, buttonClass } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { reported } from "../../../ui/description";
import { Details } from "../../../ui/details";
import { Icon } from "../../../ui/icon";

export function BoughtPerson({ pushId }: { pushId: number }) {
  const t = useT();
  const locale = useLocale();
  const [person, setPerson] = useState<BoughtContact | null>(null);
  const [busy, setBusy] = useState(false);
  const reveal = () => {
    setBusy(true);
    api
      .get<BoughtContact>(`/plan/push/reveal/${pushId}`)
      .then(setPerson, reported)
      .finally(() => setBusy(false));
  };
  return (
    <section aria-label={t("push.person")}>
      <h2 className="ll-details-title">{t("push.person")}</h2>
      {person ? (
        <>
          <p>
            <b>{person.name}</b> <span className="ll-mono">{person.phone}</span>
            <CopyButton text={person.phone} what={t("push.phone")} />
          </p>
          <a className={buttonClass("primary")} href={`tel:${person.phone}`}>
            <Icon name="phone" />
            {t("clue.call")}
          </a>
          <Details items={saidOf(person.applicant.said, locale)} />
        </>
      ) : (
        <Button icon="eye" busy={busy} onClick={reveal}>
          {t("push.reveal")}
        </Button>
      )}
    </section>
  );
}
