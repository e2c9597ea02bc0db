/** A table of the keys that work in the product and on the open page. Loaded when it is opened. */
import { useState } from "react";

import { useT, type MessageKey } from "../lib/i18n";
import { areKeysOn, pageShortcuts, setKeysOn } from "../lib/shortcuts";
import { Dialog } from "../ui/dialog";
import type { Overlay } from "../ui/overlay";
import "./keys-dialog.css";

const KEYS = [
  [["Ctrl", "K"], "keys.palette"],
  [["?"], "keys.help"],
  [["/"], "keys.filter"],
  [["J", "K"], "keys.rows"],
  [["Enter"], "keys.openRow"],
  [["X"], "keys.pickRow"],
  [["Ctrl", "Enter"], "keys.save"],
  [["Esc"], "keys.close"],
  [["↑", "↓"], "keys.menu"],
  [["Tab"], "keys.next"],
] as const satisfies readonly (readonly [readonly string[], MessageKey])[];

export default function KeysDialog({ overlay }: { overlay: Overlay }) {
  const t = useT();
  const [on, setOn] = useState(areKeysOn);
  const rows: readonly { keys: readonly string[]; text: string }[] = [
    ...pageShortcuts().map(({ key, text }) => ({ keys: [key.toUpperCase()], text })),
    ...KEYS.map(([keys, meaning]) => ({ keys, text: t(meaning) })),
  ];
  const turn = (next: boolean) => {
    setKeysOn(next);
    setOn(next);
  };
  return (
    <Dialog overlay={overlay} title={t("keys.title")} shape="small">
      <dl className="ll-dialog-body app-keys">
        {rows.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="ll-dialog-body app-keys-on">
        <label className="ll-check">
          <input type="checkbox" checked={on} onChange={({ target }) => turn(target.checked)} />
          {t("keys.on")}
        </label>
      </p>
    </Dialog>
  );
}
