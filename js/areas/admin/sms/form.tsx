/** The form of a test message. A lazy chunk. */
import * as z from "zod/mini";

import type { SmsRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

interface TestDialog {
  overlay: Overlay<SmsRow>;
  t: Translate;
}

/** The dialog that asks where it goes; it closes with the message's row. */
export function testDialog({ overlay, t }: TestDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("sms.test")}
      submit={t("sms.send")}
      form={{
        schema: z.object({ phone: rules(t).phone() }),
        fields: [{ name: "phone", label: "sms.phone", kind: "text", type: "tel", required: true, wide: true, hint: "sms.testHint" }],
      }}
      record={{ phone: "" }}
      save={(values) => api.post<SmsRow>("/sms/test", values)}
    />
  );
}
