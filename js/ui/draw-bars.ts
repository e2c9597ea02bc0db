/**
 * Bars by size as SVG text, in parts of their width: they fill their card on every screen, with whole names above and numbers
 * beside them, and no text is scaled. Drawn by the server, as the other charts are (draw-chart.ts).
 */
import type { Chart } from "../lib/api-types";
import { count } from "../lib/format";
import { escapeHtml } from "../lib/html";

/** Heights: of a name, of a bar, and between two names. */
const NAME = 17;
const BAR = 11;
const GAP = 6;
/** The longest bar leaves room for its number, in per cent of the width. */
const LONGEST = 76;

/** Draws them one below the other, or in two columns if they have the whole width of a page. */
export function drawBars({ labels, series }: Chart, isWide: boolean): string {
  const columns = isWide ? 2 : 1;
  const rows = Math.ceil(labels.length / columns);
  const height = NAME + series.length * (BAR + 2) + GAP;
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  let parts = "";
  labels.forEach((label, i) => {
    const left = i < rows ? 0 : 52;
    const top = (i % rows) * height;
    parts += `<text x="${left}%" y="${top + 13}">${escapeHtml(label)}</text>`;
    series.forEach(({ values }, n) => {
      const value = values[i] ?? 0;
      const width = Math.round(((Math.max(0, value) / most) * LONGEST * 100) / columns) / 100;
      const y = top + NAME + n * (BAR + 2);
      parts += `<rect x="${left}%" y="${y}" width="${width}%" height="${BAR}" fill="var(--chart-${(n % 6) + 1})"/>`;
      parts += `<text x="${left + width}%" dx="6" y="${y + 10}">${count(value)}</text>`;
    });
  });
  return `<svg width="100%" height="${rows * height}" font-size="12" fill="var(--color-text-2)">${parts}</svg>`;
}
