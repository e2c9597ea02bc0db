/** The forms of the dictionary: of a list, and of an item. A lazy chunk. */
import * as z from "zod/mini";

import type { DictColor, DictItemRow, DictTypeRow, NewDictType } from "../../../lib/api-types";
import { dictStatusCodes } from "../../../lib/codes";
import { api } from "../../../lib/api";
import type { Translate } from "../../../lib/i18n";
import { dictionaryLimits } from "../../../lib/limits";
import { labelOf } from "../../../ui/field";
import type { Choice, Form } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { rules } from "../../../ui/form-rules";
import type { Overlay } from "../../../ui/overlay";

const CODE = /^[a-z][a-z0-9_]+$/;
const colors: readonly DictColor[] = ["gray", "blue", "green", "orange", "red", "purple", "cyan"];

function place(t: Translate) {
  return z.pipe(
    rules(t).optionalInteger(0, dictionaryLimits.last),
    z.transform((number: number | null) => number ?? 0),
  );
}

function typeForm(t: Translate, isNew: boolean) {
  const rule = rules(t);
  const schema = z.object({
    code: rule.text(dictionaryLimits.code, CODE, t("dict.codeWrong")),
    nameZh: rule.text(dictionaryLimits.name),
    nameEn: rule.text(dictionaryLimits.name),
    sort: place(t),
    remark: rule.note(dictionaryLimits.remark),
  });
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      { name: "code", label: "dict.code", kind: "text", required: true, fixed: !isNew, hint: isNew ? "dict.codeHint" : undefined },
      { name: "sort", label: "dict.sort", kind: "integer" },
      { name: "nameZh", label: "dict.nameZh", kind: "text", required: true },
      { name: "nameEn", label: "dict.nameEn", kind: "text", required: true },
      { name: "remark", label: "dict.remark", kind: "area", wide: true },
    ],
  };
  return form;
}

interface TypeDialog {
  overlay: Overlay<DictTypeRow>;
  t: Translate;
  /** The list to be edited; a new one without it. */
  row: DictTypeRow | undefined;
}

/** The dialog of a list; it closes with the list as it was saved. */
export function typeDialog({ overlay, t, row }: TypeDialog) {
  const record: DictTypeRow | NewDictType = row ?? { code: "", nameZh: "", nameEn: "", sort: 0, remark: "" };
  return (
    <FormDialog
      overlay={overlay}
      title={t(row ? "dict.editType" : "dict.createType")}
      draft="dict.type"
      form={typeForm(t, !row)}
      record={record}
      save={({ code, ...values }, record) =>
        "version" in record
          ? api.put<DictTypeRow>("/dict/type", { ...values, id: record.id, version: record.version })
          : api.post<DictTypeRow>("/dict/type", { ...values, code })
      }
    />
  );
}

function itemForm(t: Translate, types: readonly Choice[], isNew: boolean) {
  const rule = rules(t);
  const choices = (labels: string, codes: readonly string[]) => codes.map((value) => ({ value, label: labelOf(t, labels, value) }));
  const schema = z.object({
    ...(isNew ? { typeId: rule.optionalId() } : {}),
    value: rule.text(dictionaryLimits.code, CODE, t("dict.codeWrong")),
    labelZh: rule.text(dictionaryLimits.name),
    labelEn: rule.text(dictionaryLimits.name),
    sort: place(t),
    tagColor: rule.oneOf(colors),
    isDefault: rule.flag(),
    status: rule.oneOf(dictStatusCodes),
  });
  const list = isNew ? [{ name: "typeId", label: "dict.type", kind: "select", required: true, choices: types } as const] : [];
  const form: Form<z.output<typeof schema>> = {
    schema,
    fields: [
      ...list,
      { name: "value", label: "dict.value", kind: "text", required: true, fixed: !isNew, hint: isNew ? "dict.codeHint" : undefined },
      { name: "labelZh", label: "dict.labelZh", kind: "text", required: true },
      { name: "labelEn", label: "dict.labelEn", kind: "text", required: true },
      { name: "tagColor", label: "dict.tagColor", kind: "select", choices: choices("dict.color", colors) },
      { name: "sort", label: "dict.sort", kind: "integer", hint: "dict.sortHint" },
      {
        name: "isDefault",
        label: "dict.isDefault",
        kind: "flag",
        hint: "dict.isDefaultHint",
      },
      { name: "status", label: "dict.status", kind: "select", choices: choices("DictStatus", dictStatusCodes) },
    ],
  };
  return form;
}

interface ItemDialog {
  overlay: Overlay<DictItemRow>;
  t: Translate;
  types: readonly Choice[];
}

/** The dialog that makes an item, of the list `typeId` unless another is chosen. */
export function createItem({ overlay, t, types, typeId }: ItemDialog & { typeId: number | null }) {
  const blank = {
    typeId: typeId ?? types[0]?.value ?? null,
    value: "",
    labelZh: "",
    labelEn: "",
    sort: 100,
    tagColor: "gray",
    isDefault: false,
    status: "enabled",
  };
  return (
    <FormDialog
      overlay={overlay}
      title={t("dict.create")}
      draft={`dict.item of ${typeId}`}
      form={itemForm(t, types, true)}
      record={blank}
      save={(values) => api.post<DictItemRow>("/dict/item", values)}
    />
  );
}

/** The dialog that edits an item; it closes with the item as it was saved. */
export function editItem({ overlay, t, types, row }: ItemDialog & { row: DictItemRow }) {
  return (
    <FormDialog
      overlay={overlay}
      title={t("dict.editItem")}
      draft="dict.item"
      form={itemForm(t, types, false)}
      record={row}
      valuesOf={(record) => ({ ...record, typeId: String(record.typeId) })}
      save={({ typeId: _list, value: _fixed, ...values }, { id, version }) =>
        api.put<DictItemRow>("/dict/item", { ...values, id, version })
      }
    />
  );
}
