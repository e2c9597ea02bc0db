/** The form of an announcement. A lazy chunk: it loads when one is written or edited. */
import * as z from "zod/mini";

import { api } from "../../../lib/api";
import type { NoticeRow, SelectOption } from "../../../lib/api-types";
import { noticeScopeCodes } from "../../../lib/codes";
import { momentInput } from "../../../lib/format";
import type { Translate } from "../../../lib/i18n";
import { noticeLimits } from "../../../lib/limits";
import type { Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

const audience = async (scope: string) => (scope === "all" ? [] : api.get<SelectOption[]>("/notice/audience", { scope }));

function noticeForm(t: Translate, orgId: number | null, row?: NoticeRow) {
  const rule = rules(t);
  // Staff of an organisation announce to their own organisation only.
  const scopes = noticeScopeCodes.filter((scope) => orgId === null || scope !== "all");
  const schema = z.object({
    title: rule.text(noticeLimits.title),
    titleEn: rule.note(noticeLimits.titleEn),
    content: rule.text(noticeLimits.content),
    contentEn: rule.note(noticeLimits.contentEn),
    scope: rule.oneOf(scopes),
    scopeId: rule.optionalId(),
    publishAt: rule.optionalMoment(),
    expiresAt: rule.optionalMoment(),
  });
  const chosen = row?.scopeId ? { value: row.scopeId, label: row.audience ?? String(row.scopeId) } : undefined;
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "title", label: "notice.name", kind: "text", required: true, wide: true },
      { name: "content", label: "notice.content", kind: "area", required: true, wide: true },
      {
        name: "scope",
        label: "notice.scope",
        kind: "select",
        required: true,
        choices: scopes.map((value) => ({ value, label: t(`NoticeScope.${value}`) })),
      },
      {
        name: "scopeId",
        label: "notice.scopeId",
        kind: "dependent",
        on: "scope",
        load: audience,
        empty: "notice.choose",
        required: true,
        chosen,
        when: ({ scope }) => scope !== "all",
      },
      { name: "publishAt", label: "notice.publishAt", kind: "moment", hint: row ? undefined : "notice.publishHint" },
      { name: "expiresAt", label: "notice.expiresAt", kind: "moment", hint: "notice.expiresHint" },
      { name: "titleEn", label: "notice.nameEn", kind: "text", wide: true, hint: "notice.english" },
      { name: "contentEn", label: "notice.contentEn", kind: "area", wide: true, hint: "notice.english" },
    ],
  };
  return form;
}

interface Writing {
  overlay: Overlay<NoticeRow>;
  t: Translate;
  /** The viewer's organisation; null for the platform's staff. */
  orgId: number | null;
}

/** The dialog that writes an announcement; it closes with it. */
export function createNotice({ overlay, t, orgId }: Writing) {
  const blank = {
    title: "",
    titleEn: "",
    content: "",
    contentEn: "",
    scope: orgId === null ? "all" : "organisation",
    scopeId: orgId,
    publishAt: null,
    expiresAt: null,
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("notice.create")}
      draft="notice"
      form={noticeForm(t, orgId)}
      record={blank}
      save={(values) => api.post<NoticeRow>("/notice", values)}
    />
  );
}

/** The moment before, if the input still shows its minute: an input has no seconds, the record has them. */
function kept(typed: number | null, before: number | null): number | null {
  return momentInput(typed) === momentInput(before) ? before : typed;
}

/** The dialog that edits an announcement; it closes with it as it was saved. */
export function editNotice({ overlay, t, orgId, row }: Writing & { row: NoticeRow }) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("notice.edit")}
      draft="notice"
      form={noticeForm(t, orgId, row)}
      record={row}
      save={(values, { id, version }) => {
        const [publishAt, expiresAt] = [kept(values.publishAt, row.publishAt), kept(values.expiresAt, row.expiresAt)];
        return api.put<NoticeRow>("/notice", { ...values, publishAt, expiresAt, id, version });
      }}
    />
  );
}
