/**
 * A record's fields with their values: copy buttons, masked values that are revealed
 * one at a time (the server records who revealed them), and, if `previous` is given, the
 * values before.
 */
import { type ReactNode, useState } from "react";

import { ApiError } from "../lib/api";
import { EMPTY } from "../lib/format";
import { useT } from "../lib/i18n";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { type Field, fieldText, showField } from "./field";

/** A plain value, beside the one that the field had before. */
export interface RevealedChange {
  /** Empty where there was none. */
  before: string;
  after: string;
}

/** The calls that reveal masked fields, by key; each answers with the plain value. */
export type Reveals<Row> = { readonly [Key in keyof Row]?: () => Promise<string | RevealedChange | null> };

interface DescriptionProps<Row> {
  fields: readonly Field<Row>[];
  row: Row;
  reveals?: Reveals<Row>;
  /** The record as it was: fields that differ show both. */
  previous?: Row;
  /** Fields that differ although their shown values are the same: masks of two numbers. */
  differing?: readonly (keyof Row)[];
  /** As many columns as there is room for. */
  wide?: boolean;
  /** Leaves out fields without a value. */
  filled?: boolean;
}

export function Description<Row>({ fields, row, reveals, previous, differing, wide, filled }: DescriptionProps<Row>) {
  const t = useT();
  return (
    <dl className={wide ? "ll-details ll-details-wide" : "ll-details"}>
      {fields
        .filter((field) => field.detail !== false && !(filled && showField(field, row, t) === EMPTY))
        .map((field) => {
          const label = t(field.title);
          const reveal = reveals?.[field.key];
          const text = fieldText(field, row[field.key], t);
          const changed = previous != null && (differing?.includes(field.key) || fieldText(field, previous[field.key], t) !== text);
          const earlier = changed && field.before !== false ? showField(field, previous, t) : EMPTY;
          const before = earlier !== EMPTY && <Before>{earlier}</Before>;
          const masked = reveal !== undefined && text !== EMPTY;
          return (
            <div key={field.key}>
              <dt>{label}</dt>
              <dd>
                {masked ? (
                  <Masked key={text} mask={text} label={label} reveal={reveal} before={before} />
                ) : (
                  <span>{showField(field, row, t)}</span>
                )}
                {field.copy && text !== EMPTY && <CopyButton text={text} what={label} />}
                {!masked && before}
              </dd>
            </div>
          );
        })}
    </dl>
  );
}

/** The value of a field before. */
const Before = ({ children }: { children: ReactNode }) => <del className="ll-details-before">{children}</del>;

interface MaskedProps {
  mask: string;
  label: string;
  reveal: () => Promise<string | RevealedChange | null>;
  /** The mask of the value before. */
  before: ReactNode;
}

/** A masked value and the button that reveals the plain one. */
function Masked({ mask, label, reveal, before }: MaskedProps) {
  const t = useT();
  const [revealed, setRevealed] = useState<string | RevealedChange | null>(null);
  const [busy, setBusy] = useState(false);
  const show = () => {
    setBusy(true);
    reveal()
      .then(setRevealed, reported)
      .finally(() => setBusy(false));
  };
  if (revealed !== null) {
    const { before: earlier, after } = typeof revealed === "string" ? { before: "", after: revealed } : revealed;
    return (
      <>
        <span role="status" className="ll-mono">
          {after}
        </span>
        <CopyButton text={after} what={label} />
        {earlier === "" ? before : <Before>{earlier}</Before>}
      </>
    );
  }
  return (
    <>
      <span className="ll-mono">{mask}</span>
      <Button small look="text" icon="eye" busy={busy} title={t("ui.revealNote")} onClick={show}>
        {t("ui.reveal")}
      </Button>
      {before}
    </>
  );
}

/** Logs an error that is no refusal: the client shows refusals of the API; anything else is a fault in the code. */
export function reported(error: unknown): void {
  if (!(error instanceof ApiError)) console.error(error);
}
