/** The person of a clue: name and phone, masked until they are revealed, then with a link that calls. */
import { useRef, useState } from "react";

import type { ClueContact, ClueDetail } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { placeText } from "../../../lib/places";
import { useShortcuts } from "../../../lib/shortcuts";
import { Button, buttonClass } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { reported } from "../../../ui/description";
import { Icon } from "../../../ui/icon";
import { starText } from "./fields";

export function Contact({ clue }: { clue: ClueDetail }) {
  const t = useT();
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
  return (
    <section className="grid gap-2 rounded-box bg-fill-1 px-4 py-3" aria-label={t("clue.contact")}>
      <p>
        <b className="text-name">{contact?.name ?? clue.nameMask}</b>{" "}
        <span className="ll-quiet">
          {[placeText(clue.city, t), starText(clue.star)].filter((text) => text && text !== "-").join(" · ")}
        </span>
      </p>
      <p className="ll-mono">
        {contact?.phone ?? clue.phoneMask}
        {contact && <CopyButton text={contact.phone} what={t("clue.phoneMask")} />}
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
    </section>
  );
}
