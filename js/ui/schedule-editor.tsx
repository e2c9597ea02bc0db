/**
 * The editor of a week: a grid of 7 days of 48 half hours to paint, by pointer or by keyboard, or by a switch the spans to
 * type, to the minute. The grid is one stop of the Tab key: arrows move, Space opens and closes,
 * with Shift the arrows paint. A lazy chunk: it loads with the first form that has one.
 */
import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";

import type { Schedule } from "../lib/api-types";
import { useLocale, useT } from "../lib/i18n";
import { clockText, scheduleSentence, spansOf, WEEKDAYS, wrongSchedule } from "../lib/schedule";
import { weekdayName } from "../lib/terms-table";
import { Button } from "./button";
import {
  type Cell,
  isUnreadable,
  movedBy,
  painted,
  parseSpans,
  sameOn,
  SLOTS,
  slotSpan,
  slotState,
  spansText,
  WHOLE_DAY,
  withSpans,
} from "./schedule-grid";
import { onLeave, type TermsEditorProps, textOf, valueOf } from "./terms-editor";
import "./schedule-editor.css";

/** A stroke of the pointer that has not ended. */
interface Stroke {
  from: Cell;
  to: Cell;
  on: boolean;
}

const slots = Array.from({ length: SLOTS }, (_, slot) => slot);

export default function ScheduleEditor({ text, onChange, onBlur, labelledBy, describedBy, fixed }: TermsEditorProps) {
  const t = useT();
  const locale = useLocale();
  const keys = useId();
  const schedule = valueOf<Schedule>(text) ?? {};
  const change = (next: Schedule) => onChange(Object.keys(next).length === 0 ? "" : textOf(next));
  const [byText, setByText] = useState(false);
  const wrong = wrongSchedule(schedule, locale).filter(({ place }) => place !== "");
  // The grid cannot show what is wrong.
  const isWrong = wrong.length > 0 || WEEKDAYS.some((weekday) => isUnreadable(spansOf(schedule, weekday)));
  // It stays open when the text has become right: the input must not go while it is typed into.
  if (isWrong && !byText) setByText(true);
  const isText = !fixed && byText;
  return (
    <div className="ll-schedule" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy} onBlur={onLeave(onBlur)}>
      {!fixed && (
        <div className="ll-schedule-tools">
          <Button small onClick={() => change(sameOn([1, 2, 3, 4, 5], [540, 1080]))}>
            {t("terms.officeHours")}
          </Button>
          <Button small onClick={() => change(sameOn(WEEKDAYS, WHOLE_DAY))}>
            {t("terms.aroundTheClock")}
          </Button>
          <Button small look="text" onClick={() => change({})}>
            {t("terms.clear")}
          </Button>
          <label className="ll-check">
            <input
              type="checkbox"
              role="switch"
              className="ll-switch"
              checked={isText}
              disabled={isWrong}
              onChange={({ target }) => setByText(target.checked)}
            />
            {t("terms.asText")}
          </label>
        </div>
      )}
      {isText ? (
        <div className="ll-schedule-spans">
          {WEEKDAYS.map((weekday) => (
            <Day
              key={weekday}
              weekday={weekday}
              schedule={schedule}
              onChange={change}
              fault={wrong.find(({ place }) => place.split(".")[0] === String(weekday))?.message}
            />
          ))}
        </div>
      ) : (
        <>
          <Week schedule={schedule} onChange={change} fixed={fixed} labelledBy={labelledBy} describedBy={fixed ? undefined : keys} />
          {!fixed && (
            <p className="ll-hint" id={keys}>
              {t("terms.weekKeys")}
            </p>
          )}
        </>
      )}
      <p className="ll-terms-sentence" aria-live="polite">
        {scheduleSentence(schedule, locale)}
      </p>
    </div>
  );
}

interface WeekProps {
  schedule: Schedule;
  onChange: (next: Schedule) => void;
  fixed: boolean | undefined;
  labelledBy: string;
  describedBy: string | undefined;
}

