/**
 * A chart with its legend, the table behind it and its files. The picture comes with the document:
 * the server draws it (draw-chart.ts), the browser does not redraw it. Without a picture, the
 * table is open instead. Routes with charts are `"document": true` in routes.json.
 */
import { useContext, useEffect, useRef, useState } from "react";

import type { Chart } from "../lib/api-types";
import { AppContext } from "../lib/app-context";
import { count } from "../lib/format";
import { useT } from "../lib/i18n";
import { IconButton } from "./button";

interface ChartCardProps {
  chart: Chart;
  /** The card has the whole width of the page: there it is drawn wide and low, and on a narrow screen as other charts. */
  wide?: boolean;
}

export function ChartCard({ chart, wide }: ChartCardProps) {
  const t = useT();
  const { draw, props } = useContext(AppContext);
  const picture = useRef<HTMLDivElement>(null);
  const [isBare, setBare] = useState(props.noPictures ?? false);
  const { title, axis, labels, series, kind } = chart;
  const totals = series.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const isEmpty = totals.every((total) => total === 0);
  const totalsText = series.map(({ name }, i) => t("chart.total", { name, total: count(totals[i]) })).join(t("ui.comma"));

  useEffect(() => {
    if (picture.current && !picture.current.firstChild) setBare(true);
  }, []);
  const save = async (file: "csv" | "png") => {
    const { saveCsv, savePng } = await import("./chart-files");
    if (file === "csv") saveCsv(chart);
    else if (picture.current) await savePng(chart, picture.current);
  };

  return (
    <section className="ll-card ll-chart">
      <header>
        <h2>{title}</h2>
        <IconButton small icon="list" label={t("chart.csv", { title })} onClick={() => void save("csv")} />
        {!isBare && !isEmpty && <IconButton small icon="download" label={t("chart.png", { title })} onClick={() => void save("png")} />}
      </header>
      {isEmpty ? (
        <p className="ll-chart-none">{t("chart.none")}</p>
      ) : (
        !isBare && (
          <>
            {series.length > 1 && (
              <ul className="ll-chart-legend">
                {series.map(({ name }, i) => (
                  <li key={name}>
                    <svg viewBox="0 0 16 8" aria-hidden="true">
                      <path
                        className={kind === "line" ? `ll-stroke-${i + 1}` : undefined}
                        d={kind === "line" ? "M0 4h16" : "M3 0h10v8H3z"}
                        stroke={`var(--chart-${i + 1})`}
                        fill={`var(--chart-${i + 1})`}
                      />
                    </svg>
                    {name}
                  </li>
                ))}
              </ul>
            )}
            <div className="ll-chart-scroll" role="group" aria-label={title} tabIndex={0}>
              <div
                ref={picture}
                className={`${kind === "rank" ? "ll-chart-bars" : "ll-chart-picture"}${wide ? " ll-chart-wide" : ""}`}
                role="img"
                aria-label={`${title}${t("chart.colon")}${totalsText}`}
                suppressHydrationWarning
                dangerouslySetInnerHTML={{ __html: (draw?.(chart) ?? "") + (wide ? (draw?.(chart, true) ?? "") : "") }}
              />
            </div>
          </>
        )
      )}
      {!isEmpty && (
        <details open={isBare || undefined}>
          <summary>{t("chart.table")}</summary>
          <div className="ll-chart-table" role="group" aria-label={t("chart.tableOf", { title })} tabIndex={0}>
            <table className="ll-table ll-compact">
              <thead>
                <tr>
                  <th scope="col">{axis}</th>
                  {series.map(({ name }) => (
                    <th key={name} scope="col" className="ll-num">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {labels.map((label, i) => (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    {series.map(({ name, values }) => (
                      <td key={name} className="ll-num">
                        {count(values[i])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">{t("chart.sum")}</th>
                  {series.map(({ name }, i) => (
                    <td key={name} className="ll-num">
                      {count(totals[i])}
                    </td>
                  ))}
                </tr>
              </tfoot>
            </table>
          </div>
        </details>
      )}
    </section>
  );
}
