/**
 * The settings drawer: changes apply at once and until the page is reloaded; the
 * copied text has the format of the server's `settings.json`. Loaded when it is opened.
 */

import { useState, type ReactNode } from "react";
import type { Settings } from "../lib/api-types";
import { useLocale, useT, type MessageKey } from "../lib/i18n";
import { setLocale } from "../lib/settings";
import { isColor, shades } from "../lib/shades";
import { notify } from "../lib/toast";
import type { Locale } from "../lib/types";
import { Button } from "../ui/button";
import { copyText } from "../ui/copy-button";
import { Dialog } from "../ui/dialog";
import type { Overlay } from "../ui/overlay";
import "./settings-drawer.css";

interface SettingsDrawerProps {
  overlay: Overlay;
  settings: Settings;
  /** Applies settings and returns those that are in use afterwards. */
  onChange: (settings: Settings) => Promise<Settings>;
}

type Switch = "navbar" | "menu" | "footer" | "tabBar" | "menuFromServer" | "links" | "pageTitle" | "colorWeak";

const CONTENT = [
  ["navbar", "settings.navbar"],
  ["menu", "settings.menu"],
  ["footer", "settings.footer"],
  ["tabBar", "settings.tabBar"],
  ["menuFromServer", "settings.menuFromServer"],
  ["links", "settings.links"],
  ["pageTitle", "settings.pageTitle"],
] as const satisfies readonly (readonly [Switch, MessageKey])[];

const LANGUAGES = [
  ["zh-CN", "简体中文"],
  ["en-US", "English"],
] as const satisfies readonly (readonly [Locale, string])[];

/** Arco Design's named colours. */
const COLORS = ["#165DFF", "#F53F3F", "#F77234", "#FF7D00", "#F7BA1E", "#00B42A", "#14C9C9", "#3491FA", "#722ED1", "#F5319D"];

/** The range that the server's `settings.json` accepts. */
const MENU_PX = { min: 160, max: 480 };

export default function SettingsDrawer({ overlay, settings, onChange }: SettingsDrawerProps) {
  const t = useT();
  const locale = useLocale();
  const [now, setNow] = useState(settings);
  const change = (part: Partial<Settings>) => {
    const next = { ...now, ...part };
    setNow(next);
    void onChange(next).then(setNow);
  };
  const toggle = (name: Switch, label: MessageKey) => (
    <Row key={name} label={t(label)}>
      <input
        type="checkbox"
        role="switch"
        className="ll-switch"
        checked={now[name]}
        onChange={({ target }) => change({ [name]: target.checked })}
      />
    </Row>
  );
  const copy = () =>
    copyText(JSON.stringify(now, null, 2)).then(
      () => notify("success", t("settings.copied")),
      () => notify("error", t("ui.copyFailed")),
    );

  return (
    <Dialog overlay={overlay} title={t("settings.title")} shape="narrow">
      <div className="ll-dialog-body app-settings">
        <section aria-labelledby="settings-color">
          <h3 id="settings-color">{t("settings.themeColor")}</h3>
          <ThemeColor color={now.themeColor} onChange={(themeColor) => change({ themeColor })} />
        </section>
        <section aria-labelledby="settings-language">
          <h3 id="settings-language">{t("settings.language")}</h3>
          <div className="app-settings-choice">
            {LANGUAGES.map(([tag, name]) => (
              <Button
                key={tag}
                lang={tag}
                look={tag === locale ? "primary" : "outline"}
                aria-pressed={tag === locale}
                onClick={() => setLocale(tag)}
              >
                {name}
              </Button>
            ))}
          </div>
        </section>
        <section aria-labelledby="settings-content">
          <h3 id="settings-content">{t("settings.content")}</h3>
          {CONTENT.map(([name, label]) => toggle(name, label))}
          <Row label={t("settings.menuWidth")}>
            <MenuWidth width={now.menuWidth} onChange={(menuWidth) => change({ menuWidth })} />
          </Row>
        </section>
        <section aria-labelledby="settings-other">
          <h3 id="settings-other">{t("settings.other")}</h3>
          {toggle("colorWeak", "settings.colorWeak")}
        </section>
        <p className="app-note" role="note">
          {t("settings.temporary")}
        </p>
      </div>
      <footer className="ll-dialog-foot">
        <Button onClick={() => overlay.close()}>{t("settings.close")}</Button>
        <Button look="primary" onClick={() => void copy()}>
          {t("settings.copy")}
        </Button>
      </footer>
    </Dialog>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="app-settings-row">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** Applies the width once it is in range: while it is being typed it may be too small. */
function MenuWidth({ width, onChange }: { width: number; onChange: (width: number) => void }) {
  const [text, setText] = useState(String(width));
  const type = (typed: string) => {
    setText(typed);
    const number = Number(typed);
    if (Number.isInteger(number) && number >= MENU_PX.min && number <= MENU_PX.max) onChange(number);
  };
  return (
    <input
      type="number"
      className="ll-input app-settings-number"
      {...MENU_PX}
      step={10}
      value={text}
      onChange={({ target }) => type(target.value)}
      onBlur={() => setText(String(width))}
    />
  );
}

/** A choice of colours, a picker for any other, and the ten shades that are made of it. */
function ThemeColor({ color, onChange }: { color: string; onChange: (color: string) => void }) {
  const t = useT();
  const name = color.toUpperCase();
  return (
    <>
      <div className="app-swatches" role="group" aria-label={t("settings.themeColor")}>
        {COLORS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === name}
            aria-label={each}
            title={each}
            ref={(swatch) => swatch?.style.setProperty("--swatch", each)}
            onClick={() => onChange(each)}
          />
        ))}
      </div>
      <label className="app-settings-row">
        <span>{t("settings.otherColor")}</span>
        <input
          type="color"
          className="app-settings-color"
          value={color.toLowerCase()}
          onChange={({ target }) => {
            if (isColor(target.value)) onChange(target.value.toUpperCase());
          }}
        />
      </label>
      <ol className="app-shades" aria-label={t("settings.shades")}>
        {shades(color).map((shade, i) => (
          <li key={i} title={shade} ref={(swatch) => swatch?.style.setProperty("--swatch", shade)}>
            <span className="sr-only">{shade}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
