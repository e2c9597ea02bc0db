/** /admin/test-rules: the rules of the compliance check. */
import type { RuleRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useLocale } from "../../../lib/i18n";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { TestTabs } from "../check-tabs";
import { ruleFields, ruleFilters } from "./fields";

export default function ComplianceRules() {
  const locale = useLocale();
  return (
    <>
      <TestTabs current="rules" />
      <ListPage
        title="compliance.rules"
        empty="compliance.rulesEmpty"
        api="/compliance/rule"
        points="admin/test"
        exports={false}
        fields={ruleFields(locale)}
        filters={ruleFilters}
        create={{ label: "compliance.createRule", point: "rule", run: (list) => edit(undefined, list) }}
        actions={actions}
      />
    </>
  );
}

export const actions: readonly RowAction<RuleRow>[] = [
  { label: "compliance.edit", point: "rule", run: edit },
  { label: "compliance.delete", point: "rule", danger: true, when: ({ builtin }) => !builtin, run: remove },
];

async function edit(row: RuleRow | undefined, { t, open, reload }: List) {
  const { ruleDialog } = await import("./form");
  if (await open<RuleRow>((overlay) => ruleDialog({ overlay, t, row }))) await reload("compliance.ruleSaved");
}

async function remove({ id, titleZh, titleEn }: RuleRow, { t, confirm, reload }: List) {
  const title = t("compliance.deleteTitle", { name: `${titleZh} / ${titleEn}` });
  if (!(await confirm({ title, text: t("compliance.deleteText"), confirm: t("compliance.delete"), danger: true }))) return;
  await api.del(`/compliance/rule/${id}`);
  await reload("compliance.deleted");
}
