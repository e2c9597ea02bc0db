/** /crm/clue/:id: one clue: who it is about, what was done, and what is to be done next. */
import type { ClueDetail as Detail } from "../../../lib/api-types";
import { useFieldChoices } from "../../../lib/choices";
import { useT } from "../../../lib/i18n";
import { useHasPoint } from "../../../lib/permissions";
import type { RowAction } from "../../../ui/actions";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { Icon } from "../../../ui/icon";
import { RiskPanel } from "../../../ui/risk-panel";
import { LoadedTimeline } from "../../../ui/timeline";
import { openNext, ownerActions } from "./actions";
import { Contact } from "./contact";
import { ClueDetails, linkedClueFields } from "./facts";
import { clueFields, clueTitles } from "./fields";
import { FollowForm } from "./follow-form";
import { ClueMoney } from "./money";
import { isGivenUp, isOpenStage } from "./stages";
import { ClueStory } from "./story";
import { ClueTexts } from "./texts";

const fields = clueFields as readonly Field<Detail>[];

export default function ClueDetail() {
  useFieldChoices();
  const actions: readonly RowAction<Detail>[] = [
    { label: "clue.next", point: "list", shortcut: "n", run: ({ id }, list) => openNext(id, list) },
    ...(ownerActions as readonly RowAction<Detail>[]),
  ];
  return (
    <DetailPage<Detail>
      load="clue"
      list={{ href: "/crm/clue", title: "clue.title" }}
      points="crm/clue"
      title={({ nameMask }) => nameMask}
      status="stage"
      sentence={(row) => <Contact clue={row} />}
      facts={["ownerName", "level", "nextFollowAt"]}
      fields={linkedClueFields}
      actions={actions}
      tabs={[
        { name: "work", label: "clue.workTab", shortcut: "w", show: (row) => <Work clue={row} /> },
        { name: "details", label: "ui.details", show: (row) => <ClueDetails clue={row} /> },
        { name: "money", label: "clue.moneyTab", point: "crm/clue/money", show: (row) => <ClueMoney clue={row} /> },
        { name: "texts", label: "clue.textsTab", shortcut: "m", point: "crm/clue/sms", show: (row) => <ClueTexts clue={row} /> },
        { name: "risk", label: "user.risk", point: "crm/clue/risk", show: ({ id }) => <RiskPanel path={(call) => `/crm/${call}/${id}`} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={fields} titles={clueTitles} /> },
      ]}
    />
  );
}

/** The form of the next follow-up, and what was done before. */
function Work({ clue }: { clue: Detail }) {
  const t = useT();
  const mayFollow = useHasPoint(["crm/clue/follow"]);
  const takes = mayFollow && clue.ownerId !== null && !isGivenUp(clue.stage);
  return (
    <div className="grid grid-cols-[minmax(280px,380px)_minmax(0,1fr)] gap-6 narrow:grid-cols-1">
      <div className="grid content-start gap-4">
        {clue.test && (
          <p className="ll-alert ll-alert-warning">
            <Icon name="warning" />
            {t("clue.testNote")}
          </p>
        )}
        {takes ? (
          <FollowForm key={clue.version} clue={clue} />
        ) : (
          <p className="ll-quiet">{t(clue.ownerId === null ? "clue.inPool" : isOpenStage(clue.stage) ? "clue.readOnly" : "clue.closed")}</p>
        )}
      </div>
      <ClueStory clue={clue} />
    </div>
  );
}
