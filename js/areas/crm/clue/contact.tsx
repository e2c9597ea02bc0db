/**
 * The person of a clue on top of its page: name and phone, masked until they are revealed, then with a link that calls, and what was
 * asked for.
 */
import { useRef, useState } from "react";

import type { ClueContact, ClueDetail } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { inShort } from "../../../lib/applicant";
import { EMPTY } from "../../../lib/format";
import { useLocale, useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { placeText } from "../../../lib/places";
import { useShortcuts } from "../../../lib/shortcuts";
import { Button, buttonClass } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { reported } from "../../../ui/description";
import { Icon } from "../../../ui/icon";
import { starText } from "./fields";

/** What the caller asks about first, and the line that describes the person: fields of an applicant. */
const ASKED = ["applyAmountCents", "applyTermMonths", "incomeCentsMonth"];
const PROFILE = ["age", "sex", "occupation", "house", "car", "socialIns", "housingFund", "creditCard", "overdue"];

export function Contact({ clue }: { clue: ClueDetail }) {
  const t = useT();
  const locale = useLocale();
  const mayReveal = useHasPoint(["crm/clue/reveal"]) && !clue.applicant.erased && clue.lostReason !== "returned";
  const [contact, setContact] = useState<ClueContact | null>(null);
  const [busy, setBusy] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const reveal = () => {
    if (busy) return;
    setBusy(true);
    api
      .get<ClueContact>(`/crm/reveal/${clue.id}`)
      .then(setContact, reported)
      .finally(() => setBusy(false));
  };
  useShortcuts(
    contact
      ? [{ key: "c", text: t("clue.call"), run: () => link.current?.click() }]
      : mayReveal
        ? [{ key: "r", text: t("clue.revealContact"), run: reveal }]
        : [],
  );
  const asked = inShort(clue.applicant.said, ASKED, locale);
  const about = [placeText(clue.city, t), ...inShort(clue.applicant.said, PROFILE, locale), starText(clue.star)];
  return (
    <section className="mb-4 grid gap-2 rounded-box bg-fill-1 px-4 py-3" aria-label={t("clue.contact")}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <b className="text-name">{contact?.name ?? clue.nameMask}</b>{" "}
          <span className="ll-mono">
            {contact?.phone ?? clue.phoneMask}
            {contact && <CopyButton text={contact.phone} what={t("clue.phoneMask")} />}
          </span>
        </p>
        <div className="ll-page-acts">
          {contact ? (
            <a ref={link} aria-keyshortcuts="C" className={buttonClass("primary")} href={`tel:${contact.phone}`}>
              <Icon name="phone" />
              {t("clue.call")}
            </a>
          ) : (
            mayReveal && (
              <Button icon="eye" aria-keyshortcuts="R" busy={busy} onClick={reveal}>
                {t("ui.reveal")}
              </Button>
            )
          )}
        </div>
      </div>
      {asked.length > 0 && (
        <p>
          <b>{asked.join(" · ")}</b>
        </p>
      )}
      <p className="ll-quiet">{about.filter((text) => text && text !== EMPTY).join(" · ")}</p>
      <p className="ll-quiet">
        {clue.no}
        <CopyButton text={clue.no} what={t("clue.no")} />
      </p>
    </section>
  );
}
