/** /crm/pool-setting/:id: one pool: on what terms its clues are claimed, and what was changed. */
import type { PoolRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { linkedFields } from "../../../ui/record-link";
import { recordTabs } from "../../../ui/record-tabs";
import { poolActions, usePoolChoices } from "./actions";
import { poolFields } from "./fields";

/** The fields of the page: the names of other records are links. */
const fields = linkedFields(poolFields);

export default function PoolDetail() {
  return (
    <DetailPage<PoolRow>
      load="pool"
      list={{ href: "/crm/pool-setting", title: "pool.title" }}
      points="crm/saleman"
      title={({ name }) => name}
      status="status"
      facts={["orgName", "clues", "claimPerDay", "reclaimDays"]}
      fields={fields}
      actions={poolActions(usePoolChoices())}
      tabs={recordTabs(fields)}
    />
  );
}
