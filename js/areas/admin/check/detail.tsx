/** /admin/test/:id: one compliance check: what it found, whether it still counts, and the way back to its target. */
import type { CheckNow } from "../../../lib/api-types";
import { useLocale, useT } from "../../../lib/i18n";
import { usePoints } from "../../../lib/permissions";
import { buttonClass } from "../../../ui/button";
import { CheckItems } from "../../../ui/check-items";
import { DetailPage } from "../../../ui/detail-page";
import type { Field } from "../../../ui/field";
import { RecordLink } from "../../../ui/record-link";
import { checkActions } from "./actions";
import { checkFields } from "./fields";
import { stateOf } from "./state";

/** The pages of the records that are checked; the other targets are texts. */
const pages = {
  channel: { list: "/channel/list", point: "channel/list/view", label: "compliance.open.channel" },
  organisation: { list: "/org/list", point: "org/list/view", label: "compliance.open.organisation" },
  product: { list: "/product/list", point: "product/list/view", label: "compliance.open.product" },
  plan: { list: "/plan/list", point: "plan/list/view", label: "compliance.open.plan" },
} as const;

/** The page of the target of a check; none for a text. */
function targetOf({ targetType, targetId }: CheckNow) {
  if (targetId === null || targetType === "script" || targetType === "consent") return undefined;
  const { list, point, label } = pages[targetType];
  return { href: `${list}/${targetId}`, point, label };
}

export default function CheckPage() {
  const locale = useLocale();
  return (
    <DetailPage<CheckNow>
      load="check"
      list={{ href: "/admin/test", title: "compliance.title" }}
      points="admin/test"
      title={({ no }) => no}
      status="result"
      sentence={(check, t) => (
        <>
          <p className="mb-4">{stateOf(check, t)}</p>
          <Links check={check} />
        </>
      )}
      facts={["targetType", "targetName", "checkedBy", "checkedAt"]}
      fields={(checkFields(locale) as readonly Field<CheckNow>[]).map(withLink)}
      actions={checkActions}
      tabs={[{ name: "items", label: "compliance.items", show: ({ items }) => <CheckItems items={items} /> }]}
    />
  );
}

/** The name of the target is a link. */
function withLink(field: Field<CheckNow>): Field<CheckNow> {
  if (field.key !== "targetName") return field;
  return {
    ...field,
    show: (check) => {
      const target = targetOf(check);
      return target ? <RecordLink href={target.href} point={target.point} name={check.targetName} /> : check.targetName;
    },
  };
}

/** The target, and all its checks. */
function Links({ check }: { check: CheckNow }) {
  const t = useT();
  const held = usePoints();
  const target = targetOf(check);
  if (!target) return null;
  return (
    <div className="ll-toolbar mb-4">
      {held.has(target.point) && (
        <a className={buttonClass()} href={target.href}>
          {t(target.label)}
        </a>
      )}
      {held.has("admin/test/list") && (
        <a className={buttonClass()} href={`/admin/test?targetType=${check.targetType}&targetId=${check.targetId}`}>
          {t("compliance.history")}
        </a>
      )}
    </div>
  );
}
