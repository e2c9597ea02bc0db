/**
 * Caps to edit: a row each, with its window, its weekday, a count and an amount. A lazy chunk: it
 * comes with the first form that has one.
 */
import { useEffect, useRef, useState } from "react";

import type { CapRule, CapWindow } from "../lib/api-types";
import { capsSentence, capWindows, inBounds, wrongCaps } from "../lib/caps";
import { useLocale, useT } from "../lib/i18n";
import { capLimits } from "../lib/limits";
import { WEEKDAYS } from "../lib/schedule";
import { sentence, weekdayName, windowName } from "../lib/terms-table";
import { Button, IconButton } from "./button";
import { capAdded, capChanged, capRemoved } from "./caps-list";
import { NumberInput } from "./number-input";
import { onLeave, type TermsEditorProps, textOf, valueOf, wrongAt } from "./terms-editor";
import "./caps-editor.css";

export default function CapsEditor({ text, onChange, onBlur, labelledBy, describedBy, fixed, tried }: TermsEditorProps) {
  const t = useT();
  const locale = useLocale();
  const caps = valueOf<CapRule[]>(text) ?? [];
  const frame = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<{ selector: string }>();
  /** The cap that was added and that the focus has not left yet: nothing of it is wrong so far. */
  const [fresh, setFresh] = useState<number>();

  useEffect(() => {
    if (focus) frame.current?.querySelector<HTMLElement>(focus.selector)?.focus();
  }, [focus]);

  const change = (next: readonly CapRule[]) => onChange(next.length === 0 ? "" : textOf(next));
  const wrong = tried ? wrongCaps(caps, locale) : [];
  const full = wrongAt(wrong, "");
  return (
    <div ref={frame} className="ll-caps" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy} onBlur={onLeave(onBlur)}>
      {caps.length > 0 && (
        <ol className="ll-caps-rows">
          {caps.map((cap, index) => (
            <Row
              key={index}
              cap={cap}
              place={String(index + 1)}
              fault={index === fresh ? undefined : wrongAt(wrong, String(index + 1))}
              fixed={fixed}
              onLeft={() => setFresh((one) => (one === index ? undefined : one))}
              onChange={(changes) => change(capChanged(caps, index, changes))}
              onRemove={() => {
                change(capRemoved(caps, index));
                setFresh(undefined);
                setFocus({ selector: "[data-add]" });
              }}
            />
          ))}
        </ol>
      )}
      {full && (
        <p className="ll-error" role="alert">
          {full}
        </p>
      )}
      {!fixed && (
        <Button
          small
          icon="plus"
          data-add=""
          disabled={caps.length >= capLimits.mostCaps}
          onClick={() => {
            change(capAdded(caps));
            setFresh(caps.length);
            setFocus({ selector: `[data-place="${caps.length + 1}"] select` });
          }}
        >
          {t("terms.addCap")}
        </Button>
      )}
      <p className="ll-terms-sentence" aria-live="polite">
        {capsSentence(caps, locale)}
      </p>
    </div>
  );
}

interface RowProps {
  cap: CapRule;
  place: string;
  fault: string | undefined;
  fixed: boolean | undefined;
  /** The focus has left the row. */
  onLeft: () => void;
  onChange: (changes: Partial<CapRule>) => void;
  onRemove: () => void;
}

function Row({ cap, place, fault, fixed, onLeft, onChange, onRemove }: RowProps) {
  const t = useT();
  const locale = useLocale();
  const name = (what: string) => t("terms.capPart", { place, what });
  const isEmpty = cap.maxCount === null && cap.maxCents === null;
  return (
    <li className="ll-caps-row" data-place={place} onBlur={onLeave(onLeft)}>
      <select
        className="ll-input"
        aria-label={name(t("terms.window"))}
        value={cap.window}
        disabled={fixed}
        onChange={({ target }) => onChange({ window: target.value as CapWindow })}
      >
        {capWindows.map((window) => (
          <option key={window} value={window}>
            {t(`terms.window.${window}`)}
          </option>
        ))}
      </select>
      <select
        className="ll-input"
        aria-label={name(t("terms.weekday"))}
        value={cap.weekday ?? ""}
        disabled={fixed || cap.window !== "day"}
        onChange={({ target }) => onChange({ weekday: target.value === "" ? null : Number(target.value) })}
      >
        <option value="">{cap.window === "day" ? t("terms.everyDay") : sentence(windowName(cap.window, null, locale))}</option>
        {WEEKDAYS.map((weekday) => (
          <option key={weekday} value={weekday}>
            {weekdayName(weekday, locale)}
          </option>
        ))}
      </select>
      <NumberInput
        label={name(t("terms.count"))}
        unit={t("terms.leads")}
        value={cap.maxCount}
        fixed={fixed}
        wrong={fault !== undefined && (isEmpty || !inBounds(cap.maxCount, capLimits.mostCount))}
        onChange={(value) => onChange({ maxCount: value as number })}
      />
      <NumberInput
        label={name(t("terms.money"))}
        unit={t("ui.yuan")}
        money
        value={cap.maxCents}
        fixed={fixed}
        wrong={fault !== undefined && !inBounds(cap.maxCents, capLimits.mostCents)}
        onChange={(value) => onChange({ maxCents: value as number })}
      />
      {!fixed && <IconButton small icon="trash" label={t("terms.removeCap", { place })} onClick={onRemove} />}
      {fault && (
        <p className="ll-error" role="alert">
          {fault}
        </p>
      )}
    </li>
  );
}
