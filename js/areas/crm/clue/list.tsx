/** /crm/clue: the leads that the viewer's organisation bought, as its salespeople work on them. */
import type { ClueRow } from "../../../lib/api-types";
import { useViewer } from "../../../lib/props";
import { ListPage } from "../../../ui/list-page";
import { CrmTabs } from "../tabs";
import { clueActions, clueBatch, useClueChoices } from "./actions";
import { clueFields, clueFieldsOfAll, clueFilters } from "./fields";

export default function ClueList() {
  const choices = useClueChoices();
  const isPlatform = useViewer()?.orgId === null;
  return (
    <>
      <CrmTabs current="/crm/clue" />
      <ListPage<ClueRow>
        title="clue.title"
        empty="clue.empty"
        api="/crm/clue"
        points="crm/clue"
        fields={isPlatform ? clueFieldsOfAll : clueFields}
        filters={clueFilters}
        href={({ id }) => `/crm/clue/${id}`}
        exports="/crm/pushPage/export"
        actions={clueActions(choices)}
        batch={clueBatch}
      />
    </>
  );
}
