/** /plan/list/:id: one plan: whether it takes leads, what is to be decided, its terms and what happened to it. */
import type { PlanNow, SelectOption } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { type Translate, useT } from "../../../lib/i18n";
import { usePoints } from "../../../lib/permissions";
import { whyNot } from "../../../lib/plan-holds";
import { useLoaded, useViewer } from "../../../lib/props";
import { buttonClass } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { linkedFields } from "../../../ui/record-link";
import { RecordState } from "../../../ui/record-state";
import { termsInWords } from "../../../ui/terms-in-words";
import { LoadedTimeline } from "../../../ui/timeline";
import { pageActions } from "./actions";
import { boundsText } from "./bounds";
import { planFields, planHistoryFields, planTitles, termFields, withChannelNames } from "./fields";
import { RequestedTerms } from "./requested";
import { hasBounds } from "./status";

/** The lists of what came of a plan. */
const lists = [
  { href: "/plan/push-list", parameter: "planId", label: "plan.pushes", point: "plan/push-list/list" },
  { href: "/plan/uv-list", parameter: "subjectId", label: "uv.visits", point: "plan/uv-list/list" },
  { href: "/user/match-list", parameter: "planId", label: "plan.matches", point: "user/match-list/list" },
] as const;

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["name", "status", "holds"];

export default function PlanDetail() {
  useFieldChoices();
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  const channels = useLoaded<SelectOption[]>("channels") ?? [];
  const isOrganisation = useViewer()?.orgId != null;
  return (
    <DetailPage<PlanNow>
      load="plan"
      list={{ href: "/plan/list", title: "plan.title" }}
      points="plan/list"
      title={({ name }) => name}
      status="status"
      sentence={(row, t) => (
        <>
          <RecordState text={sentenceOf(row, t)} decision={row.decision} />
          {hasBounds(row) && <p className="mb-4 ll-quiet">{t("plan.ownSentence", { bounds: boundsText(row, t) })}</p>}
          {row.change && (
            <div className="mb-4">
              <RequestedTerms row={row} change={row.change} channels={channels} shown={wordedTerms} />
            </div>
          )}
        </>
      )}
      facts={["orgName", "priceCents", "usage", "funds", "methodPriority"]}
      fields={pageFields}
      actions={pageActions({ orgs, channels }, isOrganisation)}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Terms row={row} channels={channels} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={historyFields} titles={planTitles} />,
        },
      ]}
    />
  );
}

const wordedTerms = termsInWords(termFields);

/** Whether the plan takes leads, else why not. */
function sentenceOf(row: PlanNow, t: Translate): string {
  const status = t(`PlanStatus.${row.status}`);
  const reasons = whyNot(row, t);
  if (row.decision && row.status === "pending") return t("plan.waitsSentence", { status, names: row.decision.makerNames });
  if (reasons === "") return t(row.status === "running" ? "plan.taking" : "plan.notTaking", { status });
  return t("plan.notTakingBecause", { status, reasons });
}

/** The fields of the page: the names of other records are links. */
const pageFields = linkedFields<PlanNow>(termsInWords(planFields));

/** The channels are terms that no list shows. */
const detailFields = [
  ...pageFields.filter(({ key }) => !HEAD.includes(key)),
  ...termFields.filter(({ key }) => key === "channelAllow" || key === "channelDeny"),
];

const historyFields: readonly Field<never>[] = [
  ...(planFields as readonly Field<never>[]),
  ...(planHistoryFields as readonly Field<never>[]),
];

/** The terms that have a value, and the lists of what came of the plan. */
function Terms({ row, channels }: { row: PlanNow; channels: readonly SelectOption[] }) {
  const t = useT();
  const held = usePoints();
  return (
    <>
      <Description wide filled fields={withChannelNames(detailFields, channels)} row={row} />
      <div className="ll-toolbar mt-4">
        {lists
          .filter(({ point }) => held.has(point))
          .map(({ href, parameter, label }) => (
            <a key={href} className={buttonClass()} href={`${href}?${parameter}=${row.id}`}>
              {t(label)}
            </a>
          ))}
      </div>
    </>
  );
}
