/** The money of a clue: its records with what can be done with each, and the form of a new one. */

import type { ClueDetail, MoneyRow } from "../../../lib/api-types";
import { useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { useHasPoint } from "../../../lib/permissions";
import { usePageData, useViewer } from "../../../lib/props";
import { useLocation } from "../../../lib/visit";
import { useActions } from "../../../ui/actions";
import { Button } from "../../../ui/button";
import type { Field } from "../../../ui/field";
import { ListTable } from "../../../ui/list-table";
import { rowActions } from "../../../ui/row-actions";
import { moneyActions, openMoneyForm } from "../money/actions";
import { moneyFields } from "../money/fields";
import { isGivenUp } from "./stages";

const SHOWN: readonly (keyof MoneyRow)[] = [
  "no",
  "type",
  "amountCents",
  "loanCents",
  "status",
  "decision",
  "paidAt",
  "payMethod",
  "salesName",
  "proofFiles",
];
/** The call answers all records in one order: none of the fields sorts, and none is added up. */
const fields: readonly Field<MoneyRow>[] = SHOWN.flatMap((key) =>
  moneyFields.filter((field) => field.key === key).map((field) => ({ ...field, sort: false, total: false })),
);

export function ClueMoney({ clue: { id, no, stage } }: { clue: ClueDetail }) {
  const t = useT();
  const viewer = useViewer();
  const query = useListQuery();
  const { pathname } = useLocation();
  const [list, act, overlays] = useActions("crm/clue");
  const mayEnter = useHasPoint(["crm/clue/money"]) && !isGivenUp(stage);
  const { data, desc } = usePageData<MoneyRow[] | null>("money");
  return (
    <>
      {mayEnter && (
        <div className="ll-toolbar">
          <Button look="primary" icon="plus" onClick={() => act("money", () => openMoneyForm(list, { clueId: id, clueNo: no }))}>
            {t("money.create")}
          </Button>
        </div>
      )}
      {data === null && <p className="ll-quiet">{desc}</p>}
      {data?.length === 0 && <p className="ll-quiet">{t("clue.noMoney")}</p>}
      {data && data.length > 0 && (
        <ListTable
          label={t("clue.moneyTab")}
          rows={data}
          fields={fields}
          href={({ id: record }) => `/crm/money/${record}`}
          query={query}
          pathname={pathname}
          density="normal"
          loading={false}
          actions={viewer ? rowActions(moneyActions, viewer, list, act) : undefined}
        />
      )}
      {overlays}
    </>
  );
}
