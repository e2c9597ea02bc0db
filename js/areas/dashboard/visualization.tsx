/** /visualization: the business at a glance, and in charts over the chosen days. */

import type { Visualization as Answer } from "../../lib/api-types";
import { useT } from "../../lib/i18n";
import { usePageData } from "../../lib/props";
import { parseQuery } from "../../lib/query-string";
import { useLocation } from "../../lib/visit";
import { Button, buttonClass } from "../../ui/button";
import { ChartCard } from "../../ui/chart-card";
import { DayInput } from "../../ui/day-input";
import { FailedList, State } from "../../ui/list-state";
import { Overview } from "./overview";

/** Ranges that are offered as links; the second is the server's default. */
const STRETCHES = ["7", "30", "90"];

export default function Visualization() {
  const t = useT();
  const { pathname, search } = useLocation();
  const answer = usePageData<Answer>("page");
  if (answer.code !== "0000") return <FailedList answer={answer} address={pathname} />;
  const { charts, from, to, overview } = answer.data;
  const query = parseQuery(search);
  const chosen = query["from"] && query["to"] ? "" : query["days"] || STRETCHES[1];
  return (
    <>
      <header className="ll-card ll-chart-head">
        <h1 className="ll-title">{t("chart.page")}</h1>
        <nav aria-label={t("chart.range")}>
          {STRETCHES.map((days) => (
            <a
              key={days}
              className={buttonClass("outline")}
              href={`${pathname}?days=${days}`}
              aria-current={days === chosen ? "true" : undefined}
            >
              {t("chart.days", { days })}
            </a>
          ))}
        </nav>
        <form action={pathname} method="get">
          <label>
            {t("chart.from")} <DayInput className="ll-input" name="from" defaultValue={from} required />
          </label>
          <label>
            {t("chart.to")} <DayInput className="ll-input" name="to" defaultValue={to} required />
          </label>
          <Button type="submit">{t("chart.show")}</Button>
        </form>
      </header>
      {overview && <Overview overview={overview} />}
      {charts.length === 0 && !overview && <State icon="chart" title={t("chart.nothing")} text={t("chart.nothingText")} />}
      <div className="ll-charts">
        {charts.map((chart) => (
          <ChartCard key={chart.id} chart={chart} wide={charts.length === 1} />
        ))}
      </div>
    </>
  );
}
