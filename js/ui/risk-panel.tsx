/** The risk report of an applicant: its summary, and its sections one at a time. */
import { useState } from "react";

import type { RiskDetail, RiskHit, RiskLevel, RiskSection, RiskSummary } from "../lib/api-types";
import { ApiError, api } from "../lib/api";
import { count, EMPTY, money, time } from "../lib/format";
import { useLocale, useT } from "../lib/i18n";
import { useAnswer } from "./answer";
import { Button } from "./button";
import { CheckList } from "./check-list";
import { reported } from "./description";
import { Details } from "./details";
import { Icon } from "./icon";
import { EnumTag, Tag, type TagColor } from "./tag";

const SECTIONS: readonly RiskSection[] = ["basic", "blacklist", "multiLoan", "contact", "device"];
/** Timeout of a query: an external provider may be slow. */
const PATIENCE_MS = 30_000;
/** The provider that is built in. */
const BUILT_IN = "built_in";

const levelColors = { low: "green", medium: "orange", high: "red", reject: "red" } satisfies Record<RiskLevel, TagColor>;

/** The path of one of the two calls, for an applicant or for a clue. */
export type RiskPath = (call: "riskSimple" | "risk") => string;

/** The panel. It queries the provider only when the viewer asks for it: a query may cost money, and is recorded. */
export function RiskPanel({ path }: { path: RiskPath }) {
  const t = useT();
  const [summary, setSummary] = useState<RiskSummary | null>(null);
  const [isQuerying, setQuerying] = useState(false);
  const [failure, setFailure] = useState("");
  const query = () => {
    setQuerying(true);
    setFailure("");
    api
      .get<RiskSummary>(path("riskSimple"), undefined, { quiet: true, patience: PATIENCE_MS })
      .then(setSummary, (error: unknown) => {
        reported(error);
        setFailure(error instanceof ApiError ? error.desc : t("ui.failed"));
      })
      .finally(() => setQuerying(false));
  };
  if (summary) return <Summary summary={summary} path={path} />;
  return (
    <>
      {failure && (
        <p className="ll-alert ll-alert-error" role="alert">
          <Icon name="warning" />
          {failure}
        </p>
      )}
      <p className="ll-lead">{t("user.riskNote")}</p>
      <Button icon="search" busy={isQuerying} onClick={query}>
        {t(failure ? "ui.retry" : "user.riskAsk")}
      </Button>
    </>
  );
}

function Summary({ summary, path }: { summary: RiskSummary; path: RiskPath }) {
  const t = useT();
  const { status, provider, score, level, hits, costCents, queriedBy, queriedAt, validUntil, reused } = summary;
  return (
    <>
      <Details
        items={[
          [
            t("user.riskLevel"),
            level === null ? t("user.riskUnknown") : <EnumTag key="level" labels="user.riskLevel" value={level} colors={levelColors} />,
          ],
          [t("user.riskScore"), score === null ? EMPTY : t("user.riskOf", { score })],
          [t("user.riskProvider"), provider === BUILT_IN ? t("user.riskProvider.built_in") : provider],
          [t("user.riskCost"), money(costCents)],
          [t("user.riskQueried"), `${time(queriedAt)} ${queriedBy}`],
          [t("user.riskValid"), reused ? t("user.riskReused", { until: time(validUntil) }) : time(validUntil)],
        ]}
      />
      {status === "no_data" ? (
        <p className="ll-quiet">{t("user.riskNoData")}</p>
      ) : (
        <>
          {hits.length === 0 ? <p className="ll-quiet">{t("user.riskNoHits")}</p> : <Hits hits={hits} />}
          <Sections path={path} hits={hits} />
        </>
      )}
    </>
  );
}

/** The sections; at most one is open. */
function Sections({ path, hits }: { path: RiskPath; hits: readonly RiskHit[] }) {
  const t = useT();
  const [chosen, setChosen] = useState<RiskSection | null>(null);
  return (
    <>
      <div className="ll-toolbar" role="group" aria-label={t("user.riskSections")}>
        {SECTIONS.map((section) => {
          const found = hits.filter((hit) => hit.section === section).length;
          return (
            <Button key={section} small aria-pressed={section === chosen} onClick={() => setChosen(section)}>
              {t(`user.riskSection.${section}`)}
              {found > 0 && ` (${count(found)})`}
            </Button>
          );
        })}
      </div>
      {chosen !== null && <Section key={chosen} path={path} section={chosen} />}
    </>
  );
}

/** One section, fetched when it is opened. */
function Section({ path, section }: { path: RiskPath; section: RiskSection }) {
  const t = useT();
  const inChinese = useLocale() === "zh-CN";
  const detail = useAnswer<RiskDetail>(`${path("risk")}?type=${section}`);
  if (!detail) return <p className="ll-quiet">{t("ui.loading")}</p>;
  const { facts, hits } = detail;
  if (facts.length === 0 && hits.length === 0) return <p className="ll-quiet">{t("user.riskSectionEmpty")}</p>;
  return (
    <>
      {hits.length > 0 && <Hits hits={hits} />}
      <Details items={facts.map(({ titleZh, titleEn, valueZh, valueEn }) => (inChinese ? [titleZh, valueZh] : [titleEn, valueEn]))} />
    </>
  );
}

/** The risk hits with their points. */
function Hits({ hits }: { hits: readonly RiskHit[] }) {
  const inChinese = useLocale() === "zh-CN";
  return (
    <CheckList
      items={hits.map(({ section, code, points, titleZh, titleEn, noteZh, noteEn }, index) => ({
        key: `${section} ${code} ${index}`,
        outcome: <Tag color="red">{points === null ? "!" : `+${points}`}</Tag>,
        title: inChinese ? titleZh : titleEn,
        note: inChinese ? noteZh : noteEn,
      }))}
    />
  );
}
