/** The dialog that edits an applicant. A lazy chunk. */
import type { UserRow, UserSaid } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { withLastParts } from "../../../lib/field-names";
import type { Translate } from "../../../lib/i18n";
import { FormDialog } from "../../../ui/form-dialog";
import type { Overlay } from "../../../ui/overlay";
import { saidForm, saidInputs, saidSent } from "../../../ui/said-form";

interface EditDialog {
  overlay: Overlay<UserRow>;
  t: Translate;
  no: string;
  said: UserSaid;
}

export function editDialog({ overlay, t, no, said }: EditDialog) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("user.editTitle", { no })}
      draft="user.edit"
      note={t("user.editText")}
      {...saidForm(t, said.nameMask)}
      record={said}
      valuesOf={saidInputs}
      save={async (values, { id, version }) => {
        try {
          return await api.put<UserRow>("/user", { id, version, said: saidSent(values) });
        } catch (error) {
          throw withLastParts(error);
        }
      }}
    />
  );
}
