/** The key with which an organisation signs its calls: seen, changed, and the one before it ended. A lazy chunk. */
import * as z from "zod/mini";

import type { OrgSecret, OrgSigning } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { type Translate, useT } from "../../../lib/i18n";
import { rotationLimits } from "../../../lib/limits";
import { Button } from "../../../ui/button";
import { Description } from "../../../ui/description";
import { Dialog } from "../../../ui/dialog";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { signingFields } from "./fields";

/** Hours for which the previous secret stays valid by default. */
const OVERLAP_HOURS = 24;

/** The chosen step. */
export type SigningStep = "rotate" | "end";

interface SigningProps {
  overlay: Overlay<SigningStep>;
  name: string;
  signing: OrgSigning;
  mayChange: boolean;
}

/** The drawer of the key; it closes with the chosen step. */
export function showSigning(props: SigningProps) {
  return <SigningDrawer {...props} />;
}

function SigningDrawer({ overlay, name, signing, mayChange }: SigningProps) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={t("org.sign.title", { name })} shape="drawer">
      <div className="ll-dialog-body">
        <p className="ll-lead">{t(signing.appKey === null ? "org.sign.none" : "org.sign.what")}</p>
        <Description fields={signingFields} row={signing} />
      </div>
      {mayChange && (
        <footer className="ll-dialog-foot">
          {signing.oldSecretUntil !== null && (
            <Button look="danger" onClick={() => overlay.close("end")}>
              {t("org.sign.endOld")}
            </Button>
          )}
          <Button look="primary" onClick={() => overlay.close("rotate")}>
            {t(signing.appKey === null ? "org.sign.make" : "org.sign.rotate")}
          </Button>
        </footer>
      )}
    </Dialog>
  );
}

interface Rotating {
  overlay: Overlay<OrgSecret>;
  t: Translate;
  name: string;
  signing: OrgSigning;
}

/** The dialog that changes the secret; it closes with the new one. */
export function rotateDialog({ overlay, t, name, signing: { id, version } }: Rotating) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("org.sign.rotateTitle", { name })}
      submit={t("org.sign.rotate")}
      form={{
        schema: z.object({ overlapHours: rules(t).integer(0, rotationLimits.longestOverlap) }),
        fields: [
          {
            name: "overlapHours",
            label: "org.sign.overlap",
            kind: "integer",
            unit: "org.api.hours",
            required: true,
            wide: true,
            hint: "org.sign.overlapHint",
          },
        ],
      }}
      record={{ overlapHours: OVERLAP_HOURS }}
      save={({ overlapHours }) => api.put<OrgSecret>("/org/api/secret", { id, version, overlapHours })}
    />
  );
}
