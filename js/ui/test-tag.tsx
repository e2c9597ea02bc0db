/** The label of test leads. */
import type { ReactNode } from "react";

import { EMPTY } from "../lib/format";
import type { Translate } from "../lib/i18n";
import { Tag } from "./tag";

/** The label where something is about a test lead, else nothing. */
export function testTag(test: boolean, t: Translate): ReactNode {
  return test ? <Tag color="purple">{t("user.test")}</Tag> : EMPTY;
}

/** What a row shows, with the label beside it where the row is about a test lead. */
export function withTestTag(shown: ReactNode, test: boolean, t: Translate): ReactNode {
  return test ? <>{shown} {testTag(test, t)}</> : shown;
}
