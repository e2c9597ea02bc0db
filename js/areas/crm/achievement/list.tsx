/** /crm/achievements: targets of a month and what was reached: who is behind, charts, and the list of all figures. */

import type { AchievementCharts, AchievementRow, Page, TargetsWritten, TargetTable } from "../../../lib/api-types";
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
import { Pace } from "./pace";
import type { TargetChoice } from "./target-form";

const NOTHING: AchievementCharts = { charts: [], paces: [], months: [], month: "", teams: [] };

export default function Achievements() {
  const t = useT();
  const { search } = useLocation();
  const isOfPlatform = useViewer()?.orgId === null;
  const [list, act, overlays] = useActions("crm/achievements");
  const around = useLoaded<AchievementCharts>("charts") ?? NOTHING;
  const totals = useLoaded<Page<AchievementRow>>("list")?.totals;
  const { month: requested = "", orgId, subOrgId } = parseQuery(search);
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(requested) ? requested : around.month;
  const next = monthAfter(month, 1);
  const isPerson = ({ objectType }: { objectType: string }) => objectType === "person";
  const paces = [
    { title: t("achievement.people", { month }), objects: around.paces.filter(isPerson) },
    { title: t("achievement.groups", { month }), objects: around.paces.filter((pace) => !isPerson(pace)) },
  ].filter(({ objects }) => objects.length > 0);
  return (
    <>
      {paces.map(({ title, objects }) => (
        <div key={title} className="mb-4">
          <Pace title={title} hint={t("achievement.paceHint")} month={month} objects={objects} />
        </div>
      ))}
      <div className="ll-charts mt-0 mb-4">
        {around.charts.map((chart) => (
          <ChartCard key={`${chart.id} ${chart.title}`} chart={chart} wide={around.charts.length === 1} />
        ))}
      </div>
      <ListPage<AchievementRow>
        title="achievement.title"
        empty="achievement.empty"
        api="/crm/achievements"
        points="crm/achievements"
        fields={fieldsOf(Boolean(totals), isOfPlatform)}
        filters={filtersOf(around.months, around.teams)}
        create={{ label: "achievement.set", point: "target", run: (list) => setTargets(list, { month, orgId, subOrgId }) }}
        actions={[{ label: "achievement.set", point: "target", run: (row, list) => setTargets(list, choiceOf(row)) }]}
      />
      {list.can("target") && month && (
        <div className="ll-card mt-4">
          <Button icon="copy" onClick={() => act("copy", () => copyTargets(list, month, search))}>
            {t("achievement.copyTo", { from: monthAfter(month, -1), month })}
          </Button>{" "}
          <Button onClick={() => act("next", () => setTargets(list, { month: next, orgId, subOrgId }))}>
            {t("achievement.setNext", { month: next })}
          </Button>
        </div>
      )}
      {overlays}
    </>
  );
}

const choiceOf = ({ month, orgId, objectType, objectId }: AchievementRow): TargetChoice => ({
  month,
  orgId: String(orgId),
  objectType,
  objectId: String(objectId),
});

/** Opens the table of targets: of one object, or of all of a month. */
async function setTargets({ t, open, reload }: List, choice: TargetChoice) {
  const query = Object.fromEntries(Object.entries(choice).filter(([, value]) => value)) as Record<string, string>;
  const [{ targetDialog }, table] = await Promise.all([import("./target-form"), api.get<TargetTable>("/crm/achievements/targets", query)]);
  if (await open<TargetsWritten>((overlay) => targetDialog({ overlay, t, choice, table }))) await reload("achievement.saved");
}

async function copyTargets({ t, confirm, reload }: List, month: string, search: string) {
  const title = t("achievement.copyTitle", { from: monthAfter(month, -1), month });
  if (!(await confirm({ title, text: t("achievement.copyText"), confirm: t("achievement.copy") }))) return;
  const orgId = Number(parseQuery(search)["orgId"]) || null;
  await api.post<TargetsWritten>("/crm/achievements/copy", { month, orgId });
  await reload("achievement.copied");
}
