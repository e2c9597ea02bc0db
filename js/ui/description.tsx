/**
 * A record's fields with their values: copy buttons, masked values that are revealed
 * one at a time (the server writes down who looked), and, where it is given, what a
 * field said before.
 */
import { useState } from "react";

import { ApiError } from "../lib/api";
import { EMPTY } from "../lib/format";
import { useT } from "../lib/i18n";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { type Field, fieldText, showField } from "./field";

/** How a masked field is revealed: by key, the call that answers with the plain value. */
export type Reveals<Row> = { readonly [Key in keyof Row]?: () => Promise<string | null> };

interface DescriptionProps<Row> {
  fields: readonly Field<Row>[];
  row: Row;
  reveals?: Reveals<Row>;
  /** The record as it was: fields that differ show both. */
  previous?: Row;
  /** As many columns as there is room for. */
  wide?: boolean;
}

export function Description<Row>({ fields, row, reveals, previous, wide }: DescriptionProps<Row>) {
  const t = useT();
  return (
    <dl className={wide ? "ll-details ll-details-wide" : "ll-details"}>
      {fields
        .filter(({ detail }) => detail !== false)
        .map((field) => {
          const label = t(field.title);
          const reveal = reveals?.[field.key];
          const text = fieldText(field, row[field.key], t);
          const changed = previous != null && fieldText(field, previous[field.key], t) !== text;
          return (
            <div key={field.key}>
              <dt>{label}</dt>
              <dd>
                {reveal && text !== EMPTY ? (
                  <Masked key={text} mask={text} label={label} reveal={reveal} />
                ) : (
                  <span>{showField(field, row, t)}</span>
                )}
                {field.copy && text !== EMPTY && <CopyButton text={text} what={label} />}
                {changed && <del className="ll-details-before">{showField(field, previous, t)}</del>}
              </dd>
            </div>
          );
        })}
    </dl>
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

/** Whatever the API refused, the client has shown; anything else is a mistake of ours. */
export function reported(error: unknown): void {
  if (!(error instanceof ApiError)) console.error(error);
}
