/** The form of a member of the service staff. A lazy chunk. */
import * as z from "zod/mini";

import type { ChatStaffRow, SelectOption } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { chatStaffLimits } from "../../../lib/limits";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";
import { newAccount } from "../../admin/share";
import { newGroup } from "../share";

/** What a new member of the staff starts with. */
const blank = { adminId: null, nickname: "", groupIds: [], maxOpen: 10, autoAccept: true } as const;

interface StaffDialog {
  overlay: Overlay<ChatStaffRow>;
  t: Translate;
  /** Groups in use. */
  groups: readonly SelectOption[];
  /** The first accounts that may become staff. */
  accounts: readonly SelectOption[];
  /** The record to be edited; a new one without it. */
  row: ChatStaffRow | undefined;
}

function staffForm({ t, groups, accounts, row }: StaffDialog) {
  const rule = rules(t);
  // The value of the record stays a choice, even if it is not offered any more.
  const gone =
    row?.groupIds.flatMap((value, index) =>
      groups.some((group) => group.value === value) ? [] : [{ value, label: row.groupNames[index] ?? "" }],
    ) ?? [];
  const schema = z.object({
    adminId: rule.id(),
    nickname: rule.text(chatStaffLimits.nickname),
    maxOpen: rule.integer(1, chatStaffLimits.mostOpen),
    autoAccept: rule.flag(),
    groupIds: rule.ids(1),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      row
        ? {
            name: "adminId",
            label: "chatStaff.account",
            kind: "select",
            required: true,
            fixed: true,
            choices: [{ value: row.adminId, label: `${row.adminName} (${row.username})` }],
          }
        : {
            name: "adminId",
            label: "chatStaff.account",
            kind: "select",
            required: true,
            empty: "chatStaff.choose",
            hint: "chatStaff.accountHint",
            choices: accounts,
            search: "/chat/manage/accounts",
            create: { ...newAccount, none: "chatStaff.noAccounts" },
          },
      { name: "nickname", label: "chatStaff.nickname", kind: "text", required: true, hint: "chatStaff.nicknameHint" },
      { name: "maxOpen", label: "chatStaff.maxOpen", kind: "integer", required: true, hint: "chatStaff.maxOpenHint" },
      {
        name: "autoAccept",
        label: "chatStaff.autoAccept",
        kind: "flag",
        hint: "chatStaff.autoAcceptHint",
      },
      {
        name: "groupIds",
        label: "chatStaff.groupNames",
        kind: "boxes",
        required: true,
        wide: true,
        choices: [...groups, ...gone],
        create: newGroup,
      },
    ],
  };
  return form;
}

/** The dialog of a member of the staff; it closes with the record as it was saved. */
export function staffDialog(dialog: StaffDialog) {
  const { overlay, t, row } = dialog;
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "chatStaff.edit" : "chatStaff.create")}
      draft="chatStaff"
      form={staffForm(dialog)}
      record={row ?? blank}
      save={(values, record) =>
        "id" in record
          ? api.put<ChatStaffRow>("/chat/manage", { ...values, id: record.id, version: record.version })
          : api.post<ChatStaffRow>("/chat/manage", values)
      }
    />
  );
}
