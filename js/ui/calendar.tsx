/**
 * A month to choose a stretch of days in: the first press is its beginning, the second its end; or one day. A lazy chunk. Arrow
 * keys go by days and weeks, Page Up and Page Down by months, Home and End to the ends of a week.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";

import { addDays, addMonths, type Days, isDay, weekday, weeksOf } from "../lib/days";
import { useT } from "../lib/i18n";
import { IconButton } from "./button";
import "./calendar.css";

interface CalendarProps {
  /** What is chosen; empty texts for nothing. */
  days: Days;
  today: string;
  /** The first press chooses; the focus begins at the day. */
  isOneDay?: boolean;
  onChoose: (days: Days) => void;
}

export default function Calendar({ days, today, isOneDay = false, onChoose }: CalendarProps) {
  const t = useT();
  const grid = useRef<HTMLTableElement>(null);
  /** The day with the focus; its month is shown. */
  const [day, setDay] = useState([days.to, days.from, today].find(isDay)!);
  const [moved, setMoved] = useState(isOneDay);
  /** The chosen beginning, while the end is not chosen yet. */
  const [begun, setBegun] = useState<string>();

  useEffect(() => {
    if (moved) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }, [day, moved]);

  const move = (to: string) => {
    setDay(to);
    setMoved(true);
  };
  const press = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: () => addDays(day, -1),
      ArrowRight: () => addDays(day, 1),
      ArrowUp: () => addDays(day, -7),
      ArrowDown: () => addDays(day, 7),
      Home: () => addDays(day, -weekday(day)),
      End: () => addDays(day, 6 - weekday(day)),
      PageUp: () => addMonths(day, -1),
      PageDown: () => addMonths(day, 1),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    move(to());
  };
  const choose = (chosen: string) => {
    setDay(chosen);
    if (isOneDay) onChoose({ from: chosen, to: chosen });
    else if (begun === undefined) setBegun(chosen);
    else onChoose(begun < chosen ? { from: begun, to: chosen } : { from: chosen, to: begun });
  };
  const shown = begun === undefined ? days : { from: begun, to: begun };
  const turn = (months: number) => {
    setMoved(false);
    setDay(addMonths(day, months));
  };
  const month = day.slice(0, 7);

  return (
    <div className="ll-calendar">
      <div className="ll-calendar-head">
        <IconButton small icon="chevron-left" label={t("ui.previousMonth")} onClick={() => turn(-1)} />
        <strong aria-live="polite">{month}</strong>
        <IconButton small icon="chevron-right" label={t("ui.nextMonth")} onClick={() => turn(1)} />
      </div>
      <table ref={grid} role="grid" aria-label={month} onKeyDown={press}>
        <thead>
          <tr>
            {t("ui.weekdays")
              .split(" ")
              .map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(day).map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <td
                  key={each}
                  aria-selected={each >= shown.from && each <= shown.to}
                  className={each.startsWith(month) ? undefined : "ll-other-month"}
                >
                  <button
                    type="button"
                    tabIndex={each === day ? 0 : -1}
                    aria-label={each}
                    aria-current={each === today ? "date" : undefined}
                    data-end={each === shown.from || each === shown.to ? "" : undefined}
                    onClick={() => choose(each)}
                  >
                    {each.slice(8)}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!isOneDay && (
        <p className="ll-hint" role="status">
          {t(begun === undefined ? "ui.chooseFirstDay" : "ui.chooseLastDay")}
        </p>
      )}
    </div>
  );
}
