/** Saved views of statistics: links to them above the list, and the buttons that keep, change and delete one. */

import type { StatRow, StatView, StatViews } from "../../../lib/api-types";
import { api as calls } from "../../../lib/api";
import { useT } from "../../../lib/i18n";
import { useListQuery } from "../../../lib/list-query";
import { useLoaded, useToday } from "../../../lib/props";
import { goTo } from "../../../lib/leave-document";
import { useLocation } from "../../../lib/visit";
import { type List, useActions } from "../../../ui/actions";
import { Button } from "../../../ui/button";
import type { Field } from "../../../ui/field";
import { inOrder, shownFields, useListChoice } from "../../../ui/list-choice";
import { kept } from "./kept-query";

const NONE: StatViews = { views: [], roles: [] };

/** The view that the address names. */
export function useStatView(): StatView | undefined {
  const { views } = useLoaded<StatViews>("views") ?? NONE;
  const { view } = useListQuery().filters;
  return views.find(({ id }) => String(id) === view);
}

/** The address of the standard view; it needs a parameter if the page opens with a default view. */
export function useStart(): string {
  const { pathname } = useLocation();
  const { views } = useLoaded<StatViews>("views") ?? NONE;
  return views.some(({ isDefault }) => isDefault) ? `${pathname}?view=0` : pathname;
}

/** The fields as a view shows them. */
export function inView(fields: readonly Field<StatRow>[], view: StatView | undefined): readonly Field<StatRow>[] {
  if (!view || view.columns.length === 0) return fields;
  return inOrder(fields, view.columns).map(({ list, ...field }) =>
    view.columns.includes(field.key) ? field : { ...field, list: list === "never" ? list : "hidden" },
  );
}

/** The name under which the choice of columns is kept: each view has its own. */
export const choiceOf = (api: string, view: StatView | undefined) => (view ? `${api}#${view.id}` : api);

interface ViewBarProps {
  api: string;
  points: string;
  fields: readonly Field<StatRow>[];
}

export function ViewBar({ api, points, fields }: ViewBarProps) {
  const t = useT();
  const { pathname } = useLocation();
  const query = useListQuery();
  const today = useToday();
  const { views, roles } = useLoaded<StatViews>("views") ?? NONE;
  const view = useStatView();
  const start = useStart();
  const [choice] = useListChoice(choiceOf(api, view));
  const [list, act, overlays] = useActions(points);

  const edit = async ({ open }: List, edited?: StatView) => {
    const { viewDialog } = await import("./form");
    const now = { ...kept(query, today), columns: shownFields(fields, choice).map(({ key }) => key) };
    const saved = await open<StatView>((overlay) => viewDialog({ overlay, t, call: `${api}/views`, roles, view: edited, now }));
    if (saved) goTo(pathname + saved.search);
  };
  const remove = async ({ confirm }: List, { id, name }: StatView) => {
    if (!(await confirm({ title: t("view.deleteTitle", { name }), text: t("view.deleteText"), confirm: t("view.delete"), danger: true })))
      return;
    await calls.del(`/chart/view/${id}`);
    goTo(pathname);
  };

  return (
    <nav className="ll-card stat-views" aria-label={t("view.title")}>
      <b>{t("view.title")}</b>
      <a href={start} aria-current={view ? undefined : "true"}>
        {t("view.standard")}
      </a>
      {views.map((one) => (
        <a key={one.id} href={pathname + one.search} aria-current={one.id === view?.id ? "true" : undefined}>
          {one.name}
          {one.isDefault && <small>{t("view.isDefault")}</small>}
        </a>
      ))}
      <Button look="text" icon="plus" onClick={() => act("view.save", () => edit(list))}>
        {t("view.save")}
      </Button>
      {view && (
        <>
          <Button look="text" onClick={() => act("view.edit", () => edit(list, view))}>
            {t("view.edit")}
          </Button>
          <Button look="text" onClick={() => act("view.delete", () => remove(list, view))}>
            {t("view.delete")}
          </Button>
        </>
      )}
      {view && view.sendFailures > 0 && (
        <p className="ll-alert ll-alert-warning" role="status">
          {t(view.sendRoleId === null ? "view.sendStopped" : "view.sendFails", { count: view.sendFailures })}
        </p>
      )}
      {overlays}
    </nav>
  );
}
