/**
 * A record in full: its fields with copy buttons, masked values that are revealed
 * one at a time (the server writes down who looked), and what happened to it.
 */
import { type ReactNode, useEffect, useState } from "react";

import type { AuditEntry } from "../lib/api-types";
import { ApiError, api } from "../lib/api";
import { EMPTY, time } from "../lib/format";
import { useT } from "../lib/i18n";
import { Button } from "./button";
import { Changes, type FieldTitles } from "./changes";
import { CopyButton } from "./copy-button";
import { Dialog } from "./dialog";
import { type Field, fieldText, labelOf, showField } from "./field";
import type { Overlay } from "./overlay";

/** How a masked field is revealed: by key, the call that answers with the plain value. */
export type Reveals<Row> = { readonly [Key in keyof Row]?: () => Promise<string | null> };

interface DetailDrawerProps<Row> {
  overlay: Overlay;
  title: string;
  /** As the list has it; shown until the record itself is here. */
  row: Row;
  fields: readonly Field<Row>[];
  /** Paths of the calls: the record, and its audit trail. */
  record: string;
  history: string;
  reveals?: Reveals<Row>;
  /** Names of what the history tells and the record does not show: a secret, an owner's id. */
  titles?: FieldTitles;
  /** More about the record, between its fields and its history. */
  children?: ReactNode;
}

export function DetailDrawer<Row>({ overlay, title, row, fields, record, history, reveals, titles, children }: DetailDrawerProps<Row>) {
  const t = useT();
  const current = useAnswer<Row>(record) ?? row;
  return (
    <Dialog overlay={overlay} title={title} shape="drawer">
      <div className="ll-dialog-body">
        <dl className="ll-details">
          {fields
            .filter(({ detail }) => detail !== false)
            .map((field) => {
              const label = t(field.title);
              const reveal = reveals?.[field.key];
              const text = fieldText(field, current[field.key], t);
              return (
                <div key={field.key}>
                  <dt>{label}</dt>
                  <dd>
                    {reveal && text !== EMPTY ? (
                      <Masked mask={text} label={label} reveal={reveal} />
                    ) : (
                      <span>{showField(field, current, t)}</span>
                    )}
                    {field.copy && text !== EMPTY && <CopyButton text={text} what={label} />}
                  </dd>
                </div>
              );
            })}
        </dl>
        {children}
        <h3 className="ll-details-title">{t("ui.history")}</h3>
        <Timeline path={history} fields={fields} titles={titles} />
      </div>
    </Dialog>
  );
}

/** A masked value and the button that asks for the plain one. */
function Masked({ mask, label, reveal }: { mask: string; label: string; reveal: () => Promise<string | null> }) {
  const t = useT();
  const [plain, setPlain] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const ask = () => {
    setBusy(true);
    reveal()
      .then(setPlain, reported)
      .finally(() => setBusy(false));
  };
  if (plain !== null) {
    return (
      <>
        <span role="status" className="ll-mono">
          {plain}
        </span>
        <CopyButton text={plain} what={label} />
      </>
    );
  }
  return (
    <>
      <span className="ll-mono">{mask}</span>
      <Button small look="text" icon="eye" busy={busy} title={t("ui.revealNote")} onClick={ask}>
        {t("ui.reveal")}
      </Button>
    </>
  );
}

interface TimelineProps<Row> extends Pick<DetailDrawerProps<Row>, "fields" | "titles"> {
  path: string;
}

/** What happened to a record, the latest first: who, when, and what changed from what to what. */
function Timeline<Row>({ path, fields, titles }: TimelineProps<Row>) {
  const t = useT();
  const entries = useAnswer<AuditEntry[]>(path);
  if (!entries) return <p className="ll-quiet">{t("ui.loading")}</p>;
  if (entries.length === 0) return <p className="ll-quiet">{t("ui.noHistory")}</p>;
  return (
    <ol className="ll-timeline">
      {entries.map(({ id, at, adminName, action, diff }) => (
        <li key={id}>
          <p>
            <strong>{labelOf(t, "ui.action", action)}</strong> {adminName}
            <time dateTime={new Date(at).toISOString()}>{time(at)}</time>
          </p>
          <Changes diff={diff} fields={fields} titles={titles} />
        </li>
      ))}
    </ol>
  );
}

/** What a GET answers, or undefined until it does; a failure has been told by the client. */
export function useAnswer<T>(path: string): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useEffect(() => {
    const abort = new AbortController();
    api.get<T>(path, undefined, { signal: abort.signal }).then(setAnswer, (error: unknown) => {
      if (!abort.signal.aborted) reported(error);
    });
    return () => abort.abort();
  }, [path]);
  return answer;
}

/** Whatever the API refused, the client has shown; anything else is a mistake of ours. */
function reported(error: unknown): void {
  if (!(error instanceof ApiError)) console.error(error);
}
