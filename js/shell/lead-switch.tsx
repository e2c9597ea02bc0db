/** Turns the poll for new leads on and off, for this browser. */

import { useSyncExternalStore } from "react";
import { useT } from "../lib/i18n";
import { Icon } from "../ui/icon";
import { isLeadPollOn, onLeadPoll, setLeadPoll } from "./lead-flag";

export function LeadSwitch() {
  const t = useT();
  // The flag is in this browser only: the server renders the switch as off.
  const isOn = useSyncExternalStore(onLeadPoll, isLeadPollOn, () => false);
  return (
    <button type="button" role="switch" aria-checked={isOn} className="app-popup-item" onClick={() => setLeadPoll(!isOn)}>
      <Icon name="bell" />
      <span>{t("leads.switch")}</span>
      <span className="ll-switch" aria-hidden="true" />
    </button>
  );
}
