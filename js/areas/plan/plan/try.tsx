/** Other terms of a plan, tried on past leads: the form, and what would have been sold. A lazy chunk. */
import * as z from "zod/mini";

import type { PlanNow, PlanTrial, PlanTrialResult, TrialMargin, TrialSales } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { count, money, percent, time } from "../../../lib/format";
import { type MessageKey, type Translate, useT } from "../../../lib/i18n";
import { planTrialLimits } from "../../../lib/limits";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { adjustable, boundsText } from "./bounds";
import type { PlanChoices } from "./fields";
import { saleTerms, termsOf, withChannelMode } from "./definition";

const USUAL_DAYS = 7;

/** A trial and its result. */
export interface Tried {
  trial: PlanTrial;
  result: PlanTrialResult;
}

interface TryDialog {
  overlay: Overlay<Tried>;
  t: Translate;
  choices: PlanChoices;
  row: PlanNow;
  /** The viewer is one of the plan's organisation. */
  isOrganisation: boolean;
  /** The trial before. */
  trial?: PlanTrial | undefined;
}

/** The form of a trial; it closes with the result. */
export function tryDialog({ overlay, t, choices, row, isOrganisation, trial }: TryDialog) {
  const sale = saleTerms(t, choices.channels);
  // What an organisation may not set itself is not shown, and sent as it is.
  const mayTry = isOrganisation && adjustable(row);
  const schema = z.object({ days: rules(t).integer(1, planTrialLimits.mostDays), ...sale.shape }).check(...sale.checks);
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "days", label: "plan.tryDays", kind: "integer", unit: "channel.days", required: true, hint: "plan.tryDaysHint" },
      ...[...sale.prices, ...sale.amounts, ...sale.applicants, ...sale.hours, ...sale.channels].map((field) =>
        mayTry ? { ...field, when: () => mayTry.has(field.name) } : field,
      ),
    ],
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("plan.tryTitle", { name: row.name })}
      draft="plan.try"
      note={mayTry ? t("plan.tryOwnNote", { bounds: boundsText(row, t) || t("plan.bound.none") }) : t("plan.tryNote")}
      submit={t("plan.tryRun")}
      form={form}
      record={withChannelMode(trial ?? { ...row, ...(!mayTry && row.change), days: USUAL_DAYS })}
      save={async (values) => {
        const tried: PlanTrial = { ...termsOf(values), id: row.id };
        return { trial: tried, result: await api.post<PlanTrialResult>("/plan/try", tried) };
      }}
    />
  );
}

interface TryResult {
  overlay: Overlay<"again" | "edit">;
  row: PlanNow;
  tried: Tried;
  isOrganisation: boolean;
  mayEdit: boolean;
}

/** The result of a trial; it closes with the next step. */
export const tryResult = (props: TryResult) => <TrialResult {...props} />;

