/** /crm/pool: clues that no salesperson owns, to be claimed. */
import type { ClueRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { CrmTabs } from "../tabs";
import { assign, claim } from "./actions";
import { pooledFields, pooledFilters } from "./fields";
import { isOpenStage } from "./stages";

export default function PoolList() {
  return (
    <>
      <CrmTabs current="/crm/pool" />
      <ListPage<ClueRow>
        title="clue.poolTitle"
        empty="clue.poolEmpty"
        api="/crm/poolClue"
        points="crm/clue"
        fields={pooledFields}
        filters={pooledFilters}
        exports={false}
        actions={[
          { label: "clue.claim", point: "claim", when: ({ stage }) => isOpenStage(stage), run: claim },
          { label: "clue.assign", point: "assign", when: ({ stage }) => isOpenStage(stage), run: (row, list) => assign([row], list) },
        ]}
        batch={[{ label: "clue.assign", point: "assign", icon: "user", run: assign }]}
      />
    </>
  );
}
