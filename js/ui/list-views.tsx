/** The saved views of a list: the menu that opens, saves and deletes them. A lazy chunk. */
import * as z from "zod/mini";

import { api } from "../lib/api";
import type { ListView, ListViewForm, ListViews } from "../lib/api-types";
import type { ListQuery } from "../lib/list-query";
import { statViewLimits } from "../lib/limits";
import type { List } from "./actions";
import { FormDialog } from "./form-dialog";
import { rules } from "./form-rules";
import { ActionMenu } from "./menu";

interface Views {
  anchor: HTMLElement;
  list: List;
  /** The address of the list. */
  page: string;
  query: ListQuery;
  /** Keys of the columns that are shown. */
  columns: string[];
  /** Shows the columns of a view. */
  show: (columns: readonly string[]) => void;
}

/** Opens the menu, and does what is chosen in it. */
export async function openViews({ anchor, list, page, query, columns, show }: Views): Promise<void> {
  const { t, open, confirm, go } = list;
  const found = await api.get<ListViews>("/chart/view", { page });
  const own = found.views.filter((view) => view.own);
  const items = [
    ...found.views.map((view) => ({
      value: `open ${view.id}`,
      label: isShared(view) ? t("ui.viewShared", { name: view.name }) : view.name,
    })),
    { value: "save", label: t("ui.saveView") },
    ...own.map(({ id, name }) => ({ value: `delete ${id}`, label: t("ui.deleteView", { name }), danger: true })),
  ];
  const chosen = (await open<string>((overlay) => <ActionMenu overlay={overlay} anchor={anchor} items={items} />)) ?? "";
  anchor.focus();
  if (chosen === "save") {
    const saved = await save(list, found, { page, query: keptOf(query), columns });
    if (saved) await list.reload("ui.viewSaved");
    return;
  }
  const [verb, id] = chosen.split(" ");
  const view = found.views.find((one) => String(one.id) === id);
  if (!view) return;
  if (verb === "open") {
    if (view.columns.length > 0) show(view.columns);
    return go(page + view.search);
  }
  const { name } = view;
  if (
    !(await confirm({
      title: t("ui.deleteViewTitle", { name }),
      text: t("ui.deleteViewText"),
      confirm: t("ui.deleteViewDone"),
      danger: true,
    }))
  )
    return;
  await api.del(`/chart/view/${view.id}`);
  await list.reload("ui.viewDeleted");
}

const isShared = ({ shareRoleId }: ListView) => shareRoleId !== null;

/** The filters and the order of a list. */
function keptOf({ filters, sort, order }: ListQuery): Record<string, string> {
  return { ...filters, ...(sort && { sort, ...(order && { order }) }) };
}

function save(
  { t, open }: List,
  { roles }: ListViews,
  now: Pick<ListViewForm, "page" | "query" | "columns">,
): Promise<ListView | undefined> {
  const rule = rules(t);
  const schema = z.object({ name: rule.text(statViewLimits.name), shareRoleId: rule.optionalId() });
  return open<ListView>((overlay) => (
    <FormDialog
      overlay={overlay}
      title={t("ui.saveView")}
      note={t("ui.viewNote")}
      draft={`listView ${now.page}`}
      form={{
        schema,
        fields: [
          { name: "name", label: "ui.viewName", kind: "text", required: true },
          {
            name: "shareRoleId",
            label: "ui.shareView",
            kind: "select",
            choices: roles,
            empty: "ui.viewPrivate",
            when: () => roles.length > 0,
          },
        ],
      }}
      record={{ name: "", shareRoleId: null }}
      save={({ name, shareRoleId }) => {
        const body: ListViewForm = { ...now, name, ...(shareRoleId && { shareRoleId }) };
        return api.post<ListView>("/chart/view", body);
      }}
    />
  ));
}
