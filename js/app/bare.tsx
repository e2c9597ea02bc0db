/** The page without the layout: its code, and nothing of other pages. */

import { Page } from "virtual:bare";
import { STRANGER } from "../lib/app-context";
import type { OwnProps } from "../lib/types";
import { Boundary } from "../shell/boundary";
import { startAs } from "./client";
import type { Linked, Opened } from "./opened";

export default Page;

void startAs("bare", open);

async function open(_: OwnProps, { texts }: Linked): Promise<Opened> {
  const below = (
    <Boundary>
      <Page />
    </Boundary>
  );
  return { messages: Object.assign({}, ...texts), role: () => STRANGER, tree: () => ({ below }) };
}
