/** The dialog that gives clues to salespeople: what each of them holds and takes, and who would get how many. A lazy chunk. */
import { useEffect, useRef, useState } from "react";

import { api } from "../../../lib/api";
import type { AssignPerson, AssignPlan, ClueRow, HandsResult } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Button } from "../../../ui/button";
import { reported } from "../../../ui/description";
import { Dialog } from "../../../ui/dialog";
import { Icon } from "../../../ui/icon";
import type { Overlay } from "../../../ui/overlay";
import { EnumTag, Tag } from "../../../ui/tag";
import { citiesText, ofLimit } from "../salesperson/fields";
import { leftText } from "./left";

/** With more people than this there is an input to find one. */
const AT_A_GLANCE = 10;

interface AssignDialogProps {
  overlay: Overlay<HandsResult>;
  rows: readonly ClueRow[];
  people: readonly AssignPerson[];
}

export function AssignDialog({ overlay, rows, people }: AssignDialogProps) {
  const t = useT();
  const [keyword, setKeyword] = useState("");
  const [picked, setPicked] = useState<readonly number[]>([]);
  const [plan, setPlan] = useState<AssignPlan | null>(null);
  const [isSending, setSending] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const areSeveralOrgs = people.some(({ orgId }) => orgId !== people[0]!.orgId);

  useEffect(() => {
    if (picked.length === 0) return;
    const abort = new AbortController();
    const chosen = { ids: rows.map(({ id }) => id), salespersonIds: picked };
    api.post<AssignPlan>("/crm/assign/preview", chosen, { signal: abort.signal }).then(setPlan, (error: unknown) => {
      if (!abort.signal.aborted) reported(error);
    });
    return () => abort.abort();
  }, [rows, picked]);

  const pick = (ids: readonly number[]) => {
    setPlan(null);
    setPicked(ids);
  };
  const assign = async () => {
    if (plan === null) return;
    setSending(true);
    try {
      overlay.close(await api.post<HandsResult>("/crm/assign", { shares: plan.shares }));
    } catch (error) {
      reported(error);
      setSending(false);
      pick([...picked]);
    }
  };
  const isShown = ({ id, name, subOrgName, orgName }: AssignPerson) =>
    picked.includes(id) || [name, subOrgName, orgName].some((text) => text?.toLowerCase().includes(keyword.trim().toLowerCase()));
  const shares = plan?.shares.map(({ salespersonId, ids }) => `${people.find(({ id }) => id === salespersonId)?.name} ${ids.length}`) ?? [];

  return (
    <Dialog
      overlay={overlay}
      title={rows.length === 1 ? t("clue.assignTitle", { no: rows[0]!.no }) : t("clue.assignManyTitle", { count: rows.length })}
      sticky={picked.length > 0}
      initialFocus={() => body.current?.querySelector("input") ?? null}
    >
      <div className="ll-dialog-body" ref={body}>
        {people.length === 0 && <p className="ll-quiet">{t("center.noPeople")}</p>}
        {people.length > AT_A_GLANCE && (
          <input
            className="ll-input mb-4"
            aria-label={t("clue.findPerson")}
            placeholder={t("clue.findPerson")}
            value={keyword}
            onChange={({ target }) => setKeyword(target.value)}
          />
        )}
        {people.length > 0 && (
          <div className="ll-table-box" role="group" aria-label={t("clue.assignPick")} tabIndex={0}>
            <table className="ll-table">
              <thead>
                <tr>
                  <th scope="col">{t("salesperson.name")}</th>
                  <th scope="col">{t("salesperson.subOrgName")}</th>
                  <th scope="col">{t("clue.openOfLimit")}</th>
                  <th scope="col">{t("salesperson.assignedToday")}</th>
                  <th scope="col">{t("salesperson.receiving")}</th>
                  <th scope="col">{t("salesperson.cities")}</th>
                </tr>
              </thead>
              <tbody>
                {people.filter(isShown).map((person) => (
                  <tr key={person.id}>
                    <th scope="row">
                      <label className="ll-check">
                        <input
                          type="checkbox"
                          checked={picked.includes(person.id)}
                          onChange={({ target }) => pick(target.checked ? [...picked, person.id] : picked.filter((id) => id !== person.id))}
                        />
                        {person.name}
                      </label>
                    </th>
                    <td>{[areSeveralOrgs && person.orgName, person.subOrgName].filter(Boolean).join(" · ") || "-"}</td>
                    <td>
                      {person.privateCap !== null && person.held >= person.privateCap ? (
                        <Tag color="red">{ofLimit(person.held, person.privateCap, t)}</Tag>
                      ) : (
                        ofLimit(person.held, person.privateCap, t)
                      )}
                    </td>
                    <td>{ofLimit(person.assignedToday, person.dailyCap, t)}</td>
                    <td>
                      <EnumTag labels="SalesReceiving" value={person.receiving ? "on" : "off"} colors={{ on: "green", off: "orange" }} />
                    </td>
                    <td>{citiesText(person.cities, t)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {plan !== null && plan.left.length > 0 && (
          <p className="ll-alert ll-alert-warning mt-4 whitespace-pre-wrap">
            <Icon name="warning" />
            {leftText(plan.left, t)}
          </p>
        )}
      </div>
      <footer className="ll-dialog-foot">
        <span className="ll-quiet" role="status">
          {shares.length > 0
            ? t("clue.assignPreview", { shares: shares.join(t("ui.comma")) })
            : t(picked.length > 0 && plan === null ? "ui.loading" : "clue.assignPick")}
        </span>
        <Button onClick={() => overlay.close()}>{t("ui.cancel")}</Button>
        <Button look="primary" busy={isSending} disabled={shares.length === 0} onClick={() => void assign()}>
          {t("clue.assign")}
        </Button>
      </footer>
    </Dialog>
  );
}
