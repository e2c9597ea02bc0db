/** The label of test leads. */
import type { ReactNode } from "react";

import { EMPTY } from "../lib/format";
import type { Translate } from "../lib/i18n";
import { Tag } from "./tag";

/** The label of a test lead; "-" for other leads. */
export function testTag(test: boolean, t: Translate): ReactNode {
  return test ? <Tag color="purple">{t("user.test")}</Tag> : EMPTY;
}

/** The content of a cell, with the label beside it if the row is about a test lead. */
export function withTestTag(shown: ReactNode, test: boolean, t: Translate): ReactNode {
  return test ? (
    <>
      {shown} {testTag(test, t)}
    </>
  ) : (
    shown
  );
}
