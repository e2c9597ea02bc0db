/** The signed-in user, and their panel, which is a popover: it opens before scripts arrive. */

import { leave } from "../lib/session";
import { useT } from "../lib/i18n";
import { Kept } from "../lib/kept";
import { useViewer } from "../lib/props";
import { Icon } from "../ui/icon";
import { type Open, useOverlay } from "../ui/overlay";
import { closePopover } from "../ui/popover";
import { FormButton, FullscreenControl, LanguageControl, ThemeControl } from "./controls";
import { LeadSwitch } from "./lead-switch";
import { MessageBell } from "./message-bell";
import type { ShellDialogs } from "./use-dialogs";
import { useHere } from "./use-here";

const PANEL_ID = "user-panel";

interface UserBlockProps {
  dialogs: ShellDialogs;
}

export function UserBlock({ dialogs }: UserBlockProps) {
  const t = useT();
  const viewer = useViewer();
  const here = useHere();
  const [overlays, open] = useOverlay();
  if (!viewer) return null;
  const place = viewer.orgName === null ? viewer.roleName : `${viewer.roleName} · ${viewer.orgName}`;
  return (
    <div className="app-user">
      <button type="button" className="app-user-button" popoverTarget={PANEL_ID} title={`${viewer.name} ${place}`}>
        <span className="app-avatar" aria-hidden="true">
          {viewer.avatar === null ? initial(viewer.name) : <img src={viewer.avatar} alt="" width="32" height="32" />}
        </span>
        <span className="app-user-text">
          <span className="sr-only">{t("shell.account")} </span>
          <span className="app-user-name">{viewer.name}</span>
          <span className="app-user-place">{place}</span>
        </span>
        <Icon name="more" className="app-menu-mark" />
      </button>
      <MessageBell />
      <div id={PANEL_ID} className="app-popup app-user-panel" popover="auto">
        <div className="app-user-card">
          <span className="app-user-name">{viewer.name}</span>
          <span className="app-user-place">{viewer.username}</span>
          <span className="app-user-place">{place}</span>
        </div>
        <Kept as="div" of={["user", here]} ofAddress>
          {() => (
            <>
              <ThemeControl here={here} isNamed />
              <LanguageControl here={here} isNamed />
              <FullscreenControl isNamed />
              <LeadSwitch />
              <hr />
              <a className="app-popup-item" href="/account/center" onClick={() => closePopover(PANEL_ID)}>
                <Icon name="user" />
                <span>{t("shell.userCenter")}</span>
              </a>
              <a className="app-popup-item" href="/account/setting" onClick={() => closePopover(PANEL_ID)}>
                <Icon name="gear" />
                <span>{t("shell.userSetting")}</span>
              </a>
              <button
                type="button"
                className="app-popup-item"
                popoverTarget={PANEL_ID}
                popoverTargetAction="hide"
                onClick={({ currentTarget }) => {
                  closeDrawer(currentTarget);
                  dialogs.settings();
                }}
              >
                <Icon name="gear" />
                <span>{t("settings.open")}</span>
              </button>
              <button
                type="button"
                className="app-popup-item"
                popoverTarget={PANEL_ID}
                popoverTargetAction="hide"
                onClick={({ currentTarget }) => {
                  closeDrawer(currentTarget);
                  void switchRole(open);
                }}
              >
                <Icon name="user" />
                <span>{t("shell.switchRole")}</span>
              </button>
              <button
                type="button"
                className="app-popup-item"
                popoverTarget={PANEL_ID}
                popoverTargetAction="hide"
                onClick={({ currentTarget }) => {
                  closeDrawer(currentTarget);
                  dialogs.password();
                }}
              >
                <Icon name="key" />
                <span>{t("shell.changePassword")}</span>
              </button>
              <FormButton here={here} action="/logout" onPress={() => void leave()} button={{ className: "app-popup-item" }}>
                <Icon name="logout" />
                <span>{t("shell.logout")}</span>
              </FormButton>
            </>
          )}
        </Kept>
      </div>
      {overlays}
    </div>
  );
}

/** On narrow screens the block is in a drawer, which would lie over a dialog. */
function closeDrawer(block: HTMLElement) {
  block.closest<HTMLElement>("aside:popover-open")?.hidePopover();
}

async function switchRole(open: Open) {
  const { default: RoleSwitch } = await import("./role-switch");
  await open((overlay) => <RoleSwitch overlay={overlay} />);
}

/** First letter of a name, whole even where it takes two code units. */
function initial(name: string): string {
  const code = name.codePointAt(0);
  return code === undefined ? "" : String.fromCodePoint(code).toUpperCase();
}
