/**
 * An input for a day or a moment, in the one form that all screens show: `YYYY-MM-DD`, `YYYY-MM-DD HH:MM`. Native inputs speak
 * the browser's language. The calendar in its popover comes when that is opened.
 */
import { type ComponentProps, lazy, Suspense, useId, useRef, useState } from "react";

import { readDay } from "../lib/day-text";
import { useT } from "../lib/i18n";
import { useToday } from "../lib/props";
import { IconButton } from "./button";
import { closePopover } from "./popover";

const Calendar = lazy(() => import("./calendar"));

/** The time of a moment whose day is chosen first. */
const TIME = "09:00";

interface DayInputProps extends ComponentProps<"input"> {
  withTime?: boolean;
  /** Sets the chosen text; absent: in the input itself. */
  onPick?: (text: string) => void;
}

export function DayInput({ withTime = false, onPick, ...input }: DayInputProps) {
  const t = useT();
  const id = useId();
  const today = useToday();
  const place = useRef<HTMLSpanElement>(null);
  /** The day in the input while the calendar is open; another text if there is none. */
  const [day, setDay] = useState<string>();
  const element = () => place.current!.querySelector("input")!;
  const dayOf = () => readDay(element().value.replace(/[ T]\d+:.*$/, ""));
  const pick = (day: string) => {
    const [, time = TIME] = /[ T](\d+:.*)$/.exec(element().value) ?? [];
    const text = withTime ? `${day} ${time}` : day;
    if (onPick) onPick(text);
    else element().value = text;
    closePopover(id);
  };
  return (
    <span ref={place} className="ll-affix">
      <input placeholder={withTime ? "YYYY-MM-DD HH:MM" : "YYYY-MM-DD"} autoComplete="off" {...input} />
      {!input.readOnly && (
        <div
          className="ll-day-picker noscript:hidden"
          onKeyDown={(event) => {
            if (event.key !== "Escape" || day === undefined) return;
            // The dialog around it stays open.
            event.stopPropagation();
            closePopover(id);
          }}
        >
          <IconButton small icon="calendar" label={t("ui.openCalendar")} popoverTarget={id} />
          <div
            id={id}
            className="ll-days"
            popover="auto"
            role="dialog"
            aria-label={t("ui.calendar")}
            onToggle={({ newState }) => setDay(newState === "open" ? dayOf() : undefined)}
          >
            {day !== undefined && (
              <Suspense>
                <Calendar days={{ from: day, to: day }} today={today} isOneDay onChoose={({ from }) => pick(from)} />
              </Suspense>
            )}
          </div>
        </div>
      )}
    </span>
  );
}
