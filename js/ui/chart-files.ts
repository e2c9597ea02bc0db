/** A chart as a file, made in the browser from what it shows. */

import type { Chart } from "../lib/api-types";
import { saveFile } from "../lib/save-file";

/** Pixels of a picture for each of its own units. */
const SCALE = 2;

/** The chart's table, with the byte order mark by which spreadsheets recognise UTF-8. */
export function saveCsv(chart: Chart): void {
  saveFile(new Blob([`\uFEFF${csvOf(chart)}`], { type: "text/csv;charset=utf-8" }), `${chart.id}.csv`);
}

export function csvOf({ axis, labels, series }: Chart): string {
  const rows = labels.map((label, i) => [label, ...series.map(({ values }) => String(values[i] ?? ""))]);
  return [[axis, ...series.map(({ name }) => name)], ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/** A cell of CSV; an apostrophe is put before a text that a spreadsheet would take for a formula. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The picture as it is shown, on its background. */
export async function savePng(chart: Chart, picture: HTMLElement): Promise<void> {
  // A wide chart is drawn twice, and one of both is shown.
  const shown = [...picture.querySelectorAll("svg")].find((svg) => svg.getBoundingClientRect().width > 0);
  if (!shown) return;
  const box = shown.viewBox.baseVal;
  const { width, height } = box.width > 0 ? box : shown.getBoundingClientRect();
  const copy = shown.cloneNode(true) as SVGSVGElement;
  if (box.width === 0) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width * SCALE));
  copy.setAttribute("height", String(height * SCALE));
  copy.setAttribute("font-family", getComputedStyle(picture).fontFamily);
  const parts = copy.querySelectorAll("[fill], [stroke]");
  // Outside the page there is no style sheet, so the computed colours are written into the picture.
  shown.querySelectorAll("[fill], [stroke]").forEach((part, i) => {
    const { fill, stroke } = getComputedStyle(part);
    parts[i]?.setAttribute("fill", fill);
    parts[i]?.setAttribute("stroke", stroke);
  });

  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: width * SCALE, height: height * SCALE });
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.fillStyle = getComputedStyle(picture.closest(".ll-card") ?? document.body).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) saveFile(blob, `${chart.id}.png`);
}
