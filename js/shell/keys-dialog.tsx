/** The keys that the product answers to, as a table. Loaded when it is asked for. */

import { useT, type MessageKey } from "../lib/i18n";
import { Dialog } from "../ui/dialog";
import type { Overlay } from "../ui/overlay";

const KEYS = [
  [["Ctrl", "K"], "keys.palette"],
  [["?"], "keys.help"],
  [["/"], "keys.filter"],
  [["Ctrl", "Enter"], "keys.save"],
  [["Esc"], "keys.close"],
  [["↑", "↓"], "keys.menu"],
  [["Tab"], "keys.next"],
] as const satisfies readonly (readonly [readonly string[], MessageKey])[];

export default function KeysDialog({ overlay }: { overlay: Overlay }) {
  const t = useT();
  return (
    <Dialog overlay={overlay} title={t("keys.title")} shape="small">
      <dl className="ll-dialog-body app-keys">
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(meaning)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
