/** /crm/pool-setting/:id: one pool: on what terms its clues are claimed, and what was changed. */
import type { PoolRow } from "../../../lib/api-types";
import { DetailPage } from "../../../ui/detail-page";
import { recordTabs } from "../../../ui/record-tabs";
import { poolActions, usePoolChoices } from "./actions";
import { poolFields } from "./fields";

export default function PoolDetail() {
  return (
    <DetailPage<PoolRow>
      load="pool"
      list={{ href: "/crm/pool-setting", title: "pool.title" }}
      points="crm/saleman"
      title={({ name }) => name}
      status="status"
      facts={["orgName", "clues", "claimPerDay", "reclaimDays"]}
      fields={poolFields}
      actions={poolActions(usePoolChoices())}
      tabs={recordTabs(poolFields)}
    />
  );
}
