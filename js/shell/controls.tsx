/** Switches of theme, language and full screen, for the navbar, the user block and the login page. */

import type { ReactNode } from "react";

import { useLocale, useT } from "../lib/i18n";
import { currentTheme, setLocale, setTheme } from "../lib/settings";
import { Icon } from "../ui/icon";

interface ControlProps {
  /** The address of this page, to which the server redirects back. */
  here: string;
  /** Show the name beside the icon; otherwise it is the button's label. */
  isNamed?: boolean;
}

interface FormButtonProps extends Pick<ControlProps, "here"> {
  /** Where the form is posted before there are scripts, or without. */
  action: string;
  /** What is posted, by name. */
  post?: Readonly<Record<string, string>>;
  /** What the button does once there are. */
  onPress: () => void;
  button: ReturnType<typeof look>;
  children: ReactNode;
}

/** A button that works without scripts as well: the server does the same and leads back to this page. */
export function FormButton({ here, action, post = {}, onPress, button, children }: FormButtonProps) {
  return (
    <form
      className="app-form-button"
      action={action}
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        onPress();
      }}
    >
      {Object.entries({ ...post, back: here }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button {...button}>{children}</button>
    </form>
  );
}

/** Sun and moon are both in the page; the style sheet shows the one that fits the theme. */
export function ThemeControl({ here, isNamed }: ControlProps) {
  const t = useT();
  const toggle = () => setTheme(currentTheme() === "dark" ? "light" : "dark");
  return (
    <FormButton here={here} action="/preferences" post={{ theme: "other" }} onPress={toggle} button={look(isNamed, t("shell.theme"))}>
      <Icon name="moon" className="app-when-light" />
      <Icon name="sun" className="app-when-dark" />
      {isNamed && (
        <>
          <span className="app-when-light">{t("shell.toDark")}</span>
          <span className="app-when-dark">{t("shell.toLight")}</span>
        </>
      )}
    </FormButton>
  );
}

/** Offers the other language under its own name. */
export function LanguageControl({ here, isNamed }: ControlProps) {
  const t = useT();
  const other = useLocale() === "zh-CN" ? "en-US" : "zh-CN";
  return (
    <FormButton
      here={here}
      action="/preferences"
      post={{ locale: other }}
      onPress={() => setLocale(other)}
      button={look(isNamed, t("shell.languageLabel"))}
    >
      <Icon name="globe" />
      {isNamed && <span lang={other}>{t("shell.language")}</span>}
    </FormButton>
  );
}

export function FullscreenControl({ isNamed }: Pick<ControlProps, "isNamed">) {
  const t = useT();
  const toggle = () => {
    void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  };
  return (
    <button {...look(isNamed, t("shell.fullscreen"))} type="button" onClick={toggle}>
      <Icon name="fullscreen" />
      {isNamed && <span>{t("shell.fullscreen")}</span>}
    </button>
  );
}

function look(isNamed: boolean | undefined, label: string) {
  return isNamed ? { className: "app-popup-item" } : { className: "app-icon-button", "aria-label": label, title: label };
}
