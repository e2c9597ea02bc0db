/** /crm/team/:id: one team: how it is reached, which leads it takes, and what was changed. */
import type { TeamRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { teamActions, useTeamChoices } from "./actions";
import { teamFields } from "./fields";

export default function TeamDetail() {
  return (
    <DetailPage<TeamRow>
      load="team"
      list={{ href: "/crm/team", title: "team.title" }}
      points="crm/saleman"
      title={({ name }) => name}
      status="status"
      facts={["managerName", "phoneMask", "people", "assignedToday"]}
      fields={teamFields}
      actions={teamActions(useTeamChoices())}
      tabs={recordTabs(teamFields)}
    />
  );
}
