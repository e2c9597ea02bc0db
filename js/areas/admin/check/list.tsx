/** /admin/test: the compliance checks that were made, and making one. */
import type { CheckRow, TargetType } from "../../../lib/api-types";
import { targetTypeCodes } from "../../../lib/codes";
import { useLocale } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { useHasPoint } from "../../../lib/permissions";
import { type List, ListPage } from "../../../ui/list-page";
import { TestTabs } from "../check-tabs";
import { checkActions, shown } from "./actions";
import { checkFields, checkFilters } from "./fields";

const addressOf = ({ id }: CheckRow) => `/admin/test/${id}`;

export default function ComplianceChecks() {
  const locale = useLocale();
  const { filters } = useListQuery();
  const mayView = useHasPoint(["admin/test/view"]);
  const target = { type: targetTypeCodes.find((code) => code === filters["targetType"]) ?? "channel", id: filters["targetId"] ?? "" };
  return (
    <>
      <TestTabs current="checks" />
      <ListPage<CheckRow>
        title="compliance.title"
        empty="compliance.empty"
        api="/compliance"
        points="admin/test"
        fields={checkFields(locale)}
        filters={checkFilters}
        href={mayView ? addressOf : undefined}
        create={{ label: "compliance.run", point: "check", run: (list) => run(list, target) }}
        actions={checkActions}
      />
    </>
  );
}

/** Opens the form of a check, with the target of the address chosen beforehand, and shows the result. */
async function run(list: List, target: { type: TargetType; id: string }) {
  const { checkDialog } = await import("./form");
  const check = await list.open<CheckRow>((overlay) => checkDialog({ overlay, t: list.t, target }));
  if (check) await shown(check, list);
}
