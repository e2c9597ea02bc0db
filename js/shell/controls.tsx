/** Switches of theme, language and full screen, as navbar, user block and login page offer them. */

import { useLocale, useT } from "../lib/i18n";
import { currentTheme, setLocale, setTheme } from "../lib/settings";
import { Icon } from "../ui/icon";

interface ControlProps {
  /** Show the name beside the icon; otherwise it is the button's label. */
  isNamed?: boolean;
}

/** Sun and moon are both in the page; the style sheet shows the one that fits the theme. */
export function ThemeControl({ isNamed }: ControlProps) {
  const t = useT();
  const toggle = () => setTheme(currentTheme() === "dark" ? "light" : "dark");
  return (
    <button {...look(isNamed, t("shell.theme"))} onClick={toggle}>
      <Icon name="moon" className="app-when-light" />
      <Icon name="sun" className="app-when-dark" />
      {isNamed && (
        <>
          <span className="app-when-light">{t("shell.toDark")}</span>
          <span className="app-when-dark">{t("shell.toLight")}</span>
        </>
      )}
    </button>
  );
}

/** Offers the other language under its own name. */
export function LanguageControl({ isNamed }: ControlProps) {
  const t = useT();
  const other = useLocale() === "zh-CN" ? "en-US" : "zh-CN";
  return (
    <button {...look(isNamed, t("shell.languageLabel"))} onClick={() => setLocale(other)}>
      <Icon name="globe" />
      {isNamed && <span lang={other}>{t("shell.language")}</span>}
    </button>
  );
}

export function FullscreenControl({ isNamed }: ControlProps) {
  const t = useT();
  const toggle = () => {
    void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  };
  return (
    <button {...look(isNamed, t("shell.fullscreen"))} onClick={toggle}>
      <Icon name="fullscreen" />
      {isNamed && <span>{t("shell.fullscreen")}</span>}
    </button>
  );
}

function look(isNamed: boolean | undefined, label: string) {
  return isNamed
    ? { type: "button" as const, className: "app-popup-item" }
    : { type: "button" as const, className: "app-icon-button", "aria-label": label, title: label };
}
