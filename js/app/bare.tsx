/** The page without the layout: its code, and nothing of other pages. */

import { Page } from "virtual:bare";
import { STRANGER } from "../lib/app-context";
import type { OwnProps } from "../lib/types";
import { Boundary } from "../shell/boundary";
import type { Linked, Opened } from "./opened";

export async function open(_: OwnProps, { texts }: Linked): Promise<Opened> {
  const below = (
    <Boundary>
      <Page />
    </Boundary>
  );
  return { messages: Object.assign({}, ...texts), role: () => STRANGER, tree: () => ({ below }) };
}
