/** The bar over the page, if the settings turn it on: breadcrumb, theme, full screen, language, user. */

import { useT } from "../lib/i18n";
import type { MenuNode } from "../lib/types";
import { Icon } from "../ui/icon";
import { Breadcrumb } from "./breadcrumb";
import { FullscreenControl, LanguageControl, ThemeControl } from "./controls";
import type { ShellDialogs } from "./use-dialogs";
import { useHere } from "./use-here";
import { UserBlock } from "./user-block";

interface NavbarProps {
  above: readonly MenuNode[];
  title: string;
  dialogs: ShellDialogs;
}

export function Navbar({ above, title, dialogs }: NavbarProps) {
  const t = useT();
  const here = useHere();
  return (
    <div className="app-navbar">
      <Breadcrumb above={above} title={title} />
      <ThemeControl here={here} />
      <FullscreenControl />
      <LanguageControl here={here} />
      <button
        type="button"
        className="app-icon-button"
        aria-label={t("settings.open")}
        title={t("settings.open")}
        aria-haspopup="dialog"
        onClick={dialogs.settings}
      >
        <Icon name="gear" />
      </button>
      <UserBlock dialogs={dialogs} />
    </div>
  );
}