function Week({ schedule, onChange, fixed, labelledBy, describedBy }: WeekProps) {
  const t = useT();
  const locale = useLocale();
  const id = useId();
  const [at, setAt] = useState<Cell>({ weekday: 1, slot: 18 });
  const [stroke, setStroke] = useState<Stroke>();
  const shown = stroke ? painted(schedule, stroke.from, stroke.to, stroke.on) : schedule;
  const cellId = ({ weekday, slot }: Cell) => `${id}-${weekday}-${slot}`;
  const isOn = ({ weekday, slot }: Cell) => slotState(spansOf(schedule, weekday), slot) === "on";

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = movedBy(event.key, at);
    if (event.key === " " && !fixed) onChange(painted(schedule, at, at, !isOn(at)));
    else if (next) {
      // The painted half hours get the state of the first one.
      if (event.shiftKey && !fixed) onChange(painted(schedule, at, next, isOn(at)));
      setAt(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const begin = (event: PointerEvent<HTMLElement>) => {
    const cell = cellAt(event);
    if (!cell || fixed || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setAt(cell);
    setStroke({ from: cell, to: cell, on: !isOn(cell) });
  };
  const go = (event: PointerEvent<HTMLElement>) => {
    const cell = stroke && cellAt(event);
    if (cell && (cell.slot !== stroke.to.slot || cell.weekday !== stroke.to.weekday)) setStroke({ ...stroke, to: cell });
  };
  const end = () => {
    if (stroke) onChange(shown);
    setStroke(undefined);
  };

  return (
    <div
      className="ll-week"
      role="grid"
      tabIndex={0}
      aria-labelledby={labelledBy}
      aria-multiselectable="true"
      aria-readonly={fixed}
      aria-activedescendant={cellId(at)}
      aria-describedby={describedBy}
      onKeyDown={onKeyDown}
      onPointerDown={begin}
      onPointerMove={go}
      onPointerUp={end}
      onPointerCancel={() => setStroke(undefined)}
    >
      <div className="ll-week-hours" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      {WEEKDAYS.map((weekday) => (
        <div key={weekday} className="ll-week-row" role="row">
          <span role="rowheader">{weekdayName(weekday, locale)}</span>
          {slots.map((slot) => {
            const state = slotState(spansOf(shown, weekday), slot);
            const [from, to] = slotSpan(slot);
            return (
              <span
                key={slot}
                id={cellId({ weekday, slot })}
                role="gridcell"
                className={`ll-week-cell${weekday === at.weekday && slot === at.slot ? " is-at" : ""}`}
                data-weekday={weekday}
                data-slot={slot}
                data-state={state}
                aria-selected={state !== "off"}
                aria-label={t("terms.slot", { day: weekdayName(weekday, locale), from: clockText(from), to: clockText(to) })}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The half hour under the pointer; the target of a captured pointer is the grid, not the half hour. */
function cellAt({ clientX, clientY }: PointerEvent): Cell | null {
  const element = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-slot]");
  return element ? { weekday: Number(element.dataset["weekday"]), slot: Number(element.dataset["slot"]) } : null;
}

interface DayProps extends Pick<WeekProps, "schedule" | "onChange"> {
  weekday: number;
  fault: string | undefined;
}

/** The spans of a weekday, to be typed. */
function Day({ weekday, schedule, onChange, fault }: DayProps) {
  const t = useT();
  const locale = useLocale();
  const id = useId();
  const spans = spansOf(schedule, weekday);
  const [typed, setTyped] = useState(() => spansText(spans));
  const meant = withSpans({}, weekday, parseSpans(typed));
  const shown = JSON.stringify(spansOf(meant, weekday)) === JSON.stringify(spans) ? typed : spansText(spans);
  const message = isUnreadable(spans) ? t("terms.spansWrong") : fault;
  return (
    <div className={message ? "ll-field-wrong" : undefined}>
      <label htmlFor={id}>{weekdayName(weekday, locale)}</label>
      <input
        id={id}
        className="ll-input"
        placeholder="09:00-18:00"
        autoComplete="off"
        aria-invalid={message ? true : undefined}
        aria-describedby={message ? `${id}-error` : undefined}
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(withSpans(schedule, weekday, parseSpans(target.value)));
        }}
      />
      {message && (
        <p className="ll-error" id={`${id}-error`}>
          {message}
        </p>
      )}
    </div>
  );
}
