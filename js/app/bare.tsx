/** The page without the layout: its code and its texts, and nothing of other pages. */

import { loadTexts, Page } from "virtual:bare";
import { STRANGER } from "../lib/app-context";
import type { Messages } from "../lib/i18n";
import type { OwnProps } from "../lib/types";
import { Bare } from "../shell/bare";
import type { Opened } from "./opened";

export async function open({ locale }: OwnProps): Promise<Opened> {
  const { texts } = await loadTexts[locale]();
  const below = (
    <Bare>
      <Page />
    </Bare>
  );
  return { messages: texts as Messages, role: () => STRANGER, tree: () => ({ below }) };
}
