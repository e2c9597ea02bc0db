/**
 * A stretch of days among the filters: two inputs for `YYYY-MM-DD`, and a popover with the usual stretches and a
 * calendar. The stretches are links, so they work without JavaScript; the calendar comes when the popover is opened.
 */
import { lazy, type MouseEvent, Suspense, type SyntheticEvent, useRef, useState } from "react";

import { type Days, isDay, presets, readDay } from "../lib/days";
import { useT } from "../lib/i18n";
import { type ListQuery, listSearch } from "../lib/list-query";
import { useToday } from "../lib/props";
import { closePopover } from "./popover";
import { Icon } from "./icon";

const Calendar = lazy(() => import("./calendar"));

interface DaysFilterProps {
  name: string;
  label: string;
  query: ListQuery;
  pathname: string;
}

export function DaysFilter({ name, label, query, pathname }: DaysFilterProps) {
  const t = useT();
  const today = useToday();
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<Days>();
  const [fromName, toName] = [`${name}From`, `${name}To`];
  const [from = "", to = ""] = [query.filters[fromName], query.filters[toName]];
  const id = `days-${name}`;

  const inputs = () => [...box.current!.querySelectorAll("input")] as [HTMLInputElement, HTMLInputElement];
  /** Sets the messages about wrong days, which the browser shows when the form is sent. */
  const check = () => {
    const [first, last] = inputs();
    for (const input of [first, last]) input.setCustomValidity(input.value === "" || isDay(readDay(input.value)) ? "" : t("ui.wrongDay"));
    if (first.validity.valid && last.validity.valid && first.value && last.value && readDay(last.value) < readDay(first.value)) {
      last.setCustomValidity(t("ui.daysBackwards"));
    }
  };
  const read = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    currentTarget.value = readDay(currentTarget.value);
    check();
  };
  const fill = (days: Days) => {
    const [first, last] = inputs();
    [first.value, last.value] = [days.from, days.to];
    check();
  };
  /** Searches with the other inputs as they are; without scripts the link has the filters of the last search. */
  const search = (event: MouseEvent, days: Days) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    closePopover(id);
    fill(days);
    inputs()[0].form?.requestSubmit();
  };
  const input = (name: string, value: string, label: string) => (
    <input
      name={name}
      defaultValue={value}
      aria-label={label}
      placeholder="YYYY-MM-DD"
      pattern="\d{4}-\d{2}-\d{2}"
      title="YYYY-MM-DD"
      maxLength={40}
      onInput={check}
      onBlur={read}
      onKeyDown={(event) => event.key === "Enter" && read(event)}
    />
  );

  return (
    <div ref={box} className="ll-filter ll-filter-days" role="group" aria-label={label}>
      <span>{label}</span>
      {input(fromName, from, t("ui.from", { label }))}
      <i aria-hidden="true">–</i>
      {input(toName, to, t("ui.to", { label }))}
      <button type="button" popoverTarget={id} aria-label={t("ui.chooseDays", { label })} title={t("ui.chooseDays", { label })}>
        <Icon name="calendar" />
      </button>
      <div
        id={id}
        className="ll-days"
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={({ newState }) => {
          const [first, last] = inputs();
          setTyped(newState === "open" ? { from: readDay(first.value), to: readDay(last.value) } : undefined);
        }}
      >
        <ul>
          {presets(today).map((days) => (
            <li key={days.name}>
              <a
                href={pathname + listSearch(query, { filters: { ...query.filters, [fromName]: days.from, [toName]: days.to } })}
                aria-current={days.from === from && days.to === to ? "true" : undefined}
                onClick={(event) => search(event, days)}
              >
                {t(`ui.days.${days.name}`)}
              </a>
            </li>
          ))}
        </ul>
        {typed && (
          <Suspense>
            <Calendar
              days={typed}
              today={today}
              onChoose={(days) => {
                fill(days);
                closePopover(id);
              }}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}
