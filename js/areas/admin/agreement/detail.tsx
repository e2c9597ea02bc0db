/** /admin/agreement/:id: one agreement: whether new consents may name it, its text and what was changed. */
import type { AgreementDetail } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import { LoadedTimeline } from "../../../ui/timeline";
import { agreementActions } from "./actions";
import { agreementFields } from "./fields";
import { stateOf } from "./state";

const FACTS = ["code", "edition", "validFrom", "validTo", "consents"] as const;
/** Shown in the head of the page. */
const HEAD: readonly string[] = [...FACTS, "name", "state"];
const otherFields = agreementFields.filter(({ key }) => !HEAD.includes(key));

export default function AgreementPage() {
  return (
    <DetailPage<AgreementDetail>
      load="agreement"
      list={{ href: "/admin/agreement", title: "agreement.title" }}
      points="admin/agreement"
      title={({ name, edition }) => `${name} ${edition}`}
      status="state"
      sentence={(row, t) => <p className="mb-4">{stateOf(row, t)}</p>}
      facts={FACTS}
      fields={agreementFields}
      actions={agreementActions}
      tabs={[
        { name: "text", label: "agreement.text", show: (row) => <Text row={row} /> },
        { name: "history", label: "ui.history", show: () => <LoadedTimeline load="history" fields={agreementFields} /> },
      ]}
    />
  );
}

/** The text and what was computed of it. */
function Text({ row }: { row: AgreementDetail }) {
  const t = useT();
  return (
    <>
      {row.text === "" ? <p className="ll-quiet">{t("agreement.noText")}</p> : <p className="ll-agreement-text">{row.text}</p>}
      <Description wide filled fields={otherFields} row={row} />
    </>
  );
}
