/** The form of a customer: what staff write about them. A lazy chunk. */
import * as z from "zod/mini";

import type { CustomerRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { customerLimits } from "../../../lib/limits";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

/** Tags hold no quotation marks and no backslashes. */
const TAG = new RegExp(`^[^"\\\\]{1,${customerLimits.tag}}$`, "u");

interface CustomerDialog {
  overlay: Overlay<CustomerRow>;
  t: Translate;
  row: CustomerRow;
}

function customerForm(t: Translate) {
  const rule = rules(t);
  const schema = z.object({
    nickname: rule.text(customerLimits.nickname),
    tags: rule.lines(customerLimits.mostTags, TAG, (line) => t("customer.tagWrong", { line })),
    remark: rule.note(customerLimits.remark),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "nickname", label: "customer.nickname", kind: "text", required: true, wide: true },
      { name: "tags", label: "customer.tags", kind: "lines", hint: "customer.tagsHint", wide: true },
      { name: "remark", label: "customer.remark", kind: "area", wide: true },
    ],
  };
  return form;
}

/** The dialog of a customer; it closes with the customer as it was saved. */
export function customerDialog({ overlay, t, row }: CustomerDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("customer.edit")}
      draft="customer"
      form={customerForm(t)}
      record={row}
      save={(values, { id, version }) => api.put<CustomerRow>("/chat/client", { ...values, id, version })}
    />
  );
}
