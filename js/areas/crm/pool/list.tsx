/** /crm/pool-setting: the pools of organisations, and on what terms salespeople claim clues of them. */
import type { PoolRow } from "../../../lib/api-types";
import { ListPage } from "../../../ui/list-page";
import { SalespeopleTabs } from "../salespeople-tabs";
import { edit, poolActions, usePoolChoices } from "./actions";
import { poolFields, poolFilters } from "./fields";

export default function Pools() {
  const choices = usePoolChoices();
  return (
    <>
      <SalespeopleTabs current="/crm/pool-setting" />
      <ListPage<PoolRow>
        title="pool.title"
        empty="pool.empty"
        api="/crm/pool"
        points="crm/saleman"
        exports={false}
        fields={poolFields}
        filters={poolFilters}
        href={({ id }) => `/crm/pool-setting/${id}`}
        create={{ label: "pool.create", point: "pool", run: (list) => edit(undefined, list, choices) }}
        actions={poolActions(choices)}
      />
    </>
  );
}
