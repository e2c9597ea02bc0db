/** /plan/push-list/:id: one push: what became of it, what is to be decided, its return, and every try to deliver it. */
import type { PushDetail } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import { useViewer } from "../../../lib/props";
import { Description } from "../../../ui/description";
import { DetailPage, type DetailTab } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { linkedFields, RecordLink } from "../../../ui/record-link";
import { SecondPerson } from "../../../ui/record-state";
import { withTestTag } from "../../../ui/test-tag";
import { LoadedTimeline } from "../../../ui/timeline";
import { ReturnFacts } from "../return/basis";
import { ReturnDetails } from "../return/details";
import { pageActions } from "./actions";
import { BoughtPerson } from "./bought-person";
import { pushFields, pushTitles, pushTrailFields } from "./fields";
import { outcomeOf } from "./outcome";
import { PushTries } from "./tries";
import { Verdicts } from "./verdicts";

/** What people did with the push; for staff of the platform. */
const HISTORY: DetailTab<PushDetail> = {
  name: "history",
  label: "ui.history",
  show: () => <LoadedTimeline load="history" fields={historyFields} titles={pushTitles} />,
};

const historyFields = [...(pushFields as readonly Field<never>[]), ...(pushTrailFields as readonly Field<never>[])];

/** Shown in the head of the page. */
const HEAD: readonly string[] = ["no", "status"];

export default function PushPage() {
  useFieldChoices();
  const byStaff = useViewer()?.orgId === null;
  const mayResolve = useHasPoint(["plan/push-list/resolve"]);
  return (
    <DetailPage<PushDetail>
      load="push"
      list={{ href: "/plan/push-list", title: "push.title" }}
      points="plan/push-list"
      title={({ no }) => no}
      status="status"
      sentence={(push, t) => (
        <>
          <p className="mb-4">{outcomeOf(push, t, mayResolve)}</p>
          <Returns push={push} isOpen />
          <BuyersClue push={push} />
        </>
      )}
      facts={["priceCents", "orgName", "nameMask", "planName", "productName", "channelName", "soldAt"]}
      fields={pageFields}
      actions={pageActions(byStaff)}
      tabs={[
        { name: "details", label: "ui.details", show: (push) => <Facts push={push} /> },
        { name: "tries", label: "push.tries", show: (push) => <Tries push={push} /> },
        ...(byStaff ? [HISTORY] : []),
      ]}
    />
  );
}

/** The fields of the page: the names of other records are links. */
const pageFields = linkedFields(pushFields as readonly Field<PushDetail>[]).map((field): Field<PushDetail> =>
  field.key === "nameMask" ? { ...field, show: (push, t) => withTestTag(<Applicant push={push} />, push.test, t) } : field,
);

const detailFields = pageFields.filter(({ key }) => !HEAD.includes(key));

/** The mask of the applicant's name; nothing is stored of the applicants of old leads. */
function Applicant({ push: { userId, nameMask } }: { push: PushDetail }) {
  return userId === null ? nameMask : <RecordLink href={`/user/list/${userId}`} point="user/list/view" name={nameMask} />;
}

/** The way to what the buyer does with the lead. */
function BuyersClue({ push: { clueId } }: { push: PushDetail }) {
  const t = useT();
  const mayOpen = useHasPoint(["crm/clue/view"]);
  if (clueId === null || !mayOpen) return null;
  return (
    <p className="mb-4">
      <a className="ll-link" href={`/crm/clue/${clueId}`}>
        {t("push.clue")}
      </a>
    </p>
  );
}

/** The return that waits for a decision, or those that ended. */
function Returns({ push, isOpen = false }: { push: PushDetail; isOpen?: boolean }) {
  const t = useT();
  const { returns, soldAt, returnBasis: basis } = push;
  return returns
    .filter(({ status }) => (status === "pending") === isOpen)
    .map((row) => (
      <div key={row.id} className="mb-4">
        <h2 className="ll-details-title">{t("return.title")}</h2>
        <ReturnDetails row={row} soldAt={soldAt} wide />
        {isOpen && basis && <ReturnFacts push={push} basis={basis} />}
        {isOpen && row.decision && (
          <p>
            <SecondPerson decision={row.decision} />
          </p>
        )}
      </div>
    ));
}

/** The fields that have a value, the person once revealed, and the returns that ended. */
function Facts({ push }: { push: PushDetail }) {
  const mayReveal = useHasPoint(["plan/push-list/reveal"]);
  return (
    <>
      <Description wide filled fields={detailFields} row={push} />
      {mayReveal && push.status === "accepted" && push.userId !== null && <BoughtPerson pushId={push.id} />}
      <Returns push={push} />
    </>
  );
}

/** What people decided, and every try. */
function Tries({ push }: { push: PushDetail }) {
  const t = useT();
  const { verdicts, tries, lastError, attempts, status } = push;
  return (
    <>
      {verdicts.length > 0 && (
        <>
          <Verdicts verdicts={verdicts} />
          <h2 className="ll-details-title">{t("push.tries")}</h2>
        </>
      )}
      {tries.length > 0 || lastError || attempts > 0 || status !== "accepted" ? (
        <PushTries tries={tries} lastError={lastError} />
      ) : (
        <p className="ll-quiet">{t("push.byPage")}</p>
      )}
    </>
  );
}
