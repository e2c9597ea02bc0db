/** The bar over the page, when the settings ask for one: place, theme, full screen, language, user. */

import type { MenuNode } from "../lib/types";
import { Breadcrumb } from "./breadcrumb";
import { FullscreenControl, LanguageControl, ThemeControl } from "./controls";
import { UserBlock } from "./user-block";

interface NavbarProps {
  trail: readonly MenuNode[];
  title: string;
  onChangePassword: () => void;
}

export function Navbar({ trail, title, onChangePassword }: NavbarProps) {
  return (
    <div className="app-navbar">
      <Breadcrumb trail={trail} title={title} />
      <ThemeControl />
      <FullscreenControl />
      <LanguageControl />
      <UserBlock onChangePassword={onChangePassword} />
    </div>
  );
}
