/** /plan/list/new, /plan/list/:id/edit and /plan/list/:id/copy: the form of a plan. */
import type { PlanNow, PlanRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useFieldChoices } from "../../../lib/choices";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import type { Envelope } from "../../../lib/types";
import { useNavigate, useVisit } from "../../../lib/visit";
import { useGoBack } from "../../../ui/back-link";
import { buttonClass } from "../../../ui/button";
import { ExceptionView } from "../../../ui/exception-view";
import { FormPage } from "../../../ui/form-page";
import { FailedList, State } from "../../../ui/list-state";
import { blank, noBounds, planForm, termsOf, withChannelMode, withRequestedTerms } from "./definition";
import { isApproved, isEditable, isNewRequest } from "./status";

/** What the page that led here keeps with the entry of the history. */
interface Kept {
  /** Terms to begin with, in place of the plan's. */
  terms?: Parameters<typeof withChannelMode>[0];
}

export default function PlanFormPage() {
  const t = useT();
  const { data, name, location } = useVisit();
  const answer = data["plan"] as Envelope<PlanNow | null> | undefined;
  if (!answer) return <Whole row={undefined} copy={false} />;
  const row = answer.code === "0000" ? answer.data : null;
  if (!row && (answer.code === "1004" || answer.code === "4000")) return <ExceptionView status={404} />;
  const copy = name === "planCopy";
  if (row && (copy || isEditable(row.status))) return <Whole key={row.id} row={row} copy={copy} />;
  return (
    <div className="ll-card">
      {row ? (
        <State icon="warning" title={t("plan.notEditable")} text={t(`PlanStatus.${row.status}`)}>
          <a className={buttonClass("primary")} href="/plan/list">
            {t("ui.backTo", { name: t("plan.title") })}
          </a>
        </State>
      ) : (
        <FailedList answer={answer} address={location.pathname + location.search} />
      )}
    </div>
  );
}

/** The form of a new plan, of one to be edited, or of a copy. */
function Whole({ row, copy }: { row: PlanNow | undefined; copy: boolean }) {
  useFieldChoices();
  const t = useT();
  const navigate = useNavigate();
  const { state } = useVisit().location;
  const orgs = useLoaded<SelectOption[]>("orgs") ?? [];
  const channels = useLoaded<SelectOption[]>("channels") ?? [];
  const mayView = useHasPoint(["plan/list/view"]);
  const back = { href: "/plan/list", title: "plan.title" } as const;
  const goBack = useGoBack(back.href);
  const isNew = copy || !row;
  // Requested terms stay requested unless they are changed here.
  const requested = row && !copy && row.change ? { ...row, ...row.change, ...row.changeNames } : row;
  const { sections, form } = planForm(t, { orgs, channels }, requested, isNew);
  const { terms } = (state ?? {}) as Kept;
  const saved = async (plan: PlanRow) => {
    if (!isNew) {
      notify("success", t(isNewRequest(row, plan) ? "plan.changeAsked" : "plan.saved"));
      return goBack();
    }
    notify("success", t("plan.created"));
    // The page of the plan takes the place of the form, so that Back leads to where the form was opened.
    await navigate(mayView ? `/plan/list/${plan.id}` : back.href, { replace: true, state });
  };
  return (
    <FormPage
      back={back}
      title={t(copy ? "plan.copy" : row ? "plan.edit" : "plan.create")}
      draft={copy ? "plan.copy" : "plan"}
      note={isNew || !isApproved(row) ? undefined : t(row.change ? "plan.changeShown" : "plan.changeLater")}
      form={form}
      sections={sections}
      record={requested ?? blank}
      valuesOf={(record) => ("id" in record ? withChannelMode(copy ? { ...record, ...noBounds } : withRequestedTerms(record)) : record)}
      changes={terms && withChannelMode(terms)}
      save={(values, record) =>
        isNew || !("id" in record)
          ? api.post<PlanRow>("/plan", termsOf(values))
          : api.put<PlanRow>("/plan", { ...termsOf(values), id: record.id, version: record.version })
      }
      saved={(plan: PlanRow) => void saved(plan)}
    />
  );
}
