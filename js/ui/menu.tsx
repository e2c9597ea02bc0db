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

/** A menu at its button, which takes the focus back. */
export function Frame<R>({ overlay, anchor, children }: FrameProps<R>) {
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
  chosen: string;
  onChange: (chosen: string) => void;
}

/** Items of which one is chosen. */
export function ChoiceMenu({ overlay, anchor, label, items, chosen, onChange }: ChoiceMenuProps) {
  const t = useT();
  const [value, setValue] = useState(chosen);
  const change = (next: string) => {
    setValue(next);
    onChange(next);
  };
  return (
    <Frame overlay={overlay} anchor={anchor}>
      <Menu.RadioGroup value={value} onValueChange={change}>
        <Menu.GroupLabel className="ll-menu-label">{t(label)}</Menu.GroupLabel>
        {items.map((item) => (
          <Menu.RadioItem key={item.value} value={item.value} className="ll-menu-item" closeOnClick>
            <Mark shown={value === item.value} />
            {t(item.label)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Frame>
  );
}

export function Mark({ shown }: { shown: boolean }) {
  return <span className="ll-menu-mark">{shown && <Icon name="check" />}</span>;
}
