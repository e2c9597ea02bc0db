/** Menus that open at a button: things to do, or things to choose. A lazy chunk. */
import { Menu } from "@base-ui/react/menu";
import { type ReactNode, useState } from "react";

import { type MessageKey, useT } from "../lib/i18n";
import { useBack } from "./back";
import { Icon } from "./icon";
import type { Overlay } from "./overlay";
import { returnFocus } from "./return-focus";
import "./menu.css";

interface FrameProps<R> {
  overlay: Overlay<R>;
  anchor: HTMLElement;
  children: ReactNode;
}

function Frame<R>({ overlay, anchor, children }: FrameProps<R>) {
  useBack(overlay.open, () => overlay.close());
  return (
    <Menu.Root
      open={overlay.open}
      onOpenChange={(open) => {
        if (!open) overlay.close();
      }}
      onOpenChangeComplete={(open) => {
        if (!open) overlay.closed();
      }}
    >
      <Menu.Portal container={anchor.closest("main")}>
        <Menu.Positioner className="ll-menu-place" anchor={anchor} align="end" sideOffset={4}>
          <Menu.Popup className="ll-menu" finalFocus={() => returnFocus(anchor)}>
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface ActionMenuProps {
  overlay: Overlay<string>;
  anchor: HTMLElement;
  items: readonly { value: string; label: string; danger?: boolean }[];
}

/** Closes with the value of the item that was chosen. */
export function ActionMenu({ overlay, anchor, items }: ActionMenuProps) {
  return (
    <Frame overlay={overlay} anchor={anchor}>
      {items.map(({ value, label, danger }) => (
        <Menu.Item key={value} className={danger ? "ll-menu-item ll-menu-danger" : "ll-menu-item"} onClick={() => overlay.close(value)}>
          {label}
        </Menu.Item>
      ))}
    </Frame>
  );
}

interface ChoiceMenuProps {
  overlay: Overlay;
  anchor: HTMLElement;
  label: MessageKey;
  items: readonly { value: string; label: MessageKey }[];
  chosen: readonly string[];
  /** One of them rather than any number. */
  single?: boolean;
  onChange: (chosen: string[]) => void;
}

/** Boxes to tick; it stays open meanwhile and every tick counts at once. */
export function ChoiceMenu({ overlay, anchor, label, items, chosen, single, onChange }: ChoiceMenuProps) {
  const t = useT();
  const [values, setValues] = useState(chosen);
  const change = (next: string[]) => {
    setValues(next);
    onChange(next);
  };
  return (
    <Frame overlay={overlay} anchor={anchor}>
      <Menu.RadioGroup value={single ? values[0] : undefined} onValueChange={(value: string) => change([value])}>
        <Menu.GroupLabel className="ll-menu-label">{t(label)}</Menu.GroupLabel>
        {items.map((item) =>
          single ? (
            <Menu.RadioItem key={item.value} value={item.value} className="ll-menu-item" closeOnClick>
              <Mark shown={values.includes(item.value)} />
              {t(item.label)}
            </Menu.RadioItem>
          ) : (
            <Menu.CheckboxItem
              key={item.value}
              className="ll-menu-item"
              checked={values.includes(item.value)}
              closeOnClick={false}
              onCheckedChange={(checked) => change(checked ? [...values, item.value] : values.filter((value) => value !== item.value))}
            >
              <Mark shown={values.includes(item.value)} />
              {t(item.label)}
            </Menu.CheckboxItem>
          ),
        )}
      </Menu.RadioGroup>
    </Frame>
  );
}

function Mark({ shown }: { shown: boolean }) {
  return <span className="ll-menu-mark">{shown && <Icon name="check" />}</span>;
}
