/** The menu of a list's columns: which are shown, and in which order. A lazy chunk. */
import { Menu } from "@base-ui/react/menu";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";

import { type MessageKey, useT } from "../lib/i18n";
import { Icon } from "./icon";
import { moved } from "./list-choice";
import { Frame, Mark } from "./menu";
import type { Overlay } from "./overlay";
import "./columns-menu.css";

interface ColumnsMenuProps {
  overlay: Overlay;
  anchor: HTMLElement;
  /** In the order of the list. */
  columns: readonly { key: string; title: MessageKey }[];
  /** Keys of those that are shown. */
  shown: readonly string[];
  /** With the keys that are shown, and those of all columns in their order if one was moved. */
  onChange: (shown: readonly string[], order: readonly string[] | undefined) => void;
}

/**
 * Boxes to tick; it stays open meanwhile and every change counts at once. A column moves by its handle, or by Alt and an arrow
 * key. The elements of the menu stay where they are and take the next column's name, so that the focus stays in the menu.
 */
export function ColumnsMenu({ overlay, anchor, columns, shown, onChange }: ColumnsMenuProps) {
  const t = useT();
  const [order, setOrder] = useState(columns);
  const [ticked, setTicked] = useState(shown);
  const group = useRef<HTMLDivElement>(null);
  /** The order after the last move, which a fast pointer may be ahead of. */
  const now = useRef<ColumnsMenuProps["columns"]>(null);
  /** Where the dragged column is. */
  const dragged = useRef<number>(null);

  const items = () => [...(group.current?.querySelectorAll<HTMLElement>("[role=menuitemcheckbox]") ?? [])];
  const change = (keys: readonly string[]) =>
    onChange(
      keys,
      now.current?.map(({ key }) => key),
    );
  const tick = (key: string, checked: boolean) => {
    const next = checked ? [...ticked, key] : ticked.filter((each) => each !== key);
    setTicked(next);
    change(next);
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= columns.length || to === from) return;
    now.current = moved(now.current ?? columns, from, to);
    setOrder(now.current);
    items()[to]?.focus();
    change(ticked);
  };
  const press = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
    move(index, event.key === "ArrowUp" ? index - 1 : index + 1);
  };
  const drag = ({ clientX, clientY }: PointerEvent) => {
    const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[role=menuitemcheckbox]");
    const to = under ? items().indexOf(under) : -1;
    if (dragged.current === null || to === -1) return;
    move(dragged.current, to);
    dragged.current = to;
  };

  return (
    <Frame overlay={overlay} anchor={anchor}>
      <Menu.Group ref={group}>
        <Menu.GroupLabel className="ll-menu-label">{t("ui.columnsHint")}</Menu.GroupLabel>
        {order.map(({ key, title }, index) => (
          <Menu.CheckboxItem
            // By place: see above.
            key={index}
            className="ll-menu-item"
            checked={ticked.includes(key)}
            closeOnClick={false}
            onCheckedChange={(checked) => tick(key, checked)}
            onKeyDown={(event) => press(event, index)}
          >
            <Mark shown={ticked.includes(key)} />
            {t(title)}
            <span
              className="ll-drag"
              aria-hidden="true"
              onPointerDown={(event) => {
                event.stopPropagation();
                event.currentTarget.setPointerCapture(event.pointerId);
                dragged.current = index;
              }}
              onPointerMove={drag}
              onLostPointerCapture={() => {
                dragged.current = null;
              }}
              onMouseUp={(event) => event.stopPropagation()}
              // The box is not ticked by its handle.
              onClick={(event) => event.stopPropagation()}
            >
              <Icon name="menu" />
            </span>
          </Menu.CheckboxItem>
        ))}
      </Menu.Group>
    </Frame>
  );
}
