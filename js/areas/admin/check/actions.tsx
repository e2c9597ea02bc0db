/** What is done with a compliance check, in the list and on its own page. */
import type { CheckRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { notify } from "../../../lib/toast";
import type { List, RowAction } from "../../../ui/actions";

export const checkActions: readonly RowAction<CheckRow>[] = [
  { label: "compliance.again", point: "check", when: ({ targetId }) => targetId !== null, run: again },
];

async function again({ targetType, targetId }: CheckRow, list: List) {
  await shown(await api.post<CheckRow>("/compliance/check", { targetType, targetId }), list);
}

/** After a check was made: opens its page, for viewers who may. */
export async function shown({ id }: CheckRow, { t, can, go, reload }: List) {
  if (!can("view")) return reload("compliance.done");
  notify("success", t("compliance.done"));
  await go(`/admin/test/${id}`);
}