function TrialResult({ overlay, row, tried: { result }, isOrganisation, mayEdit }: TryResult) {
  const t = useT();
  const { from, until, rounds, own, all, others, rest, endings, margin } = result;
  const hasRest = rest.wasLeads + rest.wouldBeLeads > 0;
  return (
    <Dialog overlay={overlay} title={t("plan.tryResult", { name: row.name })} shape="wide">
      <div className="ll-dialog-body">
        <p className="ll-quiet">
          {t(isOrganisation ? "plan.tryOwnRange" : "plan.tryRange", { from: time(from), until: time(until), rounds: count(rounds) })}
        </p>
        <h3 className="ll-details-title">{t("plan.trySales")}</h3>
        <div className="ll-table-box" role="group" aria-label={t("plan.trySales")} tabIndex={0}>
          <table className="ll-table ll-compact">
            <thead>
              <tr>
                <th scope="col">{t("plan.name")}</th>
                <th scope="col" className="ll-num">
                  {t("plan.tryLeads")}
                </th>
                <th scope="col" className="ll-num">
                  {t("plan.tryMoney")}
                </th>
                <th scope="col" className="ll-num">
                  {t("plan.tryChange")}
                </th>
              </tr>
            </thead>
            <tbody>
              <SalesRow name={row.name} note={row.orgName} sales={own} />
              {others.map(({ planId, planName, orgName, sales }) => (
                <SalesRow key={planId} name={planName} note={orgName} sales={sales} />
              ))}
              {hasRest && <SalesRow name={t("plan.tryRest")} sales={rest} />}
            </tbody>
            {!isOrganisation && (
              <tfoot>
                <SalesRow name={t("plan.tryAll")} sales={all} />
              </tfoot>
            )}
          </table>
        </div>
        {margin && <MarginTable margin={margin} />}
        <h3 className="ll-details-title">{t("plan.tryEndings")}</h3>
        <div className="ll-table-box" role="group" aria-label={t("plan.tryEndings")} tabIndex={0}>
          <table className="ll-table ll-compact">
            <thead>
              <tr>
                <th scope="col">{t("plan.tryEnding")}</th>
                <th scope="col" className="ll-num">
                  {t("plan.tryWas")}
                </th>
                <th scope="col" className="ll-num">
                  {t("plan.tryWould")}
                </th>
              </tr>
            </thead>
            <tbody>
              {endings.map(({ ending, was, wouldBe }) => (
                <tr key={ending}>
                  <th scope="row">{t((OWN_ENDINGS.has(ending) ? `plan.tryEnding.${ending}` : `PassedOver.${ending}`) as MessageKey)}</th>
                  <td className="ll-num">{count(was)}</td>
                  <td className="ll-num">{count(wouldBe)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <h3 className="ll-details-title">{t("plan.tryUnknown")}</h3>
        <ul className="ll-quiet">
          {notes(result, isOrganisation, t).map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close()}>{t("ui.close")}</Button>
        {mayEdit && <Button onClick={() => overlay.close("edit")}>{t("plan.tryTake")}</Button>}
        <Button look="primary" onClick={() => overlay.close("again")}>
          {t("plan.tryAgain")}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Endings that are no reason for which a plan was passed over. */
const OWN_ENDINGS = new Set(["bought", "refused", "not_running"]);

function SalesRow({ name, note, sales }: { name: string; note?: string; sales: TrialSales }) {
  const { wasLeads, wasCents, wouldBeLeads, wouldBeCents } = sales;
  return (
    <tr>
      <th scope="row">
        {name}
        {note && (
          <>
            <br />
            <small className="ll-quiet">{note}</small>
          </>
        )}
      </th>
      <td className="ll-num">{`${count(wasLeads)} → ${count(wouldBeLeads)}`}</td>
      <td className="ll-num">{`${money(wasCents)} → ${money(wouldBeCents)}`}</td>
      <td className="ll-num">{signed(wouldBeCents - wasCents)}</td>
    </tr>
  );
}

/** Income, cost and margin of the statistics, and as they would have been. */
function MarginTable({ margin }: { margin: TrialMargin }) {
  const t = useT();
  const rows: [MessageKey, number, number][] = [
    ["stat.incomeCents", margin.wasIncomeCents, margin.wouldBeIncomeCents],
    ["stat.costCents", margin.wasCostCents, margin.wouldBeCostCents],
    ["stat.marginCents", margin.wasMarginCents, margin.wouldBeMarginCents],
  ];
  return (
    <>
      <h3 className="ll-details-title">{t("plan.tryMargin")}</h3>
      <p className="ll-quiet">{t("plan.tryMarginNote", { first: margin.firstDay, last: margin.lastDay })}</p>
      <div className="ll-table-box" role="group" aria-label={t("plan.tryMargin")} tabIndex={0}>
        <table className="ll-table ll-compact">
          <thead>
            <tr>
              <th scope="col">{t("plan.tryFigure")}</th>
              <th scope="col" className="ll-num">
                {t("plan.tryWas")}
              </th>
              <th scope="col" className="ll-num">
                {t("plan.tryWould")}
              </th>
              <th scope="col" className="ll-num">
                {t("plan.tryChange")}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([heading, was, wouldBe]) => (
              <tr key={heading}>
                <th scope="row">{t(heading)}</th>
                <td className="ll-num">{money(was)}</td>
                <td className="ll-num">{money(wouldBe)}</td>
                <td className="ll-num">{signed(wouldBe - was)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** An amount with its sign. */
const signed = (cents: number) => (cents > 0 ? `+${money(cents)}` : money(cents));

/** Notes on the limits of a trial. */
function notes(
  { rounds, asIfRunning, edited, erased, newOffers, newOffersOfOthers, takenBp, margin }: PlanTrialResult,
  isOrganisation: boolean,
  t: Translate,
): string[] {
  const lines = rounds === 0 ? [t("plan.tryNothing")] : [];
  if (asIfRunning) lines.push(t("plan.tryAsIfRunning"));
  else if (edited) lines.push(t("plan.tryEdited"));
  if (newOffers + newOffersOfOthers > 0) {
    lines.push(t(isOrganisation ? "plan.tryOwnAnswers" : "plan.tryAnswers", { own: count(newOffers), others: count(newOffersOfOthers) }));
    if (takenBp !== null) lines.push(t("plan.tryTaken", { rate: percent(takenBp) }));
  }
  if (rounds > 0) lines.push(t("plan.tryBalances"), t("plan.tryPrices"), t("plan.tryOthers"));
  if (rounds > 0 && margin) lines.push(t("plan.tryCosts"));
  if (erased > 0) lines.push(t("plan.tryErased", { count: count(erased) }));
  return lines;
}
