/**
 * Small curves over time, drawn the same by the server and by the browser, so that they can be updated
 * while they are shown. For pictures to be read and kept see chart-card.tsx.
 */
import { count, time } from "../lib/format";
import { useT } from "../lib/i18n";

/** Numbers at equal distances; null where there is none. The first line is solid, the second dashed. */
export interface Line {
  name: string;
  values: readonly (number | null)[];
}

interface CurveProps {
  title: string;
  /** "ms", "%": beside every number. */
  unit: string;
  lines: readonly Line[];
  /** Epoch milliseconds of each value. */
  at: readonly number[];
  /** Milliseconds of the whole width; its right end is the last value. */
  span: number;
}

const WIDTH = 360;
const HEIGHT = 80;

export function Curve({ title, unit, lines, at, span }: CurveProps) {
  const t = useT();
  const end = at.at(-1);
  const top = ceiling(Math.max(0, ...lines.flatMap(({ values }) => values.filter((value) => value !== null))));
  const now = lines.map(({ name, values }) => `${name} ${shown(values.at(-1) ?? null, unit)}`);
  return (
    <figure className="ll-curve">
      <figcaption>
        <span className="ll-curve-title">{title}</span>
        {lines.map(({ name, values }, i) => (
          <span key={name} className={`ll-curve-line ll-line-${i + 1}`}>
            <svg viewBox="0 0 16 4" aria-hidden="true">
              <path d="M0 2h16" />
            </svg>
            {name} <b>{shown(values.at(-1) ?? null, unit)}</b>
          </span>
        ))}
      </figcaption>
      <div className="ll-curve-plot" role="img" aria-label={t("ui.curve", { title, now: now.join(t("ui.comma")), top: shown(top, unit) })}>
        <span className="ll-curve-top">{shown(top, unit)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          <path className="ll-curve-grid" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
          {lines.map(({ name, values }, i) => (
            <path key={name} className={`ll-line-${i + 1}`} d={pathOf(values, at, span, top)} />
          ))}
        </svg>
        {end === undefined ? (
          <span className="ll-curve-none">{t("ui.curveNone")}</span>
        ) : (
          <span className="ll-curve-ends">
            <span>{time(end - span).slice(11, 16)}</span>
            <span>{time(end).slice(11, 16)}</span>
          </span>
        )}
      </div>
    </figure>
  );
}

/** A line broken where values are missing; a value between two gaps is a dot. */
export function pathOf(values: readonly (number | null)[], at: readonly number[], span: number, top: number): string {
  const end = at.at(-1) ?? 0;
  let path = "";
  let isDrawn = false;
  values.forEach((value, i) => {
    const x = WIDTH * (1 - (end - at[i]!) / span);
    if (value === null || x < 0) {
      isDrawn = false;
      return;
    }
    const y = HEIGHT * (1 - value / top);
    path += `${isDrawn ? "L" : "M"}${round(x)} ${round(y)}`;
    if (!isDrawn) path += "h.1";
    isDrawn = true;
  });
  return path;
}

/** The least of 1, 2, 5, 10, 20, 50 … that is not below the highest value. */
export function ceiling(value: number): number {
  let step = 1;
  while (step < 1e15) {
    for (const top of [step, 2 * step, 5 * step]) if (value <= top) return top;
    step *= 10;
  }
  return value;
}

function shown(value: number | null, unit: string): string {
  if (value === null) return "-";
  const number = value < 10 ? String(Math.round(value * 10) / 10) : count(value);
  return unit === "" ? number : `${number} ${unit}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
