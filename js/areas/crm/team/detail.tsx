/** /crm/team/:id: one team: how it is reached, which leads it takes, and what was changed. */
import type { TeamRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { recordTabs } from "../../../ui/record-tabs";
import { teamActions, useTeamChoices } from "./actions";
import { teamFields } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(teamFields);

export default function TeamDetail() {
  return (
    <DetailPage<TeamRow>
      load="team"
      list={{ href: "/crm/team", title: "team.title" }}
      points="crm/saleman"
      title={({ name }) => name}
      status="status"
      facts={["managerName", "phoneMask", "people", "assignedToday"]}
      fields={fields}
      actions={teamActions(useTeamChoices())}
      tabs={recordTabs(fields)}
    />
  );
}
