/** /crm/achievements: targets of a month and what was reached, with charts above the list. */

import type { AchievementCharts, AchievementRow, Page, TargetsWritten } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useT } from "../../../lib/i18n";
import { useLoaded, useViewer } from "../../../lib/props";
import { parseQuery } from "../../../lib/query-string";
import { useLocation } from "../../../lib/visit";
import { type List, useActions } from "../../../ui/actions";
import { Button } from "../../../ui/button";
import { ChartCard } from "../../../ui/chart-card";
import { ListPage } from "../../../ui/list-page";
import { fieldsOf, filtersOf, monthAfter } from "./fields";
import type { TargetStart } from "./target-form";

const NOTHING: AchievementCharts = { charts: [], months: [], month: "", teams: [], objects: [] };

export default function Achievements() {
  const t = useT();
  const { search } = useLocation();
  const isOfPlatform = useViewer()?.orgId === null;
  const [list, act, overlays] = useActions("crm/achievements");
  const around = useLoaded<AchievementCharts>("charts") ?? NOTHING;
  const totals = useLoaded<Page<AchievementRow>>("list")?.totals;
  const requested = parseQuery(search)["month"] ?? "";
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(requested) ? requested : around.month;
  const blank: TargetStart = { month, object: null, name: "", loanAmount: null, feeReceived: null, signed: null, visits: null };
  return (
    <>
      <div className="ll-charts mt-0 mb-4">
        {around.charts.map((chart) => (
          <ChartCard key={`${chart.id} ${chart.title}`} chart={chart} />
        ))}
      </div>
      <ListPage<AchievementRow>
        title="achievement.title"
        empty="achievement.empty"
        api="/crm/achievements"
        points="crm/achievements"
        fields={fieldsOf(Boolean(totals), isOfPlatform)}
        filters={filtersOf(around.months, around.teams)}
        create={{ label: "achievement.set", point: "target", run: (list) => setTargets(list, around, async () => blank) }}
        actions={[{ label: "achievement.set", point: "target", run: (row, list) => setTargets(list, around, row) }]}
      />
      {list.can("target") && month && (
        <div className="ll-card mt-4">
          <Button icon="copy" onClick={() => act("copy", () => copyTargets(list, month, search))}>
            {t("achievement.copyTo", { from: monthAfter(month, -1), month })}
          </Button>
        </div>
      )}
      {overlays}
    </>
  );
}

/** Opens the form of targets: of a row's object, or empty. */
async function setTargets(
  { t, open, reload }: List,
  { months, objects }: AchievementCharts,
  of: AchievementRow | (() => Promise<TargetStart>),
) {
  const { targetDialog, targetsOf } = await import("./target-form");
  const start = typeof of === "function" ? await of() : await targetsOf(of);
  if (await open<TargetsWritten>((overlay) => targetDialog({ overlay, t, months, objects, start }))) await reload("achievement.saved");
}

async function copyTargets({ t, confirm, reload }: List, month: string, search: string) {
  const title = t("achievement.copyTitle", { from: monthAfter(month, -1), month });
  if (!(await confirm({ title, text: t("achievement.copyText"), confirm: t("achievement.copy") }))) return;
  const orgId = Number(parseQuery(search)["orgId"]) || null;
  await api.post<TargetsWritten>("/crm/achievements/copy", { month, orgId });
  await reload("achievement.copied");
}
