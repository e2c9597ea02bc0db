/** /admin/dictionary: the lists of words, and the items of one of them or of all. */
import type { DictItemRow, DictTypeRow } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { refreshChoices } from "../../../lib/choices";
import { EMPTY } from "../../../lib/format";
import { useLocale, useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { useHasPoint } from "../../../lib/permissions";
import { useLoaded, useReload } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import type { Locale } from "../../../lib/types";
import { useAct } from "../../../ui/act";
import { Button } from "../../../ui/button";
import type { Field } from "../../../ui/field";
import type { Filter } from "../../../ui/list-filter";
import { type List, ListPage, type RowAction } from "../../../ui/list-page";
import { confirm, useOverlay } from "../../../ui/overlay";
import { Tag } from "../../../ui/tag";

const nameIn = (locale: Locale, { nameZh, nameEn }: DictTypeRow) => (locale === "zh-CN" ? nameZh : nameEn);

const nameOf = (type: DictTypeRow | undefined, locale: Locale) => (type ? nameIn(locale, type) : EMPTY);

export default function Dictionary() {
  const locale = useLocale();
  const types = useLoaded<DictTypeRow[]>("types") ?? [];
  const { filters } = useListQuery();
  const chosen = types.find(({ code }) => code === filters["type"]);
  return (
    <div className="dict-page grid grid-cols-[240px_minmax(0,1fr)] items-start gap-4 narrow:grid-cols-1">
      <Types types={types} chosen={chosen} />
      <ListPage
        title="dict.title"
        empty="dict.empty"
        api="/dict/item"
        points="admin/dictionary"
        fields={fieldsOf(types, locale)}
        filters={filtersOf(types.map((type) => ({ value: type.code, label: nameIn(locale, type) })))}
        create={{ label: "dict.create", run: (list) => create(list, types, chosen, locale) }}
        actions={actions(types, locale)}
      />
    </div>
  );
}

export const fieldsOf = (types: readonly DictTypeRow[], locale: Locale): readonly Field<DictItemRow>[] => [
  { key: "labelZh", title: "dict.labelZh", show: ({ labelZh, tagColor }) => <Tag color={tagColor}>{labelZh}</Tag> },
  { key: "labelEn", title: "dict.labelEn" },
  { key: "value", title: "dict.value", kind: "code", sort: true },
  {
    key: "typeCode",
    title: "dict.type",
    show: ({ typeId }) =>
      nameOf(
        types.find(({ id }) => id === typeId),
        locale,
      ),
  },
  { key: "sort", title: "dict.sort", kind: "count", sort: true },
  { key: "isDefault", title: "dict.isDefault", kind: "flag" },
  { key: "status", title: "dict.status", kind: "enum", labels: "DictStatus", colors: { enabled: "green", disabled: "gray" } },
  { key: "builtin", title: "dict.builtin", kind: "flag" },
  { key: "updatedAt", title: "dict.updatedAt", kind: "time", sort: true, list: "hidden" },
];

const filtersOf = (choices: readonly { value: string; label: string }[]): readonly Filter[] => [
  { name: "type", label: "dict.type", kind: "select", options: { choices } },
  { name: "keyword", label: "dict.keyword", kind: "text", placeholder: "dict.keywordHint" },
  { name: "status", label: "dict.status", kind: "select", options: { codes: ["enabled", "disabled"], labels: "DictStatus" } },
];

export const actions = (types: readonly DictTypeRow[], locale: Locale): readonly RowAction<DictItemRow>[] => [
  { label: "dict.edit", point: "update", run: (row, list) => edit(row, list, types, locale) },
  { label: "dict.delete", point: "delete", danger: true, when: ({ builtin }) => !builtin, run: remove },
];

const choicesOf = (types: readonly DictTypeRow[], locale: Locale) => types.map((type) => ({ value: type.id, label: nameIn(locale, type) }));

async function create({ t, open, reload }: List, types: readonly DictTypeRow[], chosen: DictTypeRow | undefined, locale: Locale) {
  const { createItem } = await import("./form");
  const made = await open<DictItemRow>((overlay) =>
    createItem({ overlay, t, types: choicesOf(types, locale), typeId: chosen?.id ?? null }),
  );
  if (made) await Promise.all([refreshChoices(), reload("dict.created")]);
}

async function edit(row: DictItemRow, { t, open, reload }: List, types: readonly DictTypeRow[], locale: Locale) {
  const { editItem } = await import("./form");
  if (await open<DictItemRow>((overlay) => editItem({ overlay, t, types: choicesOf(types, locale), row }))) {
    await Promise.all([refreshChoices(), reload("dict.saved")]);
  }
}

async function remove({ id, labelZh, labelEn }: DictItemRow, { t, confirm, reload }: List) {
  const title = t("dict.deleteTitle", { name: `${labelZh} / ${labelEn}` });
  if (!(await confirm({ title, text: t("dict.deleteText"), confirm: t("dict.delete"), danger: true }))) return;
  await api.del(`/dict/item/${id}`);
  await Promise.all([refreshChoices(), reload("dict.deleted")]);
}

/** The lists, one of them chosen by the address, and what is done with it. */
function Types({ types, chosen }: { types: readonly DictTypeRow[]; chosen: DictTypeRow | undefined }) {
  const t = useT();
  const locale = useLocale();
  const reload = useReload();
  const [overlays, openOver] = useOverlay();
  const mayCreate = useHasPoint(["admin/dictionary/create"]);
  const mayEdit = useHasPoint(["admin/dictionary/update"]);
  const mayDelete = useHasPoint(["admin/dictionary/delete"]);

  const [act, open] = useAct(reload, openOver);
  const form = async (row?: DictTypeRow) => {
    const { typeDialog } = await import("./form");
    if (!(await open<DictTypeRow>((overlay) => typeDialog({ overlay, t, row })))) return;
    notify("success", t("dict.typeSaved"));
    await reload();
  };
  const removeType = async (row: DictTypeRow) => {
    const title = t("dict.deleteTitle", { name: nameIn(locale, row) });
    if (!(await confirm(open, { title, text: t("dict.deleteTypeText"), confirm: t("dict.delete"), danger: true }))) return;
    await api.del(`/dict/type/${row.id}`);
    notify("success", t("dict.deleted"));
    await reload();
  };

  return (
    <nav className="ll-card dict-types" aria-label={t("dict.types")}>
      <p className="ll-title">{t("dict.types")}</p>
      <ul>
        <li>
          <a href="/admin/dictionary" aria-current={chosen ? undefined : "true"}>
            <span>{t("ui.all")}</span>
          </a>
        </li>
        {types.map((type) => (
          <li key={type.id}>
            <a href={`/admin/dictionary?type=${encodeURIComponent(type.code)}`} aria-current={type === chosen ? "true" : undefined}>
              <span>{nameIn(locale, type)}</span>
              <span>{type.items}</span>
            </a>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {mayCreate && (
          <Button small icon="plus" onClick={() => act("new", () => form())}>
            {t("dict.createType")}
          </Button>
        )}
        {chosen && mayEdit && (
          <Button small icon="edit" onClick={() => act("edit", () => form(chosen))}>
            {t("dict.editType")}
          </Button>
        )}
        {chosen && mayDelete && !chosen.builtin && (
          <Button small icon="trash" onClick={() => act("remove", () => removeType(chosen))}>
            {t("dict.deleteType")}
          </Button>
        )}
      </div>
      {overlays}
    </nav>
  );
}
