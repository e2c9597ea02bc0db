/** /user/black-list/:id: one entry: where it refuses applicants, what it is about, and what happened to it. */
import type { BlacklistNow, RevealedBlacklist } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useHasPoint } from "../../../lib/permissions";
import { Description } from "../../../ui/description";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { LoadedTimeline } from "../../../ui/timeline";
import { mayChange, pageActions } from "./actions";
import { useBlacklistChoices } from "./choices";
import { blacklistFields, blacklistTitles } from "./fields";
import { stateOf } from "./state";

export default function BlacklistEntry() {
  const choices = useBlacklistChoices();
  return (
    <DetailPage<BlacklistNow>
      load="entry"
      list={{ href: "/user/black-list", title: "blacklist.title" }}
      points="user/black-list"
      title={({ valueMask }) => valueMask}
      status="status"
      sentence={(row, t) => <p className="mb-4">{stateOf(row, t)}</p>}
      facts={["kind", "scope", "source", "reason", "expiresAt", "hitCount"]}
      fields={linkedFields}
      actions={pageActions(choices)}
      tabs={[
        { name: "details", label: "ui.details", show: (row) => <Facts row={row} isChangeable={mayChange(row, choices.everywhere)} /> },
        {
          name: "history",
          label: "ui.history",
          show: () => <LoadedTimeline load="history" fields={blacklistFields} titles={blacklistTitles} />,
        },
      ]}
    />
  );
}

/** The fields of the page: the name of the channel or organisation is a link. */
const linkedFields = (blacklistFields as readonly Field<BlacklistNow>[]).map((field): Field<BlacklistNow> => {
  if (field.key !== "scope") return field;
  return {
    ...field,
    show: ({ scope, scopeId, scopeName }, t) =>
      scopeName === null ? (
        t(`BlacklistScope.${scope}`)
      ) : (
        <>
          {t(`BlacklistScope.${scope}`)}{" "}
          <RecordLink
            href={scope === "channel" ? `/channel/list/${scopeId}` : `/org/list/${scopeId}`}
            point={scope === "channel" ? "channel/list/view" : "org/list/view"}
            name={scopeName}
          />
        </>
      ),
  };
});

const detailFields = linkedFields.filter(({ key }) => key !== "status");

/** The fields that have a value; viewers who may change the entry reveal its value. */
function Facts({ row, isChangeable }: { row: BlacklistNow; isChangeable: boolean }) {
  const mayReveal = useHasPoint(["user/black-list/reveal"]) && isChangeable;
  const valueMask = async () => (await api.get<RevealedBlacklist>(`/blacklist/reveal/${row.id}`)).value;
  return <Description wide filled fields={detailFields} row={row} reveals={mayReveal ? { valueMask } : undefined} />;
}
