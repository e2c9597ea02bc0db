/** The page without the layout: its code and its texts, and nothing of other pages. */

import { loadTexts, Page } from "virtual:bare";
import { STRANGER } from "../lib/app-context";
import type { Messages } from "../lib/i18n";
import type { OwnProps } from "../lib/types";
import { Boundary } from "../shell/boundary";
import type { Opened } from "./opened";

export async function open({ locale }: OwnProps): Promise<Opened> {
  const { texts } = await loadTexts[locale]();
  const below = (
    <Boundary>
      <Page />
    </Boundary>
  );
  return { messages: texts as Messages, role: () => STRANGER, tree: () => ({ below }) };
}
