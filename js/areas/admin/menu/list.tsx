/** /admin/menu: the menu of everybody: its words, order, icons, what is shown and what is in use. */
import { type ReactNode, useState } from "react";

import type { MenuEntry } from "../../../lib/api-types";
import { api } from "../../../lib/api";
import { useLocale, useT } from "../../../lib/i18n";
import { usePoints } from "../../../lib/permissions";
import { usePageData, useReload } from "../../../lib/props";
import { notify } from "../../../lib/toast";
import { useAct } from "../../../ui/act";
import { Button, IconButton } from "../../../ui/button";
import { Icon, isIconName } from "../../../ui/icon";
import { FailedList } from "../../../ui/list-state";
import { confirm, useOverlay } from "../../../ui/overlay";

const POINT = 2;

export default function MenuEditor() {
  const t = useT();
  const isChinese = useLocale() === "zh-CN";
  const points = usePoints();
  const reload = useReload();
  const [overlays, openOver] = useOverlay();
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const answer = usePageData<MenuEntry[] | null>("tree");
  const tree = answer.code === "0000" ? (answer.data ?? []) : null;
  const can = (point: string) => points.has(`admin/menu/${point}`);

  const [act, open] = useAct(reload, openOver);
  const done = async () => {
    notify("success", t("menu.saved"));
    await reload();
  };
  const create = async () => {
    const { createLink } = await import("./form");
    if (await open<MenuEntry>((overlay) => createLink({ overlay, t }))) await done();
  };
  const edit = async (entry: MenuEntry) => {
    const { editEntry } = await import("./form");
    if (await open<MenuEntry>((overlay) => editEntry({ overlay, t, entry }))) await done();
  };
  const setEnabled = async (entry: MenuEntry, enabled: boolean) => {
    const name = titleOf(entry);
    const question = enabled
      ? { title: t("menu.enableTitle", { name }), text: t("menu.enableText"), confirm: t("menu.enable") }
      : { title: t("menu.disableTitle", { name }), text: t("menu.disableText"), confirm: t("menu.disable"), danger: true };
    if (!(await confirm(open, question))) return;
    const { id, version, titleZh, titleEn, icon, sort, hidden } = entry;
    await api.put("/menu", { id, version, titleZh, titleEn, icon, sort, hidden, enabled });
    await done();
  };
  const remove = async (entry: MenuEntry) => {
    const title = t("menu.deleteTitle", { name: titleOf(entry) });
    if (!(await confirm(open, { title, text: t("menu.deleteText"), confirm: t("menu.delete"), danger: true }))) return;
    await api.del(`/menu/${entry.id}`);
    await done();
  };
  /** The title in the viewer's language: the first of the row's two. */
  const titleOf = ({ titleZh, titleEn }: MenuEntry) => (isChinese ? titleZh : titleEn);
  const toggle = (id: number) => {
    const next = new Set(unfolded);
    if (!next.delete(id)) next.add(id);
    setUnfolded(next);
  };

  /** The rows of one level and of the unfolded levels below it; `off`: an entry above is switched off. */
  const rows = (level: readonly MenuEntry[], depth: number, off: boolean): ReactNode[] =>
    level.flatMap((entry) => {
      const isOff = off || !entry.enabled;
      const children = entry.children ?? [];
      const actions = children.filter(({ type }) => type === POINT);
      const isOpen = unfolded.has(entry.id);
      return [
        <tr key={entry.id} className={isOff ? "ll-off" : undefined}>
          <th scope="row">
            <span className={`ll-level ll-level-${depth}`}>
              {actions.length > 0 ? (
                <IconButton
                  small
                  icon={isOpen ? "chevron-down" : "chevron-right"}
                  label={t(isOpen ? "menu.fold" : "menu.unfold", { name: titleOf(entry) })}
                  aria-expanded={isOpen}
                  onClick={() => toggle(entry.id)}
                />
              ) : (
                <span className="ll-level-gap" />
              )}
              {depth === 0 && <Icon name={isIconName(entry.icon) ? entry.icon : "list"} />}
              {titleOf(entry)}
            </span>
          </th>
          <td>{isChinese ? entry.titleEn : entry.titleZh}</td>
          <td>
            <span className={`ll-tag ll-tag-${kindOf(entry)[1]}`}>{t(kindOf(entry)[0])}</span>
          </td>
          <td className="ll-mono">{entry.externalUrl ?? entry.path}</td>
          <td className="ll-num">{entry.type === POINT ? "" : entry.sort}</td>
          <td>{entry.type === POINT ? "" : t(entry.hidden ? "menu.hidden" : "menu.shown")}</td>
          <td>
            <span className={`ll-tag ll-tag-${entry.enabled ? "green" : "gray"}`}>
              {t(entry.enabled ? "menu.enabled" : "menu.disabled")}
            </span>
          </td>
          {(can("update") || can("delete")) && (
            <td className="ll-acts">
              {can("update") && <button onClick={() => act(`edit ${entry.name}`, () => edit(entry))}>{t("menu.edit")}</button>}
              {can("update") && !entry.vital && (
                <button
                  className={entry.enabled ? "ll-act-danger" : undefined}
                  onClick={() => act(`enable ${entry.name}`, () => setEnabled(entry, !entry.enabled))}
                >
                  {t(entry.enabled ? "menu.disable" : "menu.enable")}
                </button>
              )}
              {can("delete") && entry.custom && (
                <button className="ll-act-danger" onClick={() => act(`remove ${entry.name}`, () => remove(entry))}>
                  {t("menu.delete")}
                </button>
              )}
            </td>
          )}
        </tr>,
        ...(isOpen ? rows(actions, depth + 1, isOff) : []),
        ...rows(
          children.filter(({ type }) => type !== POINT),
          depth + 1,
          isOff,
        ),
      ];
    });

  return (
    <>
      <div className="ll-card">
        <h1 className="ll-title">{t("menu.title")}</h1>
        <p className="ll-quiet">{t("menu.text")}</p>
        <div className="ll-toolbar">
          {can("create") && (
            <Button look="primary" icon="plus" onClick={() => act("create", create)}>
              {t("menu.create")}
            </Button>
          )}
        </div>
        {tree === null ? (
          <FailedList answer={answer} address="/admin/menu" />
        ) : (
          <div className="ll-table-box" role="group" aria-label={t("menu.title")} tabIndex={0}>
            <table className="ll-table ll-compact" aria-label={t("menu.title")}>
              <thead>
                <tr>
                  <th scope="col">{t("menu.name")}</th>
                  <th scope="col">{t("menu.otherName")}</th>
                  <th scope="col">{t("menu.kind")}</th>
                  <th scope="col">{t("menu.path")}</th>
                  <th scope="col" className="ll-num">
                    {t("menu.sort")}
                  </th>
                  <th scope="col">{t("menu.visibility")}</th>
                  <th scope="col">{t("menu.status")}</th>
                  {(can("update") || can("delete")) && (
                    <th scope="col" className="ll-acts">
                      {t("ui.actions")}
                    </th>
                  )}
                </tr>
              </thead>
              <tbody>{rows(tree, 0, false)}</tbody>
            </table>
          </div>
        )}
      </div>
      {overlays}
    </>
  );
}

/** What a node is, and its colour. */
function kindOf({ type, externalUrl, path, children }: MenuEntry) {
  if (type === POINT) return ["menu.kind.point", "gray"] as const;
  if (externalUrl !== null) return ["menu.kind.link", "purple"] as const;
  return path !== "" && children?.every((child) => child.type !== POINT)
    ? (["menu.kind.group", "cyan"] as const)
    : (["menu.kind.page", "blue"] as const);
}
