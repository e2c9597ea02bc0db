/** /admin/test: the compliance checks that were made, and making one. */
import type { CheckRow, TargetType } from "../../../lib/api-types";
import { targetTypeCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import { useLocale } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { TestTabs } from "../check-tabs";
import { checkFields, checkFilters } from "./fields";

export default function ComplianceChecks() {
  const locale = useLocale();
  const { filters } = useListQuery();
  const target = { type: targetTypeCodes.find((code) => code === filters["targetType"]) ?? "channel", id: filters["targetId"] ?? "" };
  return (
    <>
      <TestTabs current="checks" />
      <ListPage
        title="compliance.title"
        empty="compliance.empty"
        api="/compliance"
        points="admin/test"
        fields={checkFields(locale)}
        filters={checkFilters}
        create={{ label: "compliance.run", point: "check", run: (list) => run(list, target) }}
        actions={actions}
      />
    </>
  );
}

const actions: readonly RowAction<CheckRow>[] = [
  { label: "compliance.view", point: "view", run: (check, list) => show(check, list) },
  { label: "compliance.again", point: "check", when: ({ targetId }) => targetId !== null, run: again },
];

async function show(check: CheckRow, { open }: List) {
  const { showCheck } = await import("../../../ui/check-result");
  await open((overlay) => showCheck({ overlay, check }));
}

async function again({ targetType, targetId }: CheckRow, list: List) {
  const check = await api.post<CheckRow>("/compliance/check", { targetType, targetId });
  await list.reload("compliance.done");
  await show(check, list);
}

/** Opens the form of a check, with the target of the address chosen beforehand, and shows the result. */
async function run(list: List, target: { type: TargetType; id: string }) {
  const { checkDialog } = await import("./form");
  const check = await list.open<CheckRow>((overlay) => checkDialog({ overlay, t: list.t, target }));
  if (!check) return;
  await list.reload("compliance.done");
  await show(check, list);
}
