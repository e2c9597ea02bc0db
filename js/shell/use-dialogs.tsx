/** What the shell opens over any page. Each view is a chunk of its own, loaded when it is opened. */

import { useCallback, useEffect, type ReactNode } from "react";
import { useLocale, useT, type Translate } from "../lib/i18n";
import { useViewer } from "../lib/props";
import { leave } from "../lib/session";
import { currentTheme, setLocale, setTheme } from "../lib/settings";
import type { Locale } from "../lib/types";
import { useAct } from "../ui/act";
import { useOverlay } from "../ui/overlay";
import { useHotkeys } from "./hotkeys";
import type { Entry } from "./palette-search";
import { ownerOf } from "./recent";
import type { LiveSettings } from "./use-settings";

export interface ShellDialogs {
  password: () => void;
  settings: () => void;
  palette: () => void;
  /** The keys of the product. */
  keys: () => void;
}

/** The open dialogs, to be put into the layout's markup, and the functions that open them. */
export function useShellDialogs({ settings, menu, change }: LiveSettings): [ReactNode, ShellDialogs] {
  const t = useT();
  const locale = useLocale();
  const viewer = useViewer();
  const [overlays, openOver] = useOverlay();
  const [act, open] = useAct(nothing, openOver);

  const isForced = viewer?.mustChangePwd ?? false;
  const password = useCallback(async () => {
    const { default: PasswordDialog } = await import("./password-dialog");
    await open((overlay) => <PasswordDialog overlay={overlay} isForced={isForced} />);
  }, [open, isForced]);
  useEffect(() => {
    if (isForced) void password();
  }, [isForced, password]);

  const openSettings = async () => {
    const { default: SettingsDrawer } = await import("./settings-drawer");
    await open((overlay) => <SettingsDrawer overlay={overlay} settings={settings} onChange={change} />);
  };
  const keys = async () => {
    const { default: KeysDialog } = await import("./keys-dialog");
    await open((overlay) => <KeysDialog overlay={overlay} />);
  };
  const palette = async () => {
    const { default: Palette } = await import("./palette");
    await open((overlay) => (
      <Palette overlay={overlay} owner={viewer ? ownerOf(viewer) : undefined} menu={menu} actions={actions(t, locale, dialogs)} />
    ));
  };
  const dialogs: ShellDialogs = {
    password: () => act("password", password),
    settings: () => act("settings", openSettings),
    palette: () => act("palette", palette),
    keys: () => act("keys", keys),
  };
  useHotkeys({ palette: () => viewer && dialogs.palette(), help: dialogs.keys });
  return [overlays, dialogs];
}

/** A refused call of a dialog leaves the page as it is. */
const nothing = () => Promise.resolve();

function actions(t: Translate, locale: Locale, dialogs: ShellDialogs): Entry[] {
  const isDark = currentTheme() === "dark";
  const other = locale === "zh-CN" ? "en-US" : "zh-CN";
  const action = (title: string, words: string, run: () => void): Entry => ({ group: t("palette.action"), title, words, run });
  return [
    action(t("settings.open"), "settings", dialogs.settings),
    action(t(isDark ? "shell.toLight" : "shell.toDark"), "theme", () => setTheme(isDark ? "light" : "dark")),
    action(t("shell.language"), `language ${other}`, () => setLocale(other)),
    action(t("shell.changePassword"), "password", dialogs.password),
    action(t("keys.title"), "keyboard", dialogs.keys),
    action(t("shell.logout"), "logout", () => void leave()),
  ];
}
