/**
 * A tree with boxes to tick: menus and permission points, regions, anything in levels. One
 * stop of the Tab key; arrows move and unfold, Space ticks, as in every tree. A
 * lazy chunk: a form loads it when one of its fields is a tree.
 */
import { type KeyboardEvent, type MouseEvent, type Ref, useId, useState } from "react";

import { useT } from "../lib/i18n";
import { Button } from "./button";
import { Icon } from "./icon";
import { branchIds, inSight, leafIds, leavesOf, matching, tickOf, type TreeNode, withTicks } from "./tree";
import "./check-tree.css";

interface CheckTreeProps {
  nodes: readonly TreeNode[];
  /** Ids of the ticked leaves. */
  ticked: ReadonlySet<number>;
  /** The leaves that are ticked now, in the tree's order. */
  onChange: (ids: number[]) => void;
  onBlur?: () => void;
  /** Can be focused. */
  ref?: Ref<HTMLUListElement>;
  labelledBy: string;
  describedBy?: string | undefined;
}

export default function CheckTree({ nodes, ticked, onChange, onBlur, ref, labelledBy, describedBy }: CheckTreeProps) {
  const t = useT();
  const [filter, setFilter] = useState("");
  const [opened, setOpened] = useState<ReadonlySet<number>>(() => startsOpen(nodes, ticked));
  const [current, setCurrent] = useState<number | null>(null);
  const isFiltered = filter.trim() !== "";
  const shown = matching(nodes, filter);
  const isOpen = (id: number) => isFiltered || opened.has(id);
  const rows = inSight(shown, isOpen);
  const stop = rows.some(({ node }) => node.id === current) ? current : (rows[0]?.node.id ?? null);
  const all = leafIds(nodes);

  const tick = (ids: readonly number[], on: boolean) => {
    const next = withTicks(ticked, ids, on);
    onChange(all.filter((id) => next.has(id)));
  };
  const toggle = (node: TreeNode) =>
    tick(
      leavesOf(node).map(({ id }) => id),
      tickOf(node, ticked) !== "true",
    );
  const fold = (id: number, open: boolean) => {
    const next = new Set(opened);
    if (open) next.add(id);
    else next.delete(id);
    setOpened(next);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const at = rows.findIndex(({ node }) => node.id === stop);
    const row = rows[at];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const { node, parent } = row;
    const go = (id: number | null | undefined) => {
      if (id == null) return;
      setCurrent(id);
      event.currentTarget.querySelector<HTMLElement>(`[data-node="${id}"]`)?.focus();
    };
    switch (event.key) {
      case "ArrowDown":
        go(rows[at + 1]?.node.id);
        break;
      case "ArrowUp":
        go(rows[at - 1]?.node.id);
        break;
      case "Home":
        go(rows[0]?.node.id);
        break;
      case "End":
        go(rows.at(-1)?.node.id);
        break;
      case "ArrowRight":
        if (node.children && !isOpen(node.id)) fold(node.id, true);
        else if (node.children) go(node.children[0]?.id);
        break;
      case "ArrowLeft":
        if (node.children && isOpen(node.id) && !isFiltered) fold(node.id, false);
        else go(parent);
        break;
      case " ":
        toggle(node);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const group = useId();
  const entries = (level: readonly TreeNode[], depth: number) =>
    level.map((node) => {
      const open = isOpen(node.id);
      const press = (event: MouseEvent) => {
        event.stopPropagation();
        setCurrent(node.id);
        toggle(node);
      };
      return (
        // The children of an item are beside it in the markup, so that they are not part of its name.
        <li key={node.id} role="none">
          <div
            role="treeitem"
            className="ll-tree-row"
            data-node={node.id}
            aria-level={depth}
            aria-checked={tickOf(node, ticked)}
            aria-expanded={node.children ? open : undefined}
            aria-owns={node.children && open ? `${group}-${node.id}` : undefined}
            tabIndex={node.id === stop ? 0 : -1}
            onFocus={() => setCurrent(node.id)}
            onClick={press}
          >
            {node.children && (
              <span
                className="ll-tree-fold"
                aria-hidden="true"
                onClick={(event) => {
                  event.stopPropagation();
                  setCurrent(node.id);
                  fold(node.id, !open);
                }}
              >
                <Icon name={open ? "chevron-down" : "chevron-right"} />
              </span>
            )}
            <span className="ll-tree-box" aria-hidden="true" />
            <span>{node.label}</span>
          </div>
          {node.children && open && (
            <ul
              role="group"
              id={`${group}-${node.id}`}
              className={node.children.every(({ children }) => !children) ? "ll-tree-leaves" : undefined}
            >
              {entries(node.children, depth + 1)}
            </ul>
          )}
        </li>
      );
    });

  return (
    <div className="ll-tree-frame" onBlur={onBlur}>
      <div className="ll-tree-tools">
        <input
          type="search"
          className="ll-input"
          aria-label={t("ui.treeFilter")}
          placeholder={t("ui.treeFilter")}
          value={filter}
          maxLength={50}
          onChange={({ target }) => setFilter(target.value)}
          onKeyDown={(event) => {
            // Enter would submit the form.
            if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
          }}
        />
        <Button small onClick={() => tick(leafIds(shown), true)}>
          {t("ui.treeAll")}
        </Button>
        <Button small onClick={() => tick(leafIds(shown), false)}>
          {t("ui.treeNone")}
        </Button>
        <Button small look="text" onClick={() => setOpened(new Set(branchIds(nodes)))}>
          {t("ui.treeUnfold")}
        </Button>
        <Button small look="text" onClick={() => setOpened(new Set())}>
          {t("ui.treeFold")}
        </Button>
        <span className="ll-quiet" role="status">
          {t("ui.treeCount", { count: all.filter((id) => ticked.has(id)).length, total: all.length })}
        </span>
      </div>
      {rows.length === 0 ? (
        <p className="ll-quiet ll-tree-nothing">{t("ui.treeNothing")}</p>
      ) : (
        <ul
          ref={ref}
          role="tree"
          aria-multiselectable="true"
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
          tabIndex={-1}
          className="ll-tree"
          onKeyDown={onKeyDown}
        >
          {entries(shown, 1)}
        </ul>
      )}
    </div>
  );
}

/** Unfolds the first level and all branches with only some of their leaves ticked. */
function startsOpen(nodes: readonly TreeNode[], ticked: ReadonlySet<number>): Set<number> {
  const halfTicked = (level: readonly TreeNode[]): number[] =>
    level.flatMap((node) => (node.children ? [...(tickOf(node, ticked) === "mixed" ? [node.id] : []), ...halfTicked(node.children)] : []));
  return new Set([...nodes.map(({ id }) => id), ...halfTicked(nodes)]);
}
