/** /crm/team: the teams of organisations, how each is reached, and which leads it takes. */
import type { TeamRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { SalespeopleTabs } from "../salespeople-tabs";
import { edit, teamActions, useTeamChoices } from "./actions";
import { teamFields, teamFilters } from "./fields";

export default function Teams() {
  const choices = useTeamChoices();
  return (
    <>
      <SalespeopleTabs current="/crm/team" />
      <ListPage<TeamRow>
        title="team.title"
        empty="team.empty"
        api="/crm/subOrg"
        exports="/crm/subOrgPage/export"
        points="crm/saleman"
        fields={teamFields}
        filters={teamFilters}
        href={({ id }) => `/crm/team/${id}`}
        create={{ label: "team.create", run: (list) => edit(undefined, list, choices) }}
        actions={teamActions(choices)}
      />
    </>
  );
}
